// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/integrate/constraints/group.kernel.hpp"
#include "md/integrate/constraints/packs.hpp"
#include "md/integrate/constraints/region.kernel.hpp"

// The constraints of processors: eight molecules, groups or coupled constraints at a time.
namespace aureole::md {
inline namespace HWY_NAMESPACE {

using ConstraintPack = core::Pack<double, pack_lanes>;

AUREOLE_FN ConstraintSums total_of(const PassSums<ConstraintPack>& s) {
    ConstraintSums out;
    out.virial = {sum(s.xx), sum(s.yy), sum(s.zz), sum(s.xy), sum(s.xz), sum(s.yz)};
    alignas(64) double stretch[pack_lanes];
    s.stretch.store(stretch);
    for (const double one : stretch) out.stretch = out.stretch < one ? one : out.stretch;
    return out;
}

template <class Shape, bool velocities>
void all_groups(const ConstraintTables& tables, const ConstraintPass& p, Partition partition,
                PassSums<ConstraintPack>& sums) {
    const auto& t = tables.group[shape_number<Shape>];
    const std::int64_t end = partition.end(t.packs);
    for (std::int64_t k = partition.begin(t.packs); k < end; ++k) {
        const PackSlot at{k, 0, t.count[k]};
        if constexpr (velocities)
            group_velocities<ConstraintPack, Shape>(t, p, at, sums);
        else
            group_move<ConstraintPack, Shape>(t, p, at, sums);
    }
}

template <bool velocities>
ConstraintSums constrain(const ConstraintTables& t, const ConstraintPass& p, Partition partition) {
    PassSums<ConstraintPack> sums;
    for (int type = 0; type < t.settles; ++type) {
        const auto& w = t.settle[type];
        const std::int64_t end = partition.end(w.packs);
        for (std::int64_t k = partition.begin(w.packs); k < end; ++k) {
            const PackSlot at{k, 0, w.count[k]};
            if constexpr (velocities)
                settle_velocities<ConstraintPack>(w, p, at, sums);
            else
                settle_move<ConstraintPack>(w, p, at, sums);
        }
    }
    all_groups<Star<1>, velocities>(t, p, partition, sums);
    all_groups<Star<2>, velocities>(t, p, partition, sums);
    all_groups<Star<3>, velocities>(t, p, partition, sums);
    all_groups<Star<4>, velocities>(t, p, partition, sums);
    all_groups<Triangle, velocities>(t, p, partition, sums);
    all_groups<Tetrahedron, velocities>(t, p, partition, sums);
    const Solo solo;
    const std::int64_t end = partition.end(t.region.regions);
    for (std::int64_t r = partition.begin(t.region.regions); r < end; ++r) {
        RegionSolver<ConstraintPack, Solo>(t.region, p, r, solo).solve(sums);
        if (!t.cut) finish_region(t.region, p, r, solo);
    }
    return total_of(sums);
}

}  // namespace HWY_NAMESPACE
}  // namespace aureole::md
