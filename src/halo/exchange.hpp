// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "comm/world.hpp"
#include "core/stream.hpp"
#include "core/vec3.hpp"

namespace aureole::halo {

/// One pulse: positions of particles near a lower face go to the rank beyond it, forces on these
/// ghosts come back. All arrays that the neighbours reach, or have in mirrors, lie in heaps.
struct Pulse {
    int to, from;                     ///< ranks: positions go to the first, and come from the other
    std::vector<std::int32_t> index;  ///< the particles that are sent, which may be ghosts
    std::int64_t ghost_first, ghosts;  ///< those that arrive
    std::byte* landing;                ///< here: positions that arrive, or other values
    std::byte* offered;                ///< here: forces on these ghosts, of either precision
    std::byte* their_landing;          ///< where what is sent goes
    const std::byte* their_offer;      ///< where forces on them come from
};

/// Positions to neighbours and forces back, pulse by pulse. Each array is guarded by a word that
/// says that it is full and one that says that it may be filled again, so that no call waits for
/// more than its neighbours.
class Exchange {
  public:
    static constexpr int most_pulses = 6;

    explicit Exchange(comm::World& world);

    /// The next pulses are added one by one, on all ranks in the same order, and then connected,
    /// by all ranks together.
    void begin() { pulses_.clear(); }
    void add(int to, int from, std::vector<std::int32_t> index, std::int64_t ghost_first,
             std::int64_t ghosts);
    void connect();

    /// Sends a value of each particle that is a ghost elsewhere, pulse by pulse, and takes those of
    /// the ghosts here. read(particle) gives a value; arrived(ghost, value) is called with each
    /// that comes, before read(ghost).
    template <class Value, class Read, class Arrived>
    void forward(std::int64_t step, const Read& read, const Arrived& arrived) {
        static_assert(std::is_trivially_copyable_v<Value> && sizeof(Value) <= sizeof(core::Vec3d));
        ++position_epoch_;
        for (std::size_t p = 0; p < pulses_.size(); ++p) {
            const Pulse& pulse = pulses_[p];
            begin_sending(p, step);
            core::stream_each(
                reinterpret_cast<Value*>(pulse.their_landing), std::ssize(pulse.index),
                [&](std::int64_t k) { return read(pulse.index[static_cast<std::size_t>(k)]); });
            end_sending(p, sizeof(Value));
            begin_receiving(p);
            const auto* const landing = reinterpret_cast<const Value*>(pulse.landing);
            for (std::int64_t k = 0; k < pulse.ghosts; ++k)
                arrived(pulse.ghost_first + k, landing[k]);
            end_receiving(p);
        }
    }
    /// Adds the forces on ghosts to the particles themselves. `access` has take_force(ghost), which
    /// leaves zero behind, and add_force(particle, force).
    template <class ForceAccess>
    void forces(const ForceAccess& access, std::int64_t step) {
        using Force = decltype(access.take_force(0));
        static_assert(sizeof(Force) <= sizeof(core::Vec3d));
        ++force_epoch_;
        for (std::size_t p = pulses_.size(); p-- > 0;) {
            const Pulse& pulse = pulses_[p];
            begin_offer(p, step);
            core::stream_each(
                reinterpret_cast<Force*>(pulse.offered), pulse.ghosts,
                [&](std::int64_t k) { return access.take_force(pulse.ghost_first + k); });
            end_offer(p, sizeof(Force));
            begin_taking(p);
            const auto* const offer = reinterpret_cast<const Force*>(pulse.their_offer);
            for (std::size_t k = 0; k < pulse.index.size(); ++k) {
                const Force& f = offer[k];
                access.add_force(pulse.index[k], {double(f.x), double(f.y), double(f.z)});
            }
            end_taking(p);
        }
    }

  private:
    /// The words of a pulse, in the heap of the rank that watches them.
    struct alignas(64) Watched {
        std::uint64_t positions_here;  ///< by `from`: the landing zone is full
        std::uint64_t forces_there;    ///< by `to`: its offer is complete
    };
    struct alignas(64) Returned {
        std::uint64_t positions_taken;  ///< by `to`: its landing zone may be filled again
        std::uint64_t forces_taken;     ///< by `from`: the offer here may be overwritten
    };
    struct Words {
        Watched watched;
        Returned returned;
    };

    Words& words(int rank, std::size_t pulse);
    void begin_sending(std::size_t pulse, std::int64_t step);
    void end_sending(std::size_t pulse, std::size_t value_bytes);
    void begin_receiving(std::size_t pulse);
    void end_receiving(std::size_t pulse);
    void begin_offer(std::size_t pulse, std::int64_t step);
    void end_offer(std::size_t pulse, std::size_t force_bytes);
    void begin_taking(std::size_t pulse);
    void end_taking(std::size_t pulse);

    comm::World& world_;
    std::vector<comm::Span<Words>> words_;          ///< of each rank
    comm::Span<std::byte> landing_[most_pulses]{};  ///< here, with room to grow
    comm::Span<std::byte> offered_[most_pulses]{};
    std::vector<Pulse> pulses_;
    std::uint64_t position_epoch_ = 0, force_epoch_ = 0;
};

}  // namespace aureole::halo
