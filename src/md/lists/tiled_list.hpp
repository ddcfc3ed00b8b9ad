// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/context/step_context.hpp"
#include "md/neighbor/tile_search.kernel.hpp"
#include "md/pair/tile_job.hpp"

namespace aureole::md {

/// A list of tiles: its memory, and the search that makes it.
class TiledList {
  public:
    explicit TiledList(device::Queue& queue) : needed_(queue, 2) {}

    /// Bits of the keys that order n particles along Hilbert's curve, and these keys.
    static int key_bits(std::int64_t n) { return 3 * levels(n); }
    static void find_keys(device::Queue& queue, const Particles& particles, const core::Box& box,
                          std::uint32_t* key, std::int32_t* order);

    static std::int64_t blocks(std::int64_t n) { return (n + tile_block - 1) / tile_block; }

    /// What is searched: sites [32 blocks] and limits [n].
    struct Sites {
        std::int64_t n;
        const Site<float>* site;
        const float *limit, *largest_limit;
        float r_cut, extent;
        ExcludedPartners exclusions;
        core::Box box;
    };
    void search(device::Queue& queue, const Sites& sites);

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

    static int levels(std::int64_t n);
    void find_bounds(device::Queue& queue, const Sites& sites);

    std::int64_t blocks_ = 0;
    int part_ = 16;
    device::Buffer<Bounds> of_j_, of_i_, of_block_, of_group_;
    Row whole_, masked_;
    device::Buffer<std::uint32_t> bits_, needed_;
};

}  // namespace aureole::md
