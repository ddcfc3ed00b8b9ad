// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "device/threads/thread_pool.hpp"
#include "device/view.hpp"
#include "md/neighbor/cluster_search.hpp"
#include "md/neighbor/local_exclusions.kernel.hpp"

namespace aureole::md {

/// Non-bonded exclusions: those of tag t are
/// partner[start[t]] … partner[start[t + 1] - 1]; symmetric, without t itself.
struct Exclusions {
    std::vector<std::int64_t> start;  ///< [n + 1], or empty: nothing is excluded
    std::vector<Tag> partner;

    bool empty() const { return partner.empty(); }
    bool between(Tag a, Tag b) const;
};

/// Marks the tiles of a cluster pair list that hold excluded pairs, and puts them first in their
/// entries. A pair is excluded in all its images: boxes are at least twice the
/// cut-off, so that only one image matters.
class TileMasks {
  public:
    /// For a new order of the particles, whose slots are [n] in local order.
    void renumber(device::ThreadPool& threads, const ExcludedPartners& exclusions,
                  device::View<const std::int32_t> slot, std::int32_t clusters);
    /// Marks the entries of a chunk from `first_entry` on; `rank` is the calling thread's.
    void mark(ClusterChunk& chunk, std::int32_t first_entry, int rank);
    bool active() const { return exclusions_.any(); }

  private:
    struct Partner {
        std::int32_t cluster;
        TileBits excluded;
    };
    /// One thread's: the partners of one cluster, and where a cluster is among them.
    struct Working {
        std::vector<Partner> partners;
        std::vector<std::uint16_t> index;  ///< [clusters] 1 + index into partners, or 0
        std::vector<std::int32_t> plain;
    };

    void find_partners(std::int32_t cluster, Working& working) const;
    static void sort_entry(ClusterEntry& entry, ClusterChunk& chunk, Working& working);

    ExcludedPartners exclusions_;
    std::vector<std::int32_t> index_of_slot_;  ///< no_index: filler
    const std::int32_t* slot_ = nullptr;
    std::vector<Working> working_;
};

}  // namespace aureole::md
