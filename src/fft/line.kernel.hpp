// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/simd_interleave.hpp"
#include "fft/host_job.hpp"

// Transforms of as many lines at once as a pack has lanes: every number below is a pack, so there
// is no shuffle anywhere. The order of points is kept by writing each pass where the next one
// reads in sequence (Stockham's scheme; Van Loan, Computational Frameworks for the Fast Fourier
// Transform, SIAM 1992, section 1.7). Backward transforms are forward ones with the real and the
// imaginary parts in each other's place.
namespace aureole::fft {
inline namespace HWY_NAMESPACE {

template <class T>
inline constexpr int line_lanes = HWY_LANES(T) < 64 / static_cast<int>(sizeof(T))
                                      ? HWY_LANES(T)
                                      : 64 / static_cast<int>(sizeof(T));

/// Packs of real and imaginary parts, `stride` numbers from one point to the next.
template <class T>
struct Points {
    T *re, *im;
    std::int64_t stride;
};

template <class T>
struct LineTransform {
    using P = core::Pack<T, line_lanes<T>>;
    struct C {
        P re, im;
    };

    AUREOLE_FN static C get(const Points<T>& a, std::int64_t k) {
        return {P::load_unaligned(a.re + k * a.stride), P::load_unaligned(a.im + k * a.stride)};
    }
    AUREOLE_FN static void put(const Points<T>& a, std::int64_t k, const C& v) {
        v.re.store_unaligned(a.re + k * a.stride), v.im.store_unaligned(a.im + k * a.stride);
    }
    AUREOLE_FN static C add(const C& a, const C& b) { return {a.re + b.re, a.im + b.im}; }
    AUREOLE_FN static C sub(const C& a, const C& b) { return {a.re - b.re, a.im - b.im}; }
    /// a − i b
    AUREOLE_FN static C sub_i(const C& a, const C& b) { return {a.re + b.im, a.im - b.re}; }
    AUREOLE_FN static C add_i(const C& a, const C& b) { return {a.re - b.im, a.im + b.re}; }
    AUREOLE_FN static C turn(const C& a, const T* w) {
        const P c(w[0]), s(w[1]);
        return {fnma(a.im, s, a.re * c), fma(a.im, c, a.re * s)};
    }

    /// The sums of one butterfly, b_k = Σ_j a_j exp(−2πi j k / radix).
    template <int radix>
    AUREOLE_FN static void butterfly(const C* a, C* b, const T* root) {
        if constexpr (radix == 2) {
            b[0] = add(a[0], a[1]), b[1] = sub(a[0], a[1]);
        } else if constexpr (radix == 4) {
            const C even = add(a[0], a[2]), odd = add(a[1], a[3]);
            const C even_d = sub(a[0], a[2]), odd_d = sub(a[1], a[3]);
            b[0] = add(even, odd), b[2] = sub(even, odd);
            b[1] = sub_i(even_d, odd_d), b[3] = add_i(even_d, odd_d);
        } else {
            // a_j and a_{radix−j} share their cosines and, but for the sign, their sines.
            constexpr int half = (radix - 1) / 2;
            C sum[half], difference[half];
            b[0] = a[0];
            for (int j = 0; j < half; ++j) {
                sum[j] = add(a[j + 1], a[radix - 1 - j]);
                difference[j] = sub(a[j + 1], a[radix - 1 - j]);
                b[0] = add(b[0], sum[j]);
            }
#pragma GCC unroll 6
            for (int k = 1; k <= half; ++k) {
                C even = a[0], odd{P(T(0)), P(T(0))};
#pragma GCC unroll 6
                for (int j = 1; j <= half; ++j) {
                    const int at = 2 * (j * k % radix);
                    const P c(root[at]), s(root[at + 1]);
                    even.re = fma(sum[j - 1].re, c, even.re);
                    even.im = fma(sum[j - 1].im, c, even.im);
                    odd.re = fma(difference[j - 1].re, s, odd.re);
                    odd.im = fma(difference[j - 1].im, s, odd.im);
                }
                b[k] = sub_i(even, odd), b[radix - k] = add_i(even, odd);
            }
        }
    }

    template <int radix, bool turned>
    AUREOLE_FN static void group(const Stage<T>& stage, std::int64_t p, const Points<T>& in,
                                 const Points<T>& out) {
        const std::int64_t m = stage.m, s = stage.s;
        const T* const w = stage.twiddle + p * (radix - 1) * 2;
        for (std::int64_t q = 0; q < s; ++q) {
            C a[radix], b[radix];
#pragma GCC unroll 13
            for (int j = 0; j < radix; ++j) a[j] = get(in, q + s * (p + m * j));
            butterfly<radix>(a, b, stage.root);
            put(out, q + s * radix * p, b[0]);
#pragma GCC unroll 13
            for (int k = 1; k < radix; ++k)
                put(out, q + s * (radix * p + k), turned ? turn(b[k], w + 2 * (k - 1)) : b[k]);
        }
    }
    template <int radix>
    static void pass(const Stage<T>& stage, const Points<T>& in, const Points<T>& out) {
        group<radix, false>(stage, 0, in, out);
        for (std::int64_t p = 1; p < stage.m; ++p) group<radix, true>(stage, p, in, out);
    }

    /// A pass over any other factor: slow, but right.
    static void any_pass(const Stage<T>& stage, const Points<T>& in, const Points<T>& out) {
        const std::int64_t m = stage.m, s = stage.s, radix = stage.radix;
        for (std::int64_t p = 0; p < m; ++p)
            for (std::int64_t q = 0; q < s; ++q)
                for (std::int64_t k = 0; k < radix; ++k) {
                    C b = get(in, q + s * p);
                    for (std::int64_t j = 1; j < radix; ++j) {
                        const T* root = stage.root + 2 * (j * k % radix);
                        const T w[2] = {root[0], -root[1]};
                        b = add(b, turn(get(in, q + s * (p + m * j)), w));
                    }
                    if (k > 0) b = turn(b, stage.twiddle + (p * (radix - 1) + k - 1) * 2);
                    put(out, q + s * (radix * p + k), b);
                }
    }

    static void any(const Stage<T>& stage, const Points<T>& in, const Points<T>& out) {
        switch (stage.radix) {
            case 2:
                return pass<2>(stage, in, out);
            case 3:
                return pass<3>(stage, in, out);
            case 4:
                return pass<4>(stage, in, out);
            case 5:
                return pass<5>(stage, in, out);
            case 7:
                return pass<7>(stage, in, out);
            case 11:
                return pass<11>(stage, in, out);
            case 13:
                return pass<13>(stage, in, out);
            default:
                return any_pass(stage, in, out);
        }
    }

    /// Numbers of scratch memory that run() needs for lines of n points.
    static std::int64_t scratch(int n) { return std::int64_t{4} * line_lanes<T> * n; }

    /// Out of place; `scratch` is neither, the two do not overlap.
    static void run(const Line<T>& line, const Points<T>& in, const Points<T>& out, T* scratch) {
        constexpr std::int64_t w = line_lanes<T>;
        T* const second = scratch + 2 * w * line.n;
        const Points<T> between[2] = {{scratch, scratch + w, 2 * w}, {second, second + w, 2 * w}};
        for (int k = 0; k < line.stages; ++k)
            any(line.stage[k], k == 0 ? in : between[(k - 1) & 1],
                k == line.stages - 1 ? out : between[k & 1]);
    }
};

}  // namespace HWY_NAMESPACE
}  // namespace aureole::fft
