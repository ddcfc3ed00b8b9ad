// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "comm/word.kernel.hpp"
#include "core/atomic.hpp"
#include "device/block.hpp"
#include "halo/fused_pulse.hpp"

// How blocks of the fused exchange wait, and find out which of them is the last.
namespace aureole::halo {

/// Keeps what was waited for in vain; later ones are consequences.
AUREOLE_FN void raise_fault(FusedState& state, const FusedFault& fault) {
    if (core::atomic_compare_exchange(&state.fault.raised, 0, -1) != 0) return;
    state.fault.pulse = fault.pulse;
    state.fault.rank = fault.rank;
    state.fault.what = fault.what;
    state.fault.awaited = fault.awaited;
    state.fault.seen = fault.seen;
}

/// Looks at a word until it is of `awaited.awaited` or a later epoch, and says whether it came: if
/// not, a fault was raised here or by another block, and the block must leave without a word; so
/// must all blocks of later launches. To be called by the first lane alone; one acquire covers all
/// that the word's sender wrote.
AUREOLE_FN bool word_came(const device::Block& block, const FusedHalo& halo,
                          const std::uint64_t* at, FusedFault awaited, comm::Word& seen) {
    auto* const raised = reinterpret_cast<const std::uint64_t*>(&halo.state->fault.raised);
    // What this rank does itself waits for other ranks: let the fault be theirs.
    const std::int64_t most = awaited.what == FusedFault::other_pulse ? 4 * halo.looks : halo.looks;
    for (std::int64_t looks = 0; looks < most; ++looks) {
        if (core::load_acquire(raised) != 0) return false;
        seen = comm::look(at);
        if (seen.epoch() >= awaited.awaited) return true;
        block.pause(looks);
    }
    awaited.seen = seen.epoch();
    raise_fault(*halo.state, awaited);
    return false;
}

/// Whether this block, whose lanes are all done, is the last of its row to be so: what all blocks
/// of the row have written is then this block's to publish. To be called by the first lane alone.
AUREOLE_FN bool is_last(std::uint32_t* counter, int blocks) {
    if (core::count_ordered(counter) != static_cast<std::uint32_t>(blocks) - 1) return false;
    *counter = 0;  // the next launch counts anew
    return true;
}

}  // namespace aureole::halo
