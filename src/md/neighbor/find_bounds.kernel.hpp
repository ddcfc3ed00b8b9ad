// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/wide_team.hpp"
#include "md/neighbor/bounds.hpp"
#include "md/neighbor/site.hpp"

namespace aureole::md {

/// Which particles a search goes through: the owned ones, and then ghosts in an order of their own.
struct SearchOrder {
    std::int64_t owned = 0;
    const std::int32_t* ghost = nullptr;

    AUREOLE_FN std::int64_t operator[](std::int64_t k) const {
        return k < owned ? k : ghost[k - owned];
    }
};

/// Bounds of the particles of a block, by the lanes of a team. `first`: what is done before, in
/// first.begin(lane, lanes) by each of all lanes, and in first.store(i) for each particle.
template <class T, class First>
struct FindBlockBounds {
    using device_kernel = typename First::device_kernel;
    static constexpr int lanes = 8;
    First first;
    SearchOrder order;
    const Site<T>* site;
    const T* limit;  ///< null: none moves
    BoundsLevels<T> to;

    AUREOLE_FN void operator()(device::Team& team, std::int64_t block) const {
        first.begin(block * team.size() + team.rank(), to.blocks() * team.size());
        constexpr int fours = bounds_block / 4;
        const auto from = fours * block;
        for (int k = team.rank(); k < fours; k += team.size()) to.of_4[from + k] = four(from + k);
        team.sync();
        if (to.of_8 != nullptr)
            for (int k = team.rank(); k < fours / 2; k += team.size())
                to.of_8[from / 2 + k] = to.of_4[from + 2 * k] + to.of_4[from + 2 * k + 1];
        if (team.rank() != 0) return;
        auto all = to.of_4[from];
        for (int k = 1; k < fours; ++k) all.add(to.of_4[from + k]);
        to.block[block] = all;
    }

  private:
    AUREOLE_FN Bounds<T> four(std::int64_t cluster) const {
        auto all = Bounds<T>::none();
        for (auto k = 4 * cluster; k < 4 * cluster + 4 && k < to.n; ++k) {
            const auto i = order[k];
            first.store(i);
            const core::Vec3<T> r{site[i].x, site[i].y, site[i].z};
            all.add({r, r, limit != nullptr ? limit[i] : T(0)});
        }
        return all;
    }
};

/// Bounds of groups, regions and all, by one team.
template <class T>
struct FindUpperBounds {
    using device_kernel = void;
    static constexpr int most_lanes = 512;
    BoundsLevels<T> of;

    AUREOLE_FN void operator()(device::WideTeam& team, std::int64_t) const {
        merge(team, of.block, of.blocks(), of.group, of.groups());
        team.sync();
        merge(team, of.group, of.groups(), of.region, of.regions());
        team.sync();
        auto own = Bounds<T>::none();
        for (std::int64_t k = team.rank(); k < of.regions(); k += team.size())
            own.add(of.region[k]);
        own = team.reduce_sum(own);
        if (team.rank() == 0) *of.all = own;
    }

  private:
    AUREOLE_FN static void merge(device::WideTeam& team, const Bounds<T>* from, std::int64_t n,
                                 Bounds<T>* to, std::int64_t count) {
        constexpr int each = BoundsLevels<T>::each;
        for (std::int64_t k = team.rank(); k < count; k += team.size()) {
            auto all = Bounds<T>::none();
            for (auto b = each * k; b < each * (k + 1) && b < n; ++b) all.add(from[b]);
            to[k] = all;
        }
    }
};

}  // namespace aureole::md
