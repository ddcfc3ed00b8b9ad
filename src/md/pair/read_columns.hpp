// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "md/pair/registry.hpp"
#include "md/particles.hpp"

namespace aureole::md {

/// A column that a potential reads. Throws core::InputError where the particles have none of that
/// name, or one that holds no numbers.
const Column<double>& column_to_read(const Particles& particles, const Potential& potential,
                                     const ColumnRead& column);

/// All that a potential reads of the particles, in host memory.
class ColumnsRead {
  public:
    ColumnsRead(device::Queue& queue, const Particles& particles, const Potential& potential);

    /// Of particles by their local order.
    PairNumbers pair(std::size_t i, std::size_t j, double r2) const {
        return {r2, values_.data() + i * columns_, values_.data() + j * columns_};
    }
    const double* of(std::size_t i) const { return values_.data() + i * columns_; }

  private:
    std::size_t columns_;
    std::vector<double> values_;  ///< [n][columns]
};

}  // namespace aureole::md
