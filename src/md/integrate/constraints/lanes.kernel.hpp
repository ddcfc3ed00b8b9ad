// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/team.hpp"
#include "md/integrate/constraints/group.kernel.hpp"
#include "md/integrate/constraints/region.kernel.hpp"

// The constraints of devices with many lanes: a molecule or group to each, a region to a team.
namespace aureole::md {

AUREOLE_FN ConstraintSums total_of(const PassSums<double>& s) {
    return {{s.xx, s.yy, s.zz, s.xy, s.xz, s.yz}, s.stretch};
}

AUREOLE_FN PackSlot lane_of(std::int64_t slot, const std::int32_t* count) {
    const std::int64_t pack = slot / pack_lanes;
    return {pack, static_cast<int>(slot % pack_lanes), count[pack]};
}

/// One water of each lane. Slots behind the last molecule have nothing to do.
template <bool velocities>
struct SettleLane {
    using device_kernel = void;
    SettleTables w;
    ConstraintPass p;
    ConstraintSums* out;

    AUREOLE_FN void operator()(std::int64_t slot) const {
        const auto at = lane_of(slot, w.count);
        PassSums<double> sums;
        if (at.lane < at.count && !p.superfluous()) {
            if constexpr (velocities)
                settle_velocities<double>(w, p, at, sums);
            else
                settle_move<double>(w, p, at, sums);
        }
        if (p.want_sums) out[slot] = total_of(sums);
    }
};

template <class Shape, bool velocities>
struct GroupLane {
    using device_kernel = void;
    GroupTables t;
    ConstraintPass p;
    ConstraintSums* out;

    AUREOLE_FN void operator()(std::int64_t slot) const {
        const auto at = lane_of(slot, t.count);
        PassSums<double> sums;
        if (at.lane < at.count && !p.superfluous()) {
            if constexpr (velocities)
                group_velocities<double, Shape>(t, p, at, sums);
            else
                group_move<double, Shape>(t, p, at, sums);
        }
        if (p.want_sums) out[slot] = total_of(sums);
    }
};

struct RegionTeam {
    using device_kernel = void;
    RegionTables t;
    ConstraintPass p;
    ConstraintSums* out;

    AUREOLE_FN void operator()(device::Team& team, std::int64_t region) const {
        PassSums<double> sums;
        if (!p.superfluous()) RegionSolver<double, device::Team>(t, p, region, team).solve(sums);
        if (!p.want_sums) return;
        const auto all = team.reduce_sum(total_of(sums));
        if (team.rank() == 0) out[region] = all;
    }
};

struct FinishRegion {
    using device_kernel = void;
    RegionTables t;
    ConstraintPass p;

    AUREOLE_FN void operator()(device::Team& team, std::int64_t region) const {
        if (!p.superfluous()) finish_region(t, p, region, team);
    }
};

/// Adds up the sums of all passes of a correction.
struct AddPass {
    using device_kernel = void;
    const ConstraintSums* pass;
    ConstraintSums* all;
    bool first;

    AUREOLE_FN void operator()(std::int64_t) const { *all = first ? *pass : *all + *pass; }
};

/// Notes whether all refinements were too few.
struct JudgeConstraints {
    using device_kernel = void;
    const double* off;
    double tolerance;
    std::uint32_t* unsatisfied;

    AUREOLE_FN void operator()(std::int64_t) const {
        if (!(*off <= tolerance)) *unsatisfied = 1;
    }
};

struct ReadConstraintSums {
    using device_kernel = void;
    const ConstraintSums* from;

    AUREOLE_FN ConstraintSums operator()(std::int64_t i) const { return from[i]; }
};

}  // namespace aureole::md
