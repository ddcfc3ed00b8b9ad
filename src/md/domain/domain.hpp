// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "comm/world.hpp"
#include "core/box.hpp"
#include "device/launch.hpp"
#include "device/queue.hpp"
#include "halo/exchange.hpp"
#include "halo/grid.hpp"
#include "md/neighbor/zone.hpp"
#include "md/particles.hpp"

namespace aureole::md {

/// The part of a simulation that one rank has: the particles in its cell of the box, and ghosts of
/// those near its upper faces. On hosts.
class Domain {
  public:
    /// Of a grid with as many cells as there are ranks.
    Domain(comm::World& world, const halo::RankGrid& grid);

    comm::World& world() { return world_; }
    const halo::RankGrid& grid() const { return grid_; }
    const Frame& frame() const { return frame_; }
    /// Particles of all ranks.
    std::int64_t n_total() const { return n_total_; }
    /// Owned particles first, then ghosts; as of the last make_ghosts().
    const std::vector<Zone>& zones() const { return zones_; }

    /// Of particles that all ranks hold, keeps those in the cell of this one.
    void keep_own(device::Queue& queue, const core::Box& box, Particles& particles);
    /// Sends wrapped particles to their owners, without ghosts. All ranks call it together.
    /// Throws core::RankError if their number has changed.
    void migrate(device::Queue& queue, const core::Box& box, Particles& particles);
    /// The widest halo that its neighbours can fill.
    double widest_halo(const core::Box& box) const;
    /// Finds the ghosts within `width` of this cell and gives them their values. All ranks call it
    /// together. Throws core::InputError if a cell is narrower than that.
    void make_ghosts(device::Queue& queue, const core::Box& box, Particles& particles,
                     double width);

    /// Whether particles of any rank have values in a column.
    bool in_use(Particles& particles, const AnyColumn& column) const;
    /// Values of all particles, in the order of their tags, on every rank; `local`: those of the
    /// owned ones, `size` bytes each. All ranks call it together.
    comm::Bytes in_tag_order(std::span<const std::byte> local, std::span<const Tag> tags,
                             std::size_t size);
    /// Gives every rank all particles, in the order of their tags, without ghosts.
    void gather(device::Queue& queue, Particles& particles);

    /// Present positions of the ghosts.
    void update_ghosts(device::Queue& queue, Particles& particles, std::int64_t step);
    /// See halo::Exchange::forces().
    template <class ForceAccess>
    void return_forces(device::Queue& queue, const ForceAccess& access, std::int64_t step) {
        device::host_task(queue, "forces on ghosts", [this, access, step](device::ThreadPool&) {
            exchange_.forces(access, step);
        });
        queue.synchronize();
    }
    template <class Value, class Op>
    Value combine(const Value& mine, const Op& op) {
        return world_.combine(mine, op);
    }

  private:
    std::uint64_t find_columns_in_use(Particles& particles);
    void add_pulse(device::Queue& queue, const core::Box& box, Particles& particles, int axis,
                   double width);

    comm::World& world_;
    halo::RankGrid grid_;
    Frame frame_;
    halo::Exchange exchange_;
    std::vector<Zone> zones_;
    std::int64_t n_total_ = 0;
    std::uint64_t used_ = 0;  ///< bits of the columns with values, in their order
};

}  // namespace aureole::md
