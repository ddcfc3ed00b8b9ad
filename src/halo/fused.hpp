// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "comm/world.hpp"
#include "device/block_launch.hpp"
#include "device/buffer.hpp"
#include "halo/fused_pulse.hpp"
#include "halo/fused_send.kernel.hpp"
#include "halo/fused_take.kernel.hpp"

namespace aureole::halo {

/// Data of a pulse that a rank has before its neighbours tell theirs.
struct PulsePlan {
    int to, from;                     ///< ranks: positions go to the first, and come from the other
    std::vector<std::int32_t> index;  ///< the particles that are sent, each once; owned ones first
    std::int64_t ghost_first, ghosts;  ///< ghosts that arrive; behind the owned particles
};

struct FusedOptions {
    int chunks = 0;                              ///< blocks of a pulse; 0: by the numbers sent
    std::int64_t looks = std::int64_t{1} << 20;  ///< before a wait is given up
    device::host::BlockRun run{};                ///< how a host runs the blocks
};

/// The halo exchange in three launches that no host takes part in: each sends or takes all pulses,
/// and its blocks wait for the words of other ranks. It gives the bits of Exchange. So far the
/// words and landing zones lie in the ranks' heaps, which hosts alone see, so that it runs on host
/// queues alone, for tests of what GPUs will run.
class FusedExchange {
  public:
    static constexpr int most_pulses = FusedState::most_pulses;

    /// All ranks make it together. Throws core::DeviceError for other queues than those of hosts.
    FusedExchange(comm::World& world, device::Queue& queue, FusedOptions options = {});

    /// How a host runs the blocks from now on.
    void set_run(const device::host::BlockRun& run) { options_.run = run; }
    /// The pulses from now on, in their order. All ranks call it together.
    void set_pulses(device::Queue& queue, std::span<const PulsePlan> plans);

    /// Sets what the words of this rank request from now on; the epoch of `word` is ignored. While
    /// `word` halts, this rank sends words alone.
    void request(device::Queue& queue, comm::Word word);
    /// Requests of this rank and of the words of the last exchange; waits for the queue.
    comm::Word heard_with_positions(device::Queue& queue);
    comm::Word heard_with_forces(device::Queue& queue);

    /// Sends the positions of owned particles and of ghosts, which arrive meanwhile.
    void send(device::Queue& queue, device::View<const core::Vec3d> position, std::int64_t step);
    /// Gives the ghosts their positions; after send().
    void receive(device::Queue& queue, device::View<core::Vec3d> position, std::int64_t step);
    /// Adds the forces on ghosts to the particles themselves. `access` as in Exchange::forces().
    template <class ForceAccess>
    void take(device::Queue& queue, const ForceAccess& access, std::int64_t step) {
        world_.enter(comm::Phase::forces, step);
        device::block_for(queue, "forces on ghosts",
                          {HaloTake<ForceAccess>::rows(halo_.pulses), chunks_},
                          HaloTake<ForceAccess>{halo_, access}, next_run());
    }
    /// Ends the simulation on all ranks if a wait was given up since the start; waits for the
    /// queue.
    void check(device::Queue& queue, std::int64_t step);

  private:
    /// The words of a pulse that lie in the heap of the rank that watches them.
    struct alignas(64) Watched {
        std::uint64_t positions_full, positions_taken, forces_full, forces_taken;
    };
    Watched* watched(int rank, int pulse);
    FusedWords words_of(const PulsePlan& plan, int pulse, bool forces);
    void connect(std::span<const PulsePlan> plans, std::vector<FusedPulse>& pulses);
    void plan_sums(device::Queue& queue, std::span<const PulsePlan> plans,
                   std::vector<FusedPulse>& pulses);
    FusedState state(device::Queue& queue);
    device::host::BlockRun next_run();

    comm::World& world_;
    FusedOptions options_;
    std::uint64_t launches_ = 0;
    std::vector<comm::Span<Watched>> watched_;        ///< of each rank
    comm::Span<core::Vec3d> landing_[most_pulses]{};  ///< here, with room to grow
    comm::Span<core::Vec3d> offered_[most_pulses]{};
    FusedHalo halo_{};
    int chunks_ = 1;
    device::Buffer<FusedState> state_;
    device::Buffer<FusedPulse> pulse_;
    device::Buffer<std::int32_t> index_;
    device::Buffer<core::Vec3d> row_;  ///< room for forces of either precision
    device::Buffer<std::uint8_t> sent_on_;
    device::Buffer<FusedSum> sum_;
    device::Buffer<std::int64_t> addend_;
};

}  // namespace aureole::halo
