// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "amr/mesh.hpp"

namespace aureole::amr {

/// Memory of the host that is free [bytes]; infinite where the system does not tell.
double free_memory();

/// Bytes that a sub-grid needs at least: three copies of its fields, one of them on its way to or
/// from the device, and the tables of its faces.
std::int64_t bytes_of_subgrid(BlockShape shape);

/// How many sub-grids have room in so many bytes; throws core::InputError for more.
class Room {
  public:
    Room(BlockShape shape, double bytes) : each_(bytes_of_subgrid(shape)), bytes_(bytes) {}
    void check(std::int64_t subgrids) const;

  private:
    std::int64_t each_;
    double bytes_;
};

}  // namespace aureole::amr
