// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/integrate/constraints/lanes.kernel.hpp"
#include "md/integrate/molecules.kernel.hpp"

// A step's move in one launch: a lane has a rigid water, a small group, or a particle of none.
namespace aureole::md {

/// Which lanes have what: rigid waters of each kind, groups of each shape, other particles. Each
/// begins with a new warp.
struct MoleculeSlots {
    static constexpr int most_waters = 4, parts = most_waters + shape_count + 1;

    SettleTables water[most_waters];
    GroupTables group[shape_count];
    GroupTables single;       ///< other particles
    std::int64_t end[parts];  ///< of each part's lanes

    std::int64_t lanes() const { return end[parts - 1]; }
};

/// Moves the particles, satisfies the constraints within a lane's molecule, and stores and checks
/// the final positions, if they are: what KickDrift, SettleLane or GroupLane, and StoreAndCheck do
/// one after the other, with the same bits.
template <class KernelLayout>
struct MoveMolecules {
    using device_kernel = typename KernelLayout::device_kernel;
    /// Lanes take long, and are few: small blocks occupy more multiprocessors.
    static constexpr int block_lanes = 64;

    MoleculeSlots slots;
    KickDrift<KernelLayout> kick_drift;
    ConstraintPass constraints;
    StoreAndCheck<KernelLayout> store;
    bool final;  ///< nothing else changes the positions

    AUREOLE_FN void operator()(std::int64_t lane) const { move_water_or<0>(lane, 0); }
    AUREOLE_FN void after_all() const {
        if (final) store.after_all();
    }
    AUREOLE_FN std::uint32_t* blocks_done() const { return store.blocks_done(); }

  private:
    template <class Tables>
    AUREOLE_FN static bool has_one(const Tables& tables, std::int64_t lane) {
        const std::int64_t pack = lane / pack_lanes;
        return pack < tables.packs && lane % pack_lanes < tables.count[pack];
    }
    template <int atoms, class Solve>
    AUREOLE_FN void move(const std::int32_t* atom, PackSlot at, const Solve& solve) const {
        const std::int32_t* const index = atom + pack_index(at.pack, atoms, 0) + at.lane;
        for (int k = 0; k < atoms; ++k) kick_drift(index[k * pack_lanes]);
        solve(at);
        if (!final) return;
        for (int k = 0; k < atoms; ++k) store(index[k * pack_lanes]);
    }
    // Parts are numbers that the compiler knows: kernels' parameters must not be indexed at run
    // time.
    template <int part>
    AUREOLE_FN void move_water_or(std::int64_t lane, std::int64_t first) const {
        if constexpr (part < MoleculeSlots::most_waters) {
            if (lane < slots.end[part]) return move_water(slots.water[part], lane - first);
            move_water_or<part + 1>(lane, slots.end[part]);
        } else {
            move_group_or<Star<1>, Star<2>, Star<3>, Star<4>, Triangle, Tetrahedron>(lane, first);
        }
    }
    template <class Shape, class... Others>
    AUREOLE_FN void move_group_or(std::int64_t lane, std::int64_t first) const {
        constexpr int part = MoleculeSlots::most_waters + shape_number<Shape>;
        if (lane < slots.end[part]) return move_group<Shape>(lane - first);
        if constexpr (sizeof...(Others) > 0)
            move_group_or<Others...>(lane, slots.end[part]);
        else
            move_single(lane - slots.end[part]);
    }
    AUREOLE_FN void move_water(const SettleTables& water, std::int64_t lane) const {
        if (!has_one(water, lane)) return;
        move<3>(water.atom, lane_of(lane, water.count), [&](PackSlot at) {
            PassSums<double> none;
            settle_move<double>(water, constraints, at, none);
        });
    }
    template <class Shape>
    AUREOLE_FN void move_group(std::int64_t lane) const {
        const GroupTables& group = slots.group[shape_number<Shape>];
        if (!has_one(group, lane)) return;
        move<Shape::atoms>(group.atom, lane_of(lane, group.count), [&](PackSlot at) {
            PassSums<double> none;
            group_move<double, Shape>(group, constraints, at, none);
        });
    }
    AUREOLE_FN void move_single(std::int64_t lane) const {
        if (!has_one(slots.single, lane)) return;
        move<1>(slots.single.atom, lane_of(lane, slots.single.count), [](PackSlot) {});
    }
};

}  // namespace aureole::md
