// SPDX-License-Identifier: Apache-2.0
#include <xsimd/xsimd.hpp>

#include "tile.hpp"

using V = xsimd::batch<float>;
constexpr int width = static_cast<int>(V::size), parts = 16 / width;
using Q = xsimd::batch<float, xsimd::sse4_2>;

template <bool intrinsics>
struct Ops {
    struct Tile {
        V v[parts];
        Tile() = default;
        explicit Tile(float a) {
            for (auto& part : v) part = V(a);
        }
        template <class F>
        static Tile each(F f) {
            Tile t;
            for (int k = 0; k < parts; ++k) t.v[k] = f(k);
            return t;
        }
        friend Tile operator+(const Tile& a, const Tile& b) {
            return each([&](int k) { return a.v[k] + b.v[k]; });
        }
        friend Tile operator-(const Tile& a, const Tile& b) {
            return each([&](int k) { return a.v[k] - b.v[k]; });
        }
        friend Tile operator*(const Tile& a, const Tile& b) {
            return each([&](int k) { return a.v[k] * b.v[k]; });
        }
    };
    // The library has neither a repeated load nor sums of 128-bit blocks: both go through memory,
    // or through the processor's intrinsics, which its registers convert to.
    static V repeat_by_intrinsics(const float* p) {
#ifdef __AVX512F__
        return V(_mm512_broadcast_f32x4(_mm_load_ps(p)));
#else
        return V(_mm256_broadcast_ps(reinterpret_cast<const __m128*>(p)));
#endif
    }
    static __m128 blocks_by_intrinsics(V v) {
#ifdef __AVX512F__
        const __m256 h = _mm256_add_ps(_mm512_castps512_ps256(v), _mm512_extractf32x8_ps(v, 1));
#else
        const __m256 h = v;
#endif
        return _mm_add_ps(_mm256_castps256_ps128(h), _mm256_extractf128_ps(h, 1));
    }
    static Tile repeat(const float* p) {
        if constexpr (intrinsics) {
            const V all = repeat_by_intrinsics(p);
            return Tile::each([&](int) { return all; });
        }
        alignas(64) float lanes[width];
        const Q q = Q::load_aligned(p);
        for (int k = 0; k < width; k += 4) q.store_aligned(lanes + k);
        const V all = V::load_aligned(lanes);
        return Tile::each([&](int) { return all; });
    }
    static Tile spread(const float* p) {
        alignas(64) float lanes[16];
        for (int k = 0; k < 16; ++k) lanes[k] = p[k / 4];
        return Tile::each([&](int k) { return V::load_aligned(lanes + k * width); });
    }
    static void sub_blocks(float* q, const Tile& t) {
        alignas(64) float lanes[width];
        V all = t.v[0];
        for (int k = 1; k < parts; ++k) all += t.v[k];
        if constexpr (intrinsics) {
            _mm_store_ps(q, _mm_sub_ps(_mm_load_ps(q), blocks_by_intrinsics(all)));
            return;
        }
        all.store_aligned(lanes);
        Q sum = Q::load_aligned(lanes);
        for (int k = 4; k < width; k += 4) sum += Q::load_aligned(lanes + k);
        (Q::load_aligned(q) - sum).store_aligned(q);
    }
    static void rows(float* q, const Tile& t) {
        alignas(64) float lanes[16];
        for (int k = 0; k < parts; ++k) t.v[k].store_aligned(lanes + k * width);
        for (int k = 0; k < 16; ++k) q[k / 4] += lanes[k];
    }
    static Tile max(const Tile& a, const Tile& b) {
        return Tile::each([&](int k) { return xsimd::max(a.v[k], b.v[k]); });
    }
    static Tile recip(const Tile& a) {
        return Tile::each([&](int k) { return V(1.0F) / a.v[k]; });
    }
    static Tile zero_unless_less(const Tile& a, const Tile& b, const Tile& t) {
        return Tile::each([&](int k) { return xsimd::select(a.v[k] < b.v[k], t.v[k], V(0.0F)); });
    }
};

int main() { return measure<Ops<false>>("xsimd") + measure<Ops<true>>("xsimd+intrinsics"); }
