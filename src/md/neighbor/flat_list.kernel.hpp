// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/atomic.hpp"
#include "md/neighbor/find_bounds.kernel.hpp"
#include "md/neighbor/flat_zones.kernel.hpp"
#include "md/neighbor/local_exclusions.kernel.hpp"

// The pair list of devices with many lanes: for each particle the full list of its neighbours,
// found and read by the lanes of one team (Glaser et al., Comput. Phys. Commun. 192 (2015) 97,
// section 5).
namespace aureole::md {

template <class T>
struct SetTypes {
    using device_kernel = void;
    const std::int32_t* type;
    Site<T>* site;

    AUREOLE_FN void operator()(std::int64_t i) const { site[i].type = type[i]; }
};

/// Neighbours of all particles: row i holds `count[i]` of them, and up to a multiple of four a site
/// whose coordinates are not numbers.
struct FlatList {
    static constexpr std::int64_t padding = 4;

    std::int32_t* neighbour;  ///< [n][stride]; a multiple of four
    std::int32_t* count;      ///< [n]
    std::int64_t stride;
};

/// One particle's neighbours: all that may come within the cut-off while both stay within their
/// displacement limits, without excluded ones.
template <class T>
struct FlatSearch {
    using device_kernel = void;
    static constexpr int blocks_on_processor = sizeof(T) == 4 ? 5 : 1;
    BoundsLevels<T> bounds;
    LatticeShifts<T> shifts;  ///< of the box of the search
    Images<T> images;
    SearchOrder order;
    const Site<T>* site;
    const T* limit;  ///< null: none moves
    T r_cut;
    T extent;  ///< of the box
    T surely;  ///< up to here Images::separation is the shortest, for certain
    ExcludedPartners exclusions;
    FlatZones zones;
    FlatList list;
    std::int32_t filler;    ///< index of the site that rows are filled up with
    std::uint32_t* needed;  ///< raised to the length of rows that did not fit

    AUREOLE_FN void operator()(device::Team& team, std::int64_t k) const {
        const auto i = order[k];
        const Site<T> self = site[i];
        const core::Vec3<T> r{self.x, self.y, self.z};
        const Bounds<T> own{r, r, limit_of(i)};
        const SearchRange<T> range(r_cut, extent, *bounds.all);
        const unsigned visible = visible_shifts(team, shifts, own, range, *bounds.all);
        const auto near = [&](const Bounds<T>& other) {
            bool is = false;
            each_bit(visible, [&](int s) {
                is = is || NearWhenShifted<T>{own, range, shifts.by[s]}(other);
            });
            return is;
        };
        std::int32_t found = 0;
        each_near_block(team, bounds, near, [&](std::int64_t block) {
            append(team, i, bounds_block * block, found, [&](std::int64_t j) {
                return is_neighbour(i, self, j, range.of(own.limit, limit_of(j)));
            });
        });
        if (team.rank() != 0) return;
        list.count[i] = static_cast<std::int32_t>(found < list.stride ? found : list.stride);
        if (found > list.stride)
            core::atomic_max(needed, static_cast<std::uint32_t>(found));
        else
            for (; found % list.padding != 0; ++found)
                list.neighbour[i * list.stride + found] = filler;
    }

  private:
    AUREOLE_FN T limit_of(std::int64_t i) const { return limit != nullptr ? limit[i] : T(0); }

    /// Appends those of a block that `test` takes.
    template <class Test>
    AUREOLE_FN void append(device::Team& team, std::int64_t i, std::int64_t first,
                           std::int32_t& found, const Test& test) const {
        const unsigned hits =
            word_of(team, [&](int k) { return first + k < bounds.n && test(order[first + k]); });
        for (int k = team.rank(); k < bounds_block; k += team.size()) {
            const auto at = found + device::count_bits(hits & ((1u << k) - 1));
            if ((hits >> k & 1) != 0 && at < list.stride)
                list.neighbour[i * list.stride + at] = static_cast<std::int32_t>(order[first + k]);
        }
        found += device::count_bits(hits);
    }
    AUREOLE_FN bool is_neighbour(std::int64_t i, const Site<T>& self, std::int64_t j,
                                 T range) const {
        const auto d = images.separation(self, site[j]);
        return j != i && (range > surely || dot(d, d) < range * range) &&
               zones.pair_here(i, j, self, site[j]) &&
               !(exclusions.any() && exclusions.between(i, j));
    }
};

}  // namespace aureole::md
