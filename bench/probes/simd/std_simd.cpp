// SPDX-License-Identifier: Apache-2.0
#include <experimental/simd>

#include "tile.hpp"

namespace stdx = std::experimental;

struct Ops {
    using Tile = stdx::fixed_size_simd<float, 16>;
    using Q = stdx::fixed_size_simd<float, 4>;
    // There is no repeated load; a generator says the same.
    static Tile repeat(const float* p) {
        return Tile([&](auto k) { return p[k % 4]; });
    }
    static Tile spread(const float* p) {
        return Tile([&](auto k) { return p[k / 4]; });
    }
    static void sub_blocks(float* q, const Tile& t) {
        const auto part = stdx::split<Q>(t);
        const Q old(q, stdx::vector_aligned);
        (old - ((part[0] + part[1]) + (part[2] + part[3]))).copy_to(q, stdx::vector_aligned);
    }
    static void rows(float* q, const Tile& t) {
        for (int k = 0; k < 16; ++k) q[k / 4] += t[k];
    }
    static Tile max(const Tile& a, const Tile& b) { return stdx::max(a, b); }
    static Tile recip(const Tile& a) { return 1.0F / a; }
    static Tile zero_unless_less(const Tile& a, const Tile& b, Tile t) {
        stdx::where(!(a < b), t) = 0.0F;
        return t;
    }
};

int main() { return measure<Ops>("std::simd"); }
