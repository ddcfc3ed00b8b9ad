// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "comm/world.hpp"
#include "core/vec3.hpp"
#include "device/view.hpp"

namespace aureole::halo {

/// One pulse: positions of particles near a lower face go to the rank beyond it, forces on these
/// ghosts come back. All arrays that the neighbours reach lie in heaps.
struct Pulse {
    int to, from;                     ///< ranks: positions go to the first, and come from the other
    std::vector<std::int32_t> index;  ///< the particles that are sent, which may be ghosts
    std::int64_t ghost_first, ghosts;  ///< those that arrive
    core::Vec3d *landing, *offered;    ///< here: positions that arrive, forces on these ghosts
    core::Vec3d* their_landing;        ///< where the particles sent go
    const core::Vec3d* their_offer;    ///< where forces on them come from
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

    /// Gives the ghosts their owners' positions; `position`: of all particles, ghosts behind.
    void positions(device::View<core::Vec3d> position, std::int64_t step);
    /// Adds the forces on ghosts to the particles themselves. `access` has take_force(ghost), which
    /// leaves zero behind, and add_force(particle, force).
    template <class ForceAccess>
    void forces(const ForceAccess& access, std::int64_t step) {
        ++force_epoch_;
        for (int p = static_cast<int>(pulses_.size()) - 1; p >= 0; --p) {
            const Pulse& pulse = pulses_[static_cast<std::size_t>(p)];
            begin_offer(p, step);
            for (std::int64_t k = 0; k < pulse.ghosts; ++k)
                pulse.offered[k] = access.take_force(pulse.ghost_first + k);
            end_offer(p);
            begin_taking(p);
            for (std::size_t k = 0; k < pulse.index.size(); ++k)
                access.add_force(pulse.index[k], pulse.their_offer[k]);
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

    Words& words(int rank, int pulse);
    void begin_offer(int pulse, std::int64_t step);
    void end_offer(int pulse);
    void begin_taking(int pulse);
    void end_taking(int pulse);

    comm::World& world_;
    std::vector<comm::Span<Words>> words_;            ///< of each rank
    comm::Span<core::Vec3d> landing_[most_pulses]{};  ///< here, with room to grow
    comm::Span<core::Vec3d> offered_[most_pulses]{};
    std::vector<Pulse> pulses_;
    std::uint64_t position_epoch_ = 0, force_epoch_ = 0;
};

}  // namespace aureole::halo
