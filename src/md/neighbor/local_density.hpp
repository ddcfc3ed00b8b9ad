// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/box.hpp"
#include "device/buffer.hpp"
#include "device/queue.hpp"
#include "md/neighbor/local_density.kernel.hpp"
#include "md/neighbor/zone.hpp"

namespace aureole::md {

/// Sums over the neighbours that particles have in the cells around them.
struct SeenNeighbours {
    CellSums sums;
    OfContent per_volume;  ///< the products over the volume of a cell

    friend SeenNeighbours operator+(const SeenNeighbours& a, const SeenNeighbours& b) {
        return {a.sums + b.sums, a.per_volume + b.per_volume};
    }
    /// The volume that holds all of a content at the density which it sees of itself, at most that
    /// of the box; the `assumed` volume, unless numbers of neighbours differ by more than chance
    /// makes them, as they do in a dilute gas.
    double volume(double OfContent::*content, double assumed, double of_box) const;
};

/// The density in which particles lie, which is that of a droplet even if the box around it is
/// empty; and that of charges and of attraction, which may be in few of the particles. Counted in
/// cells of a cut-off, as the effective density of GROMACS is, but without the particle itself.
class LocalDensity {
  public:
    explicit LocalDensity(device::Queue& queue) : queue_(queue), cell_(queue, 1), sums_(queue, 1) {}

    /// Counts the n particles of one rank, which lie in its part of the box; `edge`: the least edge
    /// of a cell.
    SeenNeighbours see(const core::Box& box, const Frame& part, double edge,
                       const CountedParticles& of, std::int64_t n);

  private:
    device::Queue& queue_;
    device::Buffer<CellContent> cell_;
    device::Buffer<CellSums> sums_;
};

}  // namespace aureole::md
