// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/vec3.hpp"

// What the kernels of the fused exchange read and write: plain data in device memory.
namespace aureole::halo {

/// The words between two ranks about one array: one says that it is full, the other that it may be
/// filled again. Pointers to both ends, as a rank sees them.
struct FusedWords {
    const std::uint64_t* full;   ///< watched here: what this rank takes is complete
    std::uint64_t* their_full;   ///< what this rank gave is complete
    const std::uint64_t* taken;  ///< watched here: what this rank gave was taken
    std::uint64_t* their_taken;  ///< this rank has taken
};

/// One pulse: positions of particles near a lower face go to rank `to`, those of ghosts come from
/// rank `from`, and forces go the other way.
struct FusedPulse {
    int to, from;
    const std::int32_t* index;  ///< [count] particles that are sent, those that are owned first
    std::int64_t count, independent;   ///< of these, how many do not come from other ranks
    std::int64_t ghost_first, ghosts;  ///< those that arrive
    const core::Vec3d* landing;        ///< [ghosts] here: positions that arrive
    core::Vec3d* their_landing;        ///< [count] there: positions that are sent
    void* offered;                     ///< [ghosts] here: forces on the ghosts
    const void* their_offer;           ///< [count] there: forces on what was sent
    std::int64_t row_first;            ///< FusedHalo::row of what was sent
    const std::uint8_t* sent_on;       ///< [ghosts] whether later pulses send a ghost on
    std::int64_t sum_first, sums;      ///< FusedHalo::sum of these
    FusedWords positions, forces;
};

/// The forces of other ranks on one particle, which are added in this order.
struct FusedSum {
    std::int32_t particle;
    std::int64_t first, count;  ///< of FusedHalo::addend
};

/// A wait that did not end in time. The first one is kept.
struct FusedFault {
    enum What : std::int32_t { positions, positions_taken, forces, forces_taken, other_pulse };
    std::int64_t raised;  ///< 0 for none
    std::int32_t pulse, rank, what;
    std::uint64_t awaited, seen;  ///< epochs
};

/// How far the exchanges of a rank are. Kernels continue it without the host, so that a captured
/// step can be replayed.
struct FusedState {
    static constexpr int most_pulses = 6;
    std::uint64_t position_epoch, force_epoch;  ///< of the last exchange that ended here
    std::uint64_t own;                          ///< a word: what this rank requests of all
    std::uint64_t heard_with_positions;         ///< the same with what all words requested
    std::uint64_t heard_with_forces;
    std::uint64_t position_word[most_pulses];  ///< as they came
    std::uint64_t row_word[most_pulses];       ///< of forces, once the pulse's rows are filled
    // Blocks that are done with a row, and rows that are done.
    std::uint32_t sent[most_pulses], stored[most_pulses], offered[most_pulses],
        fetched[most_pulses];
    std::uint32_t rows_stored, added, rows_taken;
    FusedFault fault;
};

/// All of it, as kernels get it.
struct FusedHalo {
    const FusedPulse* pulse;
    int pulses;
    FusedState* state;
    void* row;                   ///< forces on what was sent, pulse by pulse, as they came
    const FusedSum* sum;         ///< of ghosts, pulse by pulse, then of owned particles
    const std::int64_t* addend;  ///< rows
    std::int64_t home_first, home_sums;
    std::int64_t looks;  ///< before a wait is given up
};

}  // namespace aureole::halo
