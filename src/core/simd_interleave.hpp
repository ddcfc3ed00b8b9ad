// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/simd.hpp"

// Transposed and interleaved rows of packs.
namespace aureole::core {
inline namespace HWY_NAMESPACE {

/// Writes the transpose of edge × edge numbers; rows are `stride` numbers apart.
template <class T, int edge>
AUREOLE_FN void transpose_tile(const T* from, std::int64_t stride, T* to, std::int64_t stride_to) {
#if HWY_TARGET != HWY_SCALAR
    if constexpr (edge == 4 && sizeof(T) == 4) {
        const hn::FixedTag<T, 4> d;
        const hn::FixedTag<double, 2> wide;
        const auto a = hn::LoadU(d, from), b = hn::LoadU(d, from + stride),
                   c = hn::LoadU(d, from + 2 * stride), e = hn::LoadU(d, from + 3 * stride);
        const auto ab_lo = hn::BitCast(wide, hn::InterleaveLower(d, a, b)),
                   ab_hi = hn::BitCast(wide, hn::InterleaveUpper(d, a, b)),
                   ce_lo = hn::BitCast(wide, hn::InterleaveLower(d, c, e)),
                   ce_hi = hn::BitCast(wide, hn::InterleaveUpper(d, c, e));
        hn::StoreU(hn::BitCast(d, hn::InterleaveLower(wide, ab_lo, ce_lo)), d, to);
        hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(wide, ab_lo, ce_lo)), d, to + stride_to);
        hn::StoreU(hn::BitCast(d, hn::InterleaveLower(wide, ab_hi, ce_hi)), d, to + 2 * stride_to);
        hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(wide, ab_hi, ce_hi)), d, to + 3 * stride_to);
        return;
    } else if constexpr (edge == 2 && sizeof(T) == 8) {
        const hn::FixedTag<T, 2> d;
        const auto a = hn::LoadU(d, from), b = hn::LoadU(d, from + stride);
        hn::StoreU(hn::InterleaveLower(d, a, b), d, to);
        hn::StoreU(hn::InterleaveUpper(d, a, b), d, to + stride_to);
        return;
    }
#endif
    for (int i = 0; i < edge; ++i)
        for (int j = 0; j < edge; ++j) to[j * stride_to + i] = from[i * stride + j];
}

/// Writes the transpose of n × n numbers, n a multiple of 4, whose rows are anywhere.
template <int n, class T>
AUREOLE_FN void transpose_rows(const T* const* rows, T* to) {
#if HWY_TARGET != HWY_SCALAR
    if constexpr (sizeof(T) == 8 && fits_register<T, 4>) {
        const hn::FixedTag<T, 4> d;
        for (int x = 0; x < n; x += 4)
            for (int r = 0; r < n; r += 4) {
                const auto a = hn::LoadU(d, rows[r] + x), b = hn::LoadU(d, rows[r + 1] + x),
                           c = hn::LoadU(d, rows[r + 2] + x), e = hn::LoadU(d, rows[r + 3] + x);
                const auto ab = hn::InterleaveLower(d, a, b), ab_odd = hn::InterleaveUpper(d, a, b),
                           ce = hn::InterleaveLower(d, c, e), ce_odd = hn::InterleaveUpper(d, c, e);
                T* const at = to + x * n + r;
                hn::StoreU(hn::ConcatLowerLower(d, ce, ab), d, at);
                hn::StoreU(hn::ConcatLowerLower(d, ce_odd, ab_odd), d, at + n);
                hn::StoreU(hn::ConcatUpperUpper(d, ce, ab), d, at + 2 * n);
                hn::StoreU(hn::ConcatUpperUpper(d, ce_odd, ab_odd), d, at + 3 * n);
            }
        return;
    }
#endif
    for (int r = 0; r < n; ++r)
        for (int x = 0; x < n; ++x) to[x * n + r] = rows[r][x];
}

/// Writes a₀ b₀ c₀ d₀ a₁ b₁ c₁ d₁ …
template <class T, int N>
AUREOLE_FN void store_interleaved(Pack<T, N> a, Pack<T, N> b, Pack<T, N> c, Pack<T, N> d, T* to) {
    if constexpr (!fits_register<T, N>) {
        store_interleaved(a.lo, b.lo, c.lo, d.lo, to);
        store_interleaved(a.hi, b.hi, c.hi, d.hi, to + 2 * N);
    } else {
#if HWY_TARGET != HWY_SCALAR
        hn::StoreInterleaved4(a.v, b.v, c.v, d.v, hn::FixedTag<T, N>{}, to);
#else
        a.store(to), b.store(to + 1), c.store(to + 2), d.store(to + 3);
#endif
    }
}
/// Reads what it writes and adds the four packs.
template <class T, int N>
AUREOLE_FN Pack<T, N> sum_interleaved(const T* from) {
    if constexpr (!fits_register<T, N>) {
        return {sum_interleaved<T, N / 2>(from), sum_interleaved<T, N / 2>(from + 2 * N)};
    } else {
#if HWY_TARGET != HWY_SCALAR
        const hn::FixedTag<T, N> tag;
        hn::Vec<hn::FixedTag<T, N>> a, b, c, d;
        hn::LoadInterleaved4(tag, from, a, b, c, d);
        return Pack<T, N>(hn::Add(hn::Add(a, b), hn::Add(c, d)));
#else
        return Pack<T, N>((from[0] + from[1]) + (from[2] + from[3]));
#endif
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace aureole::core
