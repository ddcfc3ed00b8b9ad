// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/box.hpp"
#include "device/buffer.hpp"
#include "device/queue.hpp"
#include "md/neighbor/zone.hpp"

namespace aureole::md {

/// Neighbours that particles find in cells around them.
struct SeenNeighbours {
    double in_cells = 0;    ///< others in each one's cell, over all particles
    double per_volume = 0;  ///< the same over the volume of a cell

    friend SeenNeighbours operator+(const SeenNeighbours& a, const SeenNeighbours& b) {
        return {a.in_cells + b.in_cells, a.per_volume + b.per_volume};
    }
    /// The density around `particles`, at least `mean`, given the one assumed: another only where
    /// numbers of neighbours differ by more than chance makes them, as they do in a dilute gas.
    double density(double assumed, double mean, double particles) const;
};

/// The density in which particles lie, which is that of a droplet even if the box around it is
/// empty. Counted in cells of a cut-off, as the effective density of GROMACS is, but without the
/// particle itself.
class LocalDensity {
  public:
    explicit LocalDensity(device::Queue& queue) : queue_(queue), count_(queue, 1), sum_(queue, 1) {}

    /// Of the particles of one rank, which lie in its part of the box; `edge`: the least of a cell.
    SeenNeighbours see(const core::Box& box, const Frame& part, double edge,
                       device::View<const core::Vec3d> position);

  private:
    device::Queue& queue_;
    device::Buffer<std::int64_t> count_, sum_;
};

}  // namespace aureole::md
