// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/box.hpp"
#include "core/vec3.hpp"

namespace aureole::halo {

/// How ranks divide a box: n.x × n.y × n.z cells, equal in fractional coordinates.
struct RankGrid {
    core::Vec3i n{1, 1, 1};

    int size() const { return n.x * n.y * n.z; }
    core::Vec3i place(int rank) const { return {rank / (n.y * n.z), rank / n.z % n.y, rank % n.z}; }
    /// The rank at a place, whose components may be one too low or too high: neighbours of the
    /// first are the last.
    int rank_at(const core::Vec3i& place) const {
        const auto inside = [](int k, int of) { return (k + of) % of; };
        return (inside(place.x, n.x) * n.y + inside(place.y, n.y)) * n.z + inside(place.z, n.z);
    }
    /// The next rank along an axis, `by` +1 or −1.
    int neighbour(int rank, int axis, int by) const {
        core::Vec3i at = place(rank);
        core::component(at, axis) += by;
        return rank_at(at);
    }
    /// The rank whose cell holds a point, given by fractional coordinates in [−½, ½).
    int owner(const core::Vec3d& fraction) const;
};

/// The grid of as many ranks with the fewest ghosts in a shell of this width, whose cells are no
/// narrower than `narrowest`; all components 0 if there is none. Of grids with as many, that which
/// is cut most along x, then along y: slabs of a mesh lie across x, and the columns of particles
/// that pair kernels are fastest on lie along z.
/// `extent`: how far members of a group may lie outside their owner's cell, along each axis; the
/// halo of a grid is wider by that along its axes, and so are its cells, which must hold both.
RankGrid choose_grid(int ranks, const core::Box& box, double width, double narrowest,
                     const core::Vec3d& extent = {});

/// Into how many cells a box can be divided along each axis, none narrower than `narrowest`.
core::Vec3i most_cells(const core::Box& box, double narrowest);

}  // namespace aureole::halo
