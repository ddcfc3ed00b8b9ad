// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/neighbor/site.hpp"
#include "md/neighbor/tile_list.hpp"
#include "md/pair/flat_nonbonded.kernel.hpp"

namespace aureole::md {

/// The forces of a list of tiles. A warp takes a part of a row.
struct TileJob {
    const Site<float>* site;  ///< [32 blocks], fillers behind the last particle
    TileList list;
    std::int64_t blocks;
    int part;                        ///< entries of a warp
    const TileShifts* shifts;        ///< device memory
    const std::int64_t* expired_at;  ///< as in FlatJob
    FixedForces force;               ///< of kernels without energy

    AUREOLE_FN std::int64_t parts(const TileRow& row) const {
        return (row.stride + part - 1) / part;
    }
    AUREOLE_FN std::int64_t parts() const { return parts(list.whole) + parts(list.masked); }
    std::int64_t warps() const { return blocks * parts(); }
    AUREOLE_FN bool is_void() const { return has_expired(expired_at); }
};

/// Forces of molecules.
struct NonbondedTileJob : TileJob {
    const OwnNumbers<float>* own;  ///< [32 blocks]
    NonbondedNumbers<float> numbers;
    float largest_cut2;       ///< the square of the larger cut-off
    NonbondedPairSums* sums;  ///< [warps], of kernels with energy
};

/// Forces of one potential.
struct PotentialTileJob : TileJob {
    const float* tables;  ///< rows as in PairTables
    std::int32_t n_types;
    float largest_cut2;  ///< the square of the largest cut-off, or a little more
    PairSums* sums;      ///< [warps], of kernels with energy
};

/// The sums of a block's warps, in their order; behind the blocks single sums. How much room rows
/// have decides about the number of warps, and must not decide about rounding.
template <class Value>
struct SumsOfBlocks {
    using device_kernel = void;
    const Value* from;  ///< [blocks][parts], then the single ones
    std::int64_t blocks, parts;

    AUREOLE_FN Value operator()(std::int64_t k) const {
        if (k >= blocks) return from[blocks * parts + k - blocks];
        Value sum = from[k * parts];
        for (std::int64_t p = 1; p < parts; ++p) sum = sum + from[k * parts + p];
        return sum;
    }
};

}  // namespace aureole::md
