// SPDX-License-Identifier: Apache-2.0
#include <hwy/highway.h>

#include "tile.hpp"

namespace hn = hwy::HWY_NAMESPACE;
constexpr int width = HWY_LANES(float) >= 16 ? 16 : 8;

template <bool newton>
struct Ops {
    using D = hn::FixedTag<float, width>;
    using Q = hn::FixedTag<float, 4>;
    using V = hn::Vec<D>;
    static constexpr int parts = 16 / width;
    struct Tile {
        V v[parts];
        Tile() = default;
        explicit Tile(float a) {
            for (auto& part : v) part = hn::Set(D{}, a);
        }
        template <class F>
        static Tile each(F f) {
            Tile t;
            for (int k = 0; k < parts; ++k) t.v[k] = f(k);
            return t;
        }
        friend Tile operator+(const Tile& a, const Tile& b) {
            return each([&](int k) { return hn::Add(a.v[k], b.v[k]); });
        }
        friend Tile operator-(const Tile& a, const Tile& b) {
            return each([&](int k) { return hn::Sub(a.v[k], b.v[k]); });
        }
        friend Tile operator*(const Tile& a, const Tile& b) {
            return each([&](int k) { return hn::Mul(a.v[k], b.v[k]); });
        }
    };
    static Tile repeat(const float* p) {
        const V q = hn::LoadDup128(D{}, p);
        return Tile::each([&](int) { return q; });
    }
    static Tile spread(const float* p) {
        alignas(64) float lanes[16];
        for (int k = 0; k < 16; ++k) lanes[k] = p[k / 4];
        return Tile::each([&](int k) { return hn::Load(D{}, lanes + k * width); });
    }
    template <int n = width, class W>
    static auto blocks(W v) {
        if constexpr (n == 4) {
            return v;
        } else {
            const hn::FixedTag<float, n / 2> half;
            return blocks<n / 2>(hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
        }
    }
    static void sub_blocks(float* q, const Tile& t) {
        V all = t.v[0];
        for (int k = 1; k < parts; ++k) all = hn::Add(all, t.v[k]);
        hn::Store(hn::Sub(hn::Load(Q{}, q), blocks(all)), Q{}, q);
    }
    static void rows(float* q, const Tile& t) {
        alignas(64) float lanes[16];
        for (int k = 0; k < parts; ++k) hn::Store(t.v[k], D{}, lanes + k * width);
        for (int k = 0; k < 16; ++k) q[k / 4] += lanes[k];
    }
    static Tile max(const Tile& a, const Tile& b) {
        return Tile::each([&](int k) { return hn::Max(a.v[k], b.v[k]); });
    }
    static Tile recip(const Tile& a) {
        return Tile::each([&](int k) {
            if constexpr (newton) {
                const V y = hn::ApproximateReciprocal(a.v[k]);
                return hn::Mul(y, hn::NegMulAdd(a.v[k], y, hn::Set(D{}, 2.0F)));
            } else {
                return hn::Div(hn::Set(D{}, 1.0F), a.v[k]);
            }
        });
    }
    static Tile zero_unless_less(const Tile& a, const Tile& b, const Tile& t) {
        return Tile::each(
            [&](int k) { return hn::IfThenElseZero(hn::Lt(a.v[k], b.v[k]), t.v[k]); });
    }
};

int main() { return measure<Ops<false>>("highway") + measure<Ops<true>>("highway+newton"); }
