// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/buffer.hpp"
#include "md/particles/fixed_forces.hpp"

namespace aureole::md {

/// A column of forces in fixed point, and what was saved of it.
class FixedForceColumn {
  public:
    FixedForceColumn(device::Queue& queue, int exponent);

    /// Makes room for n particles; all forces are zero then.
    void resize(device::Queue& queue, std::int64_t n);
    void clear(device::Queue& queue);
    FixedForces view();

    /// The unit is 2 to this power.
    int exponent() const { return exponent_; }
    /// Changes the unit; all forces are zero then.
    void set_exponent(device::Queue& queue, int exponent);

    /// Keeps the forces as they are, for restore().
    void save(device::Queue& queue);
    void restore(device::Queue& queue);

  private:
    int exponent_;
    device::Buffer<ForceUnit> unit_;
    device::Buffer<std::int64_t> number_, saved_;  ///< fine ones, then coarse ones
};

}  // namespace aureole::md
