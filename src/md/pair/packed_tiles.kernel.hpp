// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/pair/tile_pairs.kernel.hpp"

namespace aureole::md {
inline namespace HWY_NAMESPACE {

/// Warps of a job, one after the other, all lanes of each at once.
template <class Pairs>
void packed_tiles(const typename Pairs::Job& job, std::int64_t begin, std::int64_t end) {
    for (auto warp = begin; warp < end; ++warp)
        TilePart<Pairs, PackLanes>::run(job, PackLanes{}, warp);
}

}  // namespace HWY_NAMESPACE
}  // namespace aureole::md
