// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/context/step_context.hpp"
#include "md/neighbor/tile_search.kernel.hpp"
#include "md/pair/tile_job.hpp"

namespace aureole::md {

/// A list of tiles: its memory, and the search that makes it.
class TiledList {
  public:
    static std::int64_t blocks(std::int64_t n) { return (n + tile_block - 1) / tile_block; }

    /// What is searched: sites [32 blocks] and limits [n].
    struct Sites {
        BoundsLevels<float> bounds;
        const Site<float>* site;
        const float* limit;
        float r_cut, extent;
        ExcludedPartners exclusions;
        core::Box box;
    };
    /// `needed` [2]: raised to lengths of rows that do not fit.
    void search(device::Queue& queue, const Sites& sites, std::uint32_t* needed);
    /// Makes rows of these lengths fit in the next search.
    void grow_rows(const std::uint32_t* needed);

    /// The list as kernels read it.
    TileList view() const;
    TileCounts count(device::Queue& queue) const;
    /// Entries that a warp takes.
    int part() const { return part_; }
    /// What changes when rows grow.
    std::int64_t shape() const { return whole_.stride * 65536 + masked_.stride; }

  private:
    struct Row {
        std::int64_t stride = 0;
        device::Buffer<TileEntry> entry;
        device::Buffer<std::int32_t> count;

        TileRow view() const;
        void resize(device::Queue& queue, std::int64_t blocks);
    };

    std::int64_t blocks_ = 0;
    int part_ = 16;
    Row whole_{64}, masked_{48};
    device::Buffer<std::uint32_t> bits_;
};

}  // namespace aureole::md
