// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/atomic.hpp"
#include "device/team.hpp"
#include "md/neighbor/flat_list.kernel.hpp"

namespace aureole::md {

/// The neighbours of a particle within the cut-off, looked for among all particles: for rare
/// questions about single particles, where no list has rows for each.
struct AllNeighbours {
    using device_kernel = void;
    Images<float> images;
    const Site<float>* site;
    std::int64_t n;
    float r_cut2;
    ExcludedPartners exclusions;
    FlatList list;
    std::uint32_t* needed;  ///< raised to the length of rows that did not fit

    AUREOLE_FN void operator()(device::Team& team, std::int64_t i) const {
        std::int32_t found = 0;
        for (std::int64_t first = 0; first < n; first += team.size()) {
            const auto j = first + team.rank();
            const std::int32_t mine = j < n && is_near(i, j) ? 1 : 0;
            const auto at = found + team.exclusive_scan_sum(mine);
            if (mine != 0 && at < list.stride)
                list.neighbour[i * list.stride + at] = static_cast<std::int32_t>(j);
            found += team.reduce_sum(mine);
        }
        if (team.rank() != 0) return;
        list.count[i] = found < list.stride ? found : static_cast<std::int32_t>(list.stride);
        if (found > list.stride) core::atomic_max(needed, static_cast<std::uint32_t>(found));
    }

  private:
    AUREOLE_FN bool is_near(std::int64_t i, std::int64_t j) const {
        if (i == j) return false;
        const auto d = images.separation(site[i], site[j]);
        if (!(dot(d, d) < r_cut2)) return false;
        return !exclusions.any() || !exclusions.between(i, j);
    }
};

}  // namespace aureole::md
