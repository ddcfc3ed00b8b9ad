// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/vec3.hpp"

namespace aureole::md {

/// A run of particles that a search sorts into columns of their own: those that this rank owns, or
/// ghosts that came along the same axes and across the same faces of the box. Two particles of
/// different zones meet on this rank if the zones have no axis in common; those of one zone of
/// ghosts meet elsewhere.
struct Zone {
    std::int64_t begin = 0, end = 0;
    std::uint8_t axes = 0;  ///< bits (1, 2, 4) of the axes along which they came; 0: owned
    /// Lattice shift from their coordinates, which are their owner's, to where they are from here.
    core::Vec3i shift{};
    /// Particles from anywhere that only terms refer to: pairs are not searched for among them.
    bool linked = false;

    std::int64_t size() const { return end - begin; }
};

/// The part of the box, in fractional coordinates, that holds the owned particles.
struct Frame {
    core::Vec3d low{-0.5, -0.5, -0.5}, high{0.5, 0.5, 0.5};
    /// Bits of the axes that ranks divide: there images are ghosts, along others lattice shifts.
    std::uint8_t divided = 0;

    bool divides(int axis) const { return (divided >> axis & 1) != 0; }
};

}  // namespace aureole::md
