// SPDX-License-Identifier: Apache-2.0
#include "md/neighbor/exclusions.hpp"

#include <algorithm>

#include "device/host/loops.hpp"

namespace aureole::md {

bool Exclusions::between(Tag a, Tag b) const {
    if (empty()) return false;
    const auto row = partner.begin();
    return std::find(row + start[a], row + start[a + 1], static_cast<std::int32_t>(b)) !=
           row + start[a + 1];
}

void TileMasks::renumber(device::ThreadPool& threads, const ExcludedPlaces& exclusions,
                         device::View<const std::int32_t> slot, std::int32_t clusters) {
    exclusions_ = exclusions, slot_ = slot.data;
    if (!active()) return;
    place_of_slot_.assign(static_cast<std::size_t>(clusters) * cluster_size, no_place);
    working_.resize(static_cast<std::size_t>(threads.size()));
    threads.run([&](int rank) {
        auto& working = working_[static_cast<std::size_t>(rank)];
        working.place.assign(static_cast<std::size_t>(clusters), 0);
        const auto part = device::part_of(slot.size, rank, threads.size(), 16);
        for (auto i = part.begin; i < part.end; ++i)
            place_of_slot_[slot[i]] = static_cast<std::int32_t>(i);
    });
}

void TileMasks::find_partners(std::int32_t cluster, Working& working) const {
    working.partners.clear();
    for (int i = 0; i < cluster_size; ++i) {
        const std::int32_t own = place_of_slot_[cluster * cluster_size + i];
        if (own == no_place) continue;
        for (auto k = exclusions_.start[own]; k < exclusions_.start[own + 1]; ++k) {
            const std::int32_t partner = exclusions_.partner[k];
            if (partner == no_place) continue;
            const std::int32_t slot = slot_[partner];
            auto& place = working.place[slot / cluster_size];
            if (place == 0) {
                working.partners.push_back({slot / cluster_size, 0});
                place = static_cast<std::uint16_t>(working.partners.size());
            }
            working.partners[place - 1u].excluded |=
                static_cast<TileBits>(1u << (4 * i + slot % cluster_size));
        }
    }
}

void TileMasks::sort_entry(ClusterEntry& entry, ClusterChunk& chunk, Working& working) {
    std::int32_t* j = chunk.j.data;
    TileBits* bits = chunk.bits.data;
    working.plain.clear();
    std::int32_t k = entry.begin, to = entry.begin;
    // A cluster's own tile stays the first.
    if (entry.shift == central_shift && j[k] == entry.cluster) {
        const auto place = working.place[entry.cluster];
        bits[to++] =
            place == 0 ? all_bits : static_cast<TileBits>(~working.partners[place - 1u].excluded);
        ++k;
    }
    for (; k < entry.end; ++k) {
        const auto place = working.place[j[k]];
        if (place == 0) {
            working.plain.push_back(j[k]);
        } else {
            bits[to] = static_cast<TileBits>(~working.partners[place - 1u].excluded);
            j[to++] = j[k];
        }
    }
    entry.masked_end = to;
    std::copy(working.plain.begin(), working.plain.end(), j + to);
}

void TileMasks::mark(ClusterChunk& chunk, std::int32_t first_entry, int rank) {
    auto& working = working_[static_cast<std::size_t>(rank)];
    chunk.bits.reserve(chunk.j.capacity);
    chunk.bits.size = chunk.j.size;
    std::int32_t cluster = -1;
    const auto forget = [&] {
        for (const auto& partner : working.partners) working.place[partner.cluster] = 0;
        working.partners.clear();
    };
    for (std::int32_t e = first_entry; e < chunk.entries.size; ++e) {
        auto& entry = chunk.entries.data[e];
        if (entry.cluster != cluster) {
            forget();
            cluster = entry.cluster;
            find_partners(cluster, working);
        }
        sort_entry(entry, chunk, working);
    }
    forget();
}

}  // namespace aureole::md
