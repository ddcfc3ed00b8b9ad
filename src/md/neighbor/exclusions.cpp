// SPDX-License-Identifier: Apache-2.0
#include "md/neighbor/exclusions.hpp"

#include <algorithm>

#include "device/host/loops.hpp"

namespace aureole::md {

bool Exclusions::between(Tag a, Tag b) const {
    if (empty()) return false;
    const auto row = partner.begin();
    return std::find(row + start[a], row + start[a + 1], b) != row + start[a + 1];
}

void TileMasks::renumber(device::ThreadPool& threads, const ExcludedPartners& exclusions,
                         device::View<const std::int32_t> slot, std::int32_t clusters) {
    exclusions_ = exclusions, slot_ = slot.data;
    if (!active()) return;
    index_of_slot_.assign(static_cast<std::size_t>(clusters) * cluster_size, no_index);
    working_.resize(static_cast<std::size_t>(threads.size()));
    threads.run([&](int rank) {
        auto& working = working_[static_cast<std::size_t>(rank)];
        working.index.assign(static_cast<std::size_t>(clusters), 0);
        const auto part = device::part_of(slot.size, rank, threads.size(), 16);
        for (auto i = part.begin; i < part.end; ++i)
            index_of_slot_[slot[i]] = static_cast<std::int32_t>(i);
    });
}

void TileMasks::find_partners(std::int32_t cluster, Working& working) const {
    working.partners.clear();
    for (int i = 0; i < cluster_size; ++i) {
        const std::int32_t own = index_of_slot_[cluster * cluster_size + i];
        if (own == no_index) continue;
        for (auto k = exclusions_.start[own]; k < exclusions_.start[own + 1]; ++k) {
            const std::int32_t partner = exclusions_.partner[k];
            if (partner == no_index) continue;
            const std::int32_t slot = slot_[partner];
            auto& index = working.index[slot / cluster_size];
            if (index == 0) {
                working.partners.push_back({slot / cluster_size, 0});
                index = static_cast<std::uint16_t>(working.partners.size());
            }
            working.partners[index - 1u].excluded |=
                static_cast<TileBits>(1u << (4 * i + slot % cluster_size));
        }
    }
}

void TileMasks::sort_entry(ClusterEntry& entry, ClusterChunk& chunk, Working& working) {
    chunk.bits.reserve(chunk.bits.size + static_cast<std::int32_t>(working.partners.size()) + 1);
    std::int32_t* j = chunk.j.data;
    TileBits* bits = chunk.bits.data + chunk.bits.size;
    entry.bits = chunk.bits.size;
    working.plain.clear();
    std::int32_t k = entry.begin, to = entry.begin;
    // A cluster's own tile stays the first.
    if (entry.shift == central_shift && j[k] == entry.cluster) {
        const auto index = working.index[entry.cluster];
        ++to;
        *bits++ =
            index == 0 ? all_bits : static_cast<TileBits>(~working.partners[index - 1u].excluded);
        ++k;
    }
    for (; k < entry.end; ++k) {
        const auto index = working.index[j[k]];
        if (index == 0) {
            working.plain.push_back(j[k]);
        } else {
            *bits++ = static_cast<TileBits>(~working.partners[index - 1u].excluded);
            j[to++] = j[k];
        }
    }
    entry.masked_end = to;
    chunk.bits.size += to - entry.begin;
    std::copy(working.plain.begin(), working.plain.end(), j + to);
}

void TileMasks::mark(ClusterChunk& chunk, std::int32_t first_entry, int rank) {
    auto& working = working_[static_cast<std::size_t>(rank)];
    if (first_entry == 0) chunk.bits.size = 0;
    std::int32_t cluster = -1;
    const auto forget = [&] {
        for (const auto& partner : working.partners) working.index[partner.cluster] = 0;
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
