// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/pair/tile_job.hpp"

namespace aureole::md {

/// Warps [begin, end) of a job, on a processor.
template <class Job>
using PackedTiles = void (*)(const Job&, std::int64_t begin, std::int64_t end);

/// The kernels of one instruction set for molecules.
struct TileKernels {
    PackedTiles<NonbondedTileJob> (*nonbonded)(Coulomb, VdwEnd, bool energy);
};

/// Kernels of the instruction set in use.
TileKernels tile_kernels();

}  // namespace aureole::md
