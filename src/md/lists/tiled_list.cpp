// SPDX-License-Identifier: Apache-2.0
#include "md/lists/tiled_list.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "device/copy.hpp"
#include "device/launch.hpp"
#include "device/reduce_ops.hpp"

namespace aureole::md {

namespace {

/// Lanes that search one block's tiles.
constexpr int lanes_of_search = 32;

/// Rows grow by more than is needed, to a multiple of 16.
std::int64_t room_for(std::uint32_t entries) {
    return (static_cast<std::int64_t>(entries) + entries / 8) / 16 * 16 + 16;
}

}  // namespace

/// Cells that hold one particle or so; 10 levels of 3 bits at most.
int TiledList::levels(std::int64_t n) {
    const int bits = std::bit_width(static_cast<std::uint64_t>(n));
    return std::clamp((bits + 2) / 3, 1, 10);
}

void TiledList::find_keys(device::Queue& queue, const Particles& particles, const core::Box& box,
                          std::uint32_t* key, std::int32_t* order) {
    device::parallel_for(
        queue, "hilbert keys", particles.n,
        HilbertKeys{box, levels(particles.n), particles.position.data(), key, order});
}

TileRow TiledList::Row::view() const {
    return {const_cast<TileEntry*>(entry.data()), const_cast<std::int32_t*>(count.data()), stride};
}

void TiledList::Row::resize(device::Queue& queue, std::int64_t blocks) {
    entry.resize(queue, blocks * stride), count.resize(queue, blocks);
}

TileList TiledList::view() const {
    return {whole_.view(), masked_.view(), const_cast<std::uint32_t*>(bits_.data())};
}

void TiledList::find_bounds(device::Queue& queue, const Sites& sites) {
    const std::int64_t j = j_clusters * blocks_, i = i_clusters * blocks_;
    const std::int64_t groups = (blocks_ + TileBounds::group_blocks - 1) / TileBounds::group_blocks;
    of_j_.resize(queue, j), of_i_.resize(queue, i);
    of_block_.resize(queue, blocks_), of_group_.resize(queue, groups);
    device::parallel_for(queue, "bounds", j, BoundsOfSites{sites.site, sites.n, of_j_.data()});
    const auto merge = [&](device::Buffer<Bounds>& to, const device::Buffer<Bounds>& from,
                           int each) {
        device::parallel_for(queue, "bounds", to.size(),
                             BoundsOfBounds{from.data(), from.size(), each, to.data()});
    };
    merge(of_i_, of_j_, tile_i / tile_j), merge(of_block_, of_j_, j_clusters);
    merge(of_group_, of_block_, TileBounds::group_blocks);
}

void TiledList::search(device::Queue& queue, const Sites& sites) {
    blocks_ = blocks(sites.n);
    find_bounds(queue, sites);
    if (whole_.stride == 0) whole_.stride = 64, masked_.stride = 48;
    for (;;) {
        whole_.resize(queue, blocks_), masked_.resize(queue, blocks_);
        bits_.resize(queue, i_clusters * blocks_ * masked_.stride);
        device::fill(queue, needed_.view(), 0u);
        device::team_for(
            queue, "search", device::TeamPolicy{blocks_, lanes_of_search, 0},
            TileSearch{{of_j_.data(), of_i_.data(), of_block_.data(), of_group_.data(), blocks_},
                       TileShifts(sites.box),
                       sites.site,
                       sites.limit,
                       sites.largest_limit,
                       sites.n,
                       sites.r_cut,
                       sites.extent,
                       sites.exclusions,
                       view(),
                       needed_.data()});
        std::array<std::uint32_t, 2> needed{};
        device::copy_to_host(queue, needed.data(), device::Input<std::uint32_t>(needed_.view()));
        if (needed[0] == 0 && needed[1] == 0) return;
        if (needed[0] > 0) whole_.stride = room_for(needed[0]);
        if (needed[1] > 0) masked_.stride = room_for(needed[1]);
    }
}

TileCounts TiledList::count(device::Queue& queue) const {
    device::Buffer<TileCounts> sum(queue, 1);
    device::parallel_reduce<TileCounts>(queue, "count tiles", blocks_, TileCounts{},
                                        CountTiles{view()}, device::Sum{}, sum.data());
    TileCounts counts;
    device::copy_to_host(queue, &counts, device::Input<TileCounts>(sum.view()));
    return counts;
}

}  // namespace aureole::md
