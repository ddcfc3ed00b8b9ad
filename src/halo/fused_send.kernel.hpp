// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/view.hpp"
#include "halo/fused_wait.kernel.hpp"

// Positions to neighbours, all pulses in one launch (after Algorithms 3 to 5 of Doijade et al.,
// "Redesigning GROMACS halo exchange", 2025).
namespace aureole::halo {

/// Sends positions: a row of blocks for each pulse, in their order. What is owned leaves at once;
/// ghosts that are sent on leave when all earlier pulses have arrived, for each may have brought
/// some of them. The last block of a pulse publishes its word.
struct HaloSend {
    using device_kernel = void;
    FusedHalo halo;
    device::View<const core::Vec3d> position;

    AUREOLE_FN void operator()(device::Block& block) const {
        FusedState& state = *halo.state;
        const int p = block.row();
        const FusedPulse& pulse = halo.pulse[p];
        const std::uint64_t epoch = state.position_epoch + 1;
        comm::Word word = comm::Word::of(epoch).with_requests_of({state.own}), seen;
        const FusedFault free{0, p, pulse.to, FusedFault::positions_taken, epoch - 1, 0};
        if (!block.first_says(block.is_first() &&
                              word_came(block, halo, pulse.positions.taken, free, seen)))
            return;
        const bool halts = word.halt();
        for (std::int64_t k = block.first(); k < pulse.independent && !halts; k += block.stride())
            pulse.their_landing[k] = position[pulse.index[k]], block.delay();
        if (!block.first_says(block.is_first() && earlier_came(block, p, word))) return;
        if (!block.first_says(block.is_first() && word.halt()))
            for (auto k = pulse.independent + block.first(); k < pulse.count; k += block.stride())
                pulse.their_landing[k] = arrived(p, pulse.index[k]), block.delay();
        block.sync();
        if (block.is_first() && is_last(&state.sent[p], block.chunks()))
            comm::publish(pulse.positions.their_full, word);
    }

  private:
    /// Waits for all pulses before p; adds to the word what theirs request. So requests cross one
    /// rank for each axis in a step, and arrive at the same epoch in every run.
    AUREOLE_FN bool earlier_came(const device::Block& block, int p, comm::Word& word) const {
        for (int q = p - 1; q >= 0; --q) {
            const FusedPulse& earlier = halo.pulse[q];
            const FusedFault awaited{0, q, earlier.from, FusedFault::positions, word.epoch(), 0};
            comm::Word seen;
            if (!word_came(block, halo, earlier.positions.full, awaited, seen)) return false;
            word = word.with_requests_of(seen);
        }
        return true;
    }
    /// The position of a particle that may be a ghost of a pulse before p, as it arrived.
    AUREOLE_FN core::Vec3d arrived(int p, std::int64_t i) const {
        for (int q = 0; q < p; ++q) {
            const std::int64_t k = i - halo.pulse[q].ghost_first;
            if (k >= 0 && k < halo.pulse[q].ghosts) return halo.pulse[q].landing[k];
        }
        return position[i];
    }
};

/// Takes positions of ghosts out of the landing zones, a row of blocks for each pulse, and gives
/// the zones free. It follows HaloSend in a queue, which has then read what it sends on.
struct HaloReceive {
    using device_kernel = void;
    FusedHalo halo;
    device::View<core::Vec3d> position;

    AUREOLE_FN void operator()(device::Block& block) const {
        FusedState& state = *halo.state;
        const int p = block.row();
        const FusedPulse& pulse = halo.pulse[p];
        const std::uint64_t epoch = state.position_epoch + 1;
        const FusedFault awaited{0, p, pulse.from, FusedFault::positions, epoch, 0};
        comm::Word seen;
        if (!block.first_says(block.is_first() &&
                              word_came(block, halo, pulse.positions.full, awaited, seen)))
            return;
        if (!block.first_says(block.is_first() && seen.halt()))
            for (std::int64_t k = block.first(); k < pulse.ghosts; k += block.stride())
                position[pulse.ghost_first + k] = pulse.landing[k], block.delay();
        block.sync();
        if (!block.is_first() || !is_last(&state.stored[p], block.chunks())) return;
        state.position_word[p] = seen.bits;
        comm::publish(pulse.positions.their_taken, comm::Word::of(epoch));
        if (!is_last(&state.rows_stored, halo.pulses)) return;
        comm::Word all = comm::Word::of(epoch).with_requests_of({state.own});
        for (int q = 0; q < halo.pulses; ++q) all = all.with_requests_of({state.position_word[q]});
        state.heard_with_positions = all.bits;
        state.position_epoch = epoch;
    }
};

}  // namespace aureole::halo
