// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/simd.hpp"

// Sixteen lanes as a square, lane 4 i + j: each row has a table of its own, in which the columns
// look up. In registers: a lookup takes one or two instructions for every four numbers of a row.
namespace aureole::core {
inline namespace HWY_NAMESPACE {

/// Whether squares of these numbers can look up in registers.
template <class T>
inline constexpr bool squares_look_up = sizeof(T) == sizeof(std::int32_t) && fits_register<T, 4>;

/// The entries that the columns of a square look up, each below 4 `groups`; the same in all rows.
template <class T, int groups>
class ColumnEntries {
    static constexpr int lanes = fits_register<T, 16> ? 16 : HWY_LANES(T);  // rows share registers
    using Index = hn::FixedTag<std::int32_t, lanes>;

  public:
    using Tag = hn::FixedTag<T, lanes>;
    hn::Vec<Index> lane;       ///< of a register that holds four entries of each row
    hn::Mask<Tag> odd, later;  ///< entries 4 to 7 of eight; 8 to 15

    AUREOLE_FN explicit ColumnEntries(const std::int32_t* entry) {
        const Index d;
        const auto wanted = hn::LoadDup128(d, entry);
        const auto row = hn::AndNot(hn::Set(d, 3), hn::Iota(d, 0));
        lane = hn::Or(row, groups > 1 ? hn::And(wanted, hn::Set(d, 3)) : wanted);
        if constexpr (groups > 1) odd = has_bit(wanted, 4);
        if constexpr (groups > 2) later = has_bit(wanted, 8);
    }

  private:
    AUREOLE_FN static hn::Mask<Tag> has_bit(hn::Vec<Index> wanted, std::int32_t bit) {
        return hn::RebindMask(Tag{}, hn::TestBit(wanted, hn::Set(Index{}, bit)));
    }
};

/// Tables of the rows of a square, four entries of each in a pack.
template <class T, int groups>
struct RowTables {
    Pack<T, 16> group[groups];

    /// Row i holds the numbers from table + start[i]; all of the groups are read.
    AUREOLE_FN void load(const T* table, const std::int32_t* start) {
        for (int g = 0; g < groups; ++g) {
            const auto four = [&](int i) {
                return Pack<T, 4>::load_unaligned(table + start[i] + 4 * g);
            };
            group[g] = join(join(four(0), four(1)), join(four(2), four(3)));
        }
    }
    template <int used>
    AUREOLE_FN Pack<T, 16> at(const ColumnEntries<T, used>& entries) const {
        static_assert(used <= groups);
        return at_lanes<used, 16>(group, entries);
    }

  private:
    template <int used, int N>
    AUREOLE_FN static Pack<T, N> at_lanes(const Pack<T, N>* g, const ColumnEntries<T, used>& e) {
        if constexpr (fits_register<T, N>) {
            typename ColumnEntries<T, used>::Tag d;
            const auto lanes = hn::IndicesFromVec(d, e.lane);
            const auto of = [&](int k) { return hn::TableLookupLanes(g[k].v, lanes); };
            const auto of_two = [&](int k) { return hn::IfThenElse(e.odd, of(k + 1), of(k)); };
            if constexpr (used == 1) return Pack<T, N>(of(0));
            if constexpr (used == 2) return Pack<T, N>(of_two(0));
            if constexpr (used == 4)
                return Pack<T, N>(hn::IfThenElse(e.later, of_two(2), of_two(0)));
        } else {
            Pack<T, N / 2> low[used], high[used];
            for (int k = 0; k < used; ++k) low[k] = lower(g[k]), high[k] = upper(g[k]);
            return join(at_lanes<used, N / 2>(low, e), at_lanes<used, N / 2>(high, e));
        }
    }
};

}  // namespace HWY_NAMESPACE
}  // namespace aureole::core
