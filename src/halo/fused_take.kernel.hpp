// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "halo/fused_wait.kernel.hpp"

// Forces on ghosts back to their owners, all pulses in one launch (after Algorithm 6 of Doijade et
// al., "Redesigning GROMACS halo exchange", 2025).
namespace aureole::halo {

/// Forces in a column of all particles.
template <class T>
struct ColumnForces {
    core::Vec3<T>* force;

    AUREOLE_FN core::Vec3<T> take_force(std::int64_t i) const {
        const core::Vec3<T> f = force[i];
        force[i] = {};
        return f;
    }
    AUREOLE_FN void add_force(std::int64_t i, const core::Vec3d& f) const {
        force[i] += core::Vec3<T>{T(f.x), T(f.y), T(f.z)};
    }
};

/// Offers the forces on ghosts and takes what others offer, in the reverse order of pulses: for
/// each pulse a row of blocks that offers and one that takes, and a last one that adds to owned
/// particles.
/// Forces are fetched into rows with a place for each particle that was sent. The rows of a
/// particle are added by one lane in the order of the plain exchange, so that sums have its bits,
/// which they would not have with atomic additions.
template <class ForceAccess>
struct HaloTake {
    using device_kernel = void;
    FusedHalo halo;
    ForceAccess access;  ///< take_force(i), which leaves zero behind, and add_force(i, Vec3d)

    using Force = decltype(std::declval<const ForceAccess&>().take_force(0));
    static_assert(sizeof(Force) <= sizeof(core::Vec3d));

    /// Rows of the grid.
    AUREOLE_FN static int rows(int pulses) { return pulses == 0 ? 0 : 2 * pulses + 1; }

    AUREOLE_FN void operator()(device::Block& block) const {
        const int p = halo.pulses - 1 - block.row() / 2;
        const std::uint64_t epoch = halo.state->force_epoch + 1;
        if (p < 0) {
            add_to_owned(block, epoch);
        } else if (block.row() % 2 == 0) {
            offer(block, p, epoch);
        } else {
            take(block, p, epoch);
        }
    }

  private:
    /// Ghosts that were not sent on leave at once, the others when the forces of all later pulses
    /// have come.
    AUREOLE_FN void offer(device::Block& block, int p, std::uint64_t epoch) const {
        const FusedPulse& pulse = halo.pulse[p];
        comm::Word word = comm::Word::of(epoch).with_requests_of({halo.state->own}), seen;
        const FusedFault free{0, p, pulse.from, FusedFault::forces_taken, epoch - 1, 0};
        if (!block.first_says(block.is_first() &&
                              word_came(block, halo, pulse.forces.taken, free, seen)))
            return;
        const bool halts = word.halt();
        auto* const offered = static_cast<Force*>(pulse.offered);
        for (std::int64_t k = block.first(); k < pulse.ghosts && !halts; k += block.stride()) {
            if (pulse.sent_on[k] != 0) continue;
            offered[k] = access.take_force(pulse.ghost_first + k);
            block.delay();
        }
        if (!block.first_says(block.is_first() && later_came(block, p, word))) return;
        if (!block.first_says(block.is_first() && word.halt()))
            for (std::int64_t s = block.first(); s < pulse.sums; s += block.stride()) {
                const std::int32_t ghost = add_rows(halo.sum[pulse.sum_first + s]);
                offered[ghost - pulse.ghost_first] = access.take_force(ghost);
                block.delay();
            }
        block.sync();
        if (!block.is_first() || !is_last(&halo.state->offered[p], block.chunks())) return;
        comm::publish(pulse.forces.their_full, word);
        end_row(epoch);
    }

    /// Fetches the forces on what was sent, and gives the offer free.
    AUREOLE_FN void take(device::Block& block, int p, std::uint64_t epoch) const {
        const FusedPulse& pulse = halo.pulse[p];
        const FusedFault awaited{0, p, pulse.to, FusedFault::forces, epoch, 0};
        const auto* const their_offer = static_cast<const Force*>(pulse.their_offer);
        auto* const row = static_cast<Force*>(halo.row) + pulse.row_first;
        comm::Word seen;
        if (!block.first_says(block.is_first() &&
                              word_came(block, halo, pulse.forces.full, awaited, seen)))
            return;
        if (!block.first_says(block.is_first() && seen.halt()))
            for (std::int64_t k = block.first(); k < pulse.count; k += block.stride())
                row[k] = their_offer[k], block.delay();
        block.sync();
        if (!block.is_first() || !is_last(&halo.state->fetched[p], block.chunks())) return;
        comm::publish(pulse.forces.their_taken, comm::Word::of(epoch));
        comm::publish(&halo.state->row_word[p], seen);
        end_row(epoch);
    }

    AUREOLE_FN void add_to_owned(device::Block& block, std::uint64_t epoch) const {
        comm::Word word = comm::Word::of(epoch).with_requests_of({halo.state->own});
        if (!block.first_says(block.is_first() && later_came(block, -1, word))) return;
        if (!block.first_says(block.is_first() && word.halt()))
            for (std::int64_t s = block.first(); s < halo.home_sums; s += block.stride())
                add_rows(halo.sum[halo.home_first + s]), block.delay();
        block.sync();
        if (block.is_first() && is_last(&halo.state->added, block.chunks())) end_row(epoch);
    }

    /// The last row ends the exchange. No block looks for its epoch afterwards, not even one that
    /// begins late: all have been counted.
    AUREOLE_FN void end_row(std::uint64_t epoch) const {
        FusedState& state = *halo.state;
        if (!is_last(&state.rows_taken, rows(halo.pulses))) return;
        comm::Word all = comm::Word::of(epoch).with_requests_of({state.own});
        for (int q = 0; q < halo.pulses; ++q) all = all.with_requests_of({state.row_word[q]});
        state.heard_with_forces = all.bits;
        state.force_epoch = epoch;
    }

    /// Waits until the rows of all pulses after p are filled.
    AUREOLE_FN bool later_came(const device::Block& block, int p, comm::Word& word) const {
        for (int q = p + 1; q < halo.pulses; ++q) {
            const FusedFault awaited{0, q, halo.pulse[q].to, FusedFault::other_pulse, word.epoch(),
                                     0};
            comm::Word seen;
            if (!word_came(block, halo, &halo.state->row_word[q], awaited, seen)) return false;
            word = word.with_requests_of(seen);
        }
        return true;
    }

    AUREOLE_FN std::int32_t add_rows(const FusedSum& sum) const {
        const auto* const row = static_cast<const Force*>(halo.row);
        for (std::int64_t k = sum.first; k < sum.first + sum.count; ++k) {
            const Force& f = row[halo.addend[k]];
            access.add_force(sum.particle, {double(f.x), double(f.y), double(f.z)});
        }
        return sum.particle;
    }
};

}  // namespace aureole::halo
