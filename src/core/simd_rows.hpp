// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/simd.hpp"

// Packs from and to scattered places, by the processor's own gathers and scatters.
namespace aureole::core {
inline namespace HWY_NAMESPACE {

/// Indices of N 32-bit numbers as the gathers of doubles take them.
template <int N>
requires fits_register<double, N> AUREOLE_FN auto wide_indices(const std::int32_t* index) {
    return hn::PromoteTo(hn::FixedTag<std::int64_t, N>{},
                         hn::LoadU(hn::FixedTag<std::int32_t, N>{}, index));
}

/// Lane k reads table[index[k]].
template <int N>
AUREOLE_FN Pack<double, N> gather_numbers(const double* table, const std::int32_t* index) {
    if constexpr (fits_register<double, N>) {
        const hn::FixedTag<double, N> tag;
        return Pack<double, N>(hn::GatherIndex(tag, table, wide_indices<N>(index)));
    } else {
        return {gather_numbers<N / 2>(table, index), gather_numbers<N / 2>(table, index + N / 2)};
    }
}

/// Lane k reads the three numbers of row[k] in a table [..][3].
template <int N>
AUREOLE_FN void gather_rows(const double* table, const std::int32_t* row, Pack<double, N>& x,
                            Pack<double, N>& y, Pack<double, N>& z) {
    if constexpr (fits_register<double, N>) {
        const hn::FixedTag<double, N> tag;
        const auto i = wide_indices<N>(row);
        const auto at = hn::Add(hn::Add(i, i), i);
        x.v = hn::GatherIndex(tag, table, at);
        y.v = hn::GatherIndex(tag, table + 1, at);
        z.v = hn::GatherIndex(tag, table + 2, at);
    } else {
        gather_rows<N / 2>(table, row, x.lo, y.lo, z.lo);
        gather_rows<N / 2>(table, row + N / 2, x.hi, y.hi, z.hi);
    }
}

/// Writes what gather_rows() reads. Lanes of one row must hold the same numbers.
template <int N>
AUREOLE_FN void scatter_rows(double* table, const std::int32_t* row, Pack<double, N> x,
                             Pack<double, N> y, Pack<double, N> z) {
    if constexpr (fits_register<double, N>) {
        const hn::FixedTag<double, N> tag;
        const auto i = wide_indices<N>(row);
        const auto at = hn::Add(hn::Add(i, i), i);
        hn::ScatterIndex(x.v, tag, table, at);
        hn::ScatterIndex(y.v, tag, table + 1, at);
        hn::ScatterIndex(z.v, tag, table + 2, at);
    } else {
        scatter_rows<N / 2>(table, row, x.lo, y.lo, z.lo);
        scatter_rows<N / 2>(table, row + N / 2, x.hi, y.hi, z.hi);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace aureole::core
