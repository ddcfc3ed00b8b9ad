// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/box.hpp"
#include "md/neighbor/cell_grid.hpp"

namespace aureole::md {

/// Pairs of a centre and a particle.
struct FoundPairs {
    std::vector<std::int64_t> centre, particle;
    std::vector<double> distance;
};

/// Particles sorted into cells, among which those near any point are found: in double precision,
/// for any box, without a device. For analyses and builders; lists of a run have searches of
/// their own.
///
/// Each pair is found once, by the separation that Box::minimum_image gives. For r_cut up to half
/// of the smallest face distance that is the only image within reach; beyond, it is the shortest
/// one in orthorhombic boxes.
class PairSearch {
  public:
    /// Positions may be anywhere; what is not finite is near nothing.
    PairSearch(const core::Box& box, std::span<const core::Vec3d> position, double r_cut);

    /// Appends the pairs of centres from `begin` on nearer than r_cut, in the order of the centres,
    /// and stops behind the centre with which there are `most` or more. Returns the first centre
    /// that was not looked at.
    std::size_t find(std::span<const core::Vec3d> centre, std::size_t begin, std::size_t most,
                     FoundPairs& found) const;

  private:
    core::Vec3d inside(const core::Vec3d& r) const;
    void look(std::int64_t centre, const core::Vec3d& r, FoundPairs& found) const;

    core::Box box_;
    double r_cut_;
    CellGrid grid_;
    std::vector<std::int32_t> start_;    ///< [cells + 1]
    std::vector<std::int64_t> index_;    ///< [n] of the particles in the order of cells
    std::vector<core::Vec3d> position_;  ///< [n] likewise
};

}  // namespace aureole::md
