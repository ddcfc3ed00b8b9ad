// SPDX-License-Identifier: Apache-2.0
#include "md/lists/tiled_list.hpp"

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

TileRow TiledList::Row::view() const {
    return {const_cast<TileEntry*>(entry.data()), const_cast<std::int32_t*>(count.data()), stride};
}

void TiledList::Row::resize(device::Queue& queue, std::int64_t blocks) {
    entry.resize(queue, blocks * stride), count.resize(queue, blocks);
}

TileList TiledList::view() const {
    return {whole_.view(), masked_.view(), const_cast<std::uint32_t*>(bits_.data())};
}

void TiledList::search(device::Queue& queue, const Sites& sites, std::uint32_t* needed) {
    blocks_ = sites.bounds.blocks();
    whole_.resize(queue, blocks_), masked_.resize(queue, blocks_);
    bits_.resize(queue, i_clusters * blocks_ * masked_.stride);
    device::team_for(
        queue, "search", device::TeamPolicy{blocks_, lanes_of_search, 0},
        TileSearch{sites.bounds, LatticeShifts<float>(sites.box), sites.site, sites.limit,
                   sites.r_cut, sites.extent, sites.exclusions, view(), needed});
}

void TiledList::grow_rows(const std::uint32_t* needed) {
    if (needed[0] > 0) whole_.stride = room_for(needed[0]);
    if (needed[1] > 0) masked_.stride = room_for(needed[1]);
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
