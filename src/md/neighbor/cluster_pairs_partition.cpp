// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <bit>
#include <utility>

#include "device/launch.hpp"
#include "md/neighbor/cluster_pairs.hpp"

// The partition of a list among the threads, and the force blocks that each writes to.
namespace aureole::md {

template <class T>
void ClusterPairs<T>::partition(const std::vector<std::int32_t>& first_chunks) {
    if (first_chunks.empty())
        divide(inner_list_);
    else
        first_chunk_.assign(first_chunks.begin(), first_chunks.end());
    device::host_task(queue_, "mark touched",
                      [&, mask = touched_.view()](device::ThreadPool& pool) {
                          std::fill(mask.begin(), mask.end(), 0);
                          pool.run([&](int rank) {
                              std::fill(reacting_[rank].begin(), reacting_[rank].end(), 0);
                              for (int c = first_chunk_[rank]; c < first_chunk_[rank + 1]; ++c)
                                  mark_touched(outer_list_[c], rank, 0, mask.data);
                          });
                      });
    queue_.synchronize();
}

template <class T>
void ClusterPairs<T>::mark_touched(const ClusterChunk& chunk, int rank, std::int32_t first_entry,
                                   std::uint64_t* mask) {
    if (first_entry == chunk.entries.size) return;
    // Plain stores first, one bit of a shared word for each group afterwards.
    constexpr std::uint8_t acting = 1, reacting = 2;
    auto& marked = marked_[rank];
    marked.assign(touched_.size(), 0);
    std::uint8_t* const of_group = marked.data();
    const auto mark = [of_group](std::int32_t cluster, std::uint8_t how) {
        of_group[static_cast<std::uint32_t>(cluster) / group_clusters] = how;
    };
    const ClusterEntry* const entries = chunk.entries.data;
    const std::int32_t *const j = chunk.j.data, end = chunk.j.size;
    for (std::int32_t e = first_entry, n = chunk.entries.size; e < n; ++e)
        mark(entries[e].cluster, acting);
    for (std::int32_t k = entries[first_entry].begin; k < end; ++k) mark(j[k], reacting);
    const std::uint64_t bit = std::uint64_t(1) << rank;
    for (std::size_t group = 0; group < marked.size(); ++group) {
        if (marked[group] == 0) continue;
        std::atomic_ref(mask[group]).fetch_or(bit, std::memory_order_relaxed);
        if (marked[group] == acting || std::exchange(reacting_[rank][group], 1) != 0) continue;
        clear_reactions(rank, static_cast<std::int64_t>(group));
    }
}

template <class T>
void ClusterPairs<T>::mark_all(int rank) {
    device::parallel_for(queue_, "mark all", touched_.size(),
                         [mask = touched_.data(), bit = std::uint64_t(1) << rank](std::int64_t k) {
                             mask[k] |= bit;
                         });
}

template <class T>
void ClusterPairs<T>::mark_partitions(std::int64_t n) {
    device::host_task(queue_, "mark partitions",
                      [n, slot = slot_.data(), mask = touched_.data()](device::ThreadPool& pool) {
                          for (int rank = 0; rank < pool.size(); ++rank) {
                              const auto part = device::part_of(n, rank, pool.size());
                              if (part.begin == part.end) continue;
                              constexpr int slots = group_clusters * cluster_size;
                              for (auto g = slot[part.begin] / slots;
                                   g <= slot[part.end - 1] / slots; ++g)
                                  mask[g] |= std::uint64_t(1) << rank;
                          }
                      });
}

template <class T>
void ClusterPairs<T>::clear_new_blocks() {
    device::host_task(queue_, "clear new blocks",
                      [&, mask = touched_.view()](device::ThreadPool& pool) {
                          std::uint64_t found = 0;
                          for (std::size_t g = 0; g < cleared_.size(); ++g)
                              found |= mask[g] & ~cleared_[g];
                          if (found == 0) return;
                          pool.run([&](int rank) {  // whose threads then have their blocks close by
                              for (std::size_t g = 0; g < cleared_.size(); ++g)
                                  if (((mask[g] & ~cleared_[g]) >> rank & 1) != 0)
                                      clear_blocks(rank, static_cast<std::int64_t>(g));
                          });
                          for (std::size_t g = 0; g < cleared_.size(); ++g) cleared_[g] |= mask[g];
                      });
    queue_.synchronize();
}

template <class T>
void ClusterPairs<T>::clear_forces() {
    device::host_task(queue_, "clear forces",
                      [&, mask = touched_.view()](device::ThreadPool& pool) {
                          pool.run([&](int rank) {
                              const auto part = device::part_of(mask.size, rank, pool.size());
                              for (auto g = part.begin; g < part.end; ++g)
                                  for (auto of = mask[g] | 1; of != 0; of &= of - 1)
                                      clear_blocks(std::countr_zero(of), g);
                          });
                      });
    queue_.synchronize();
}

template <class T>
void ClusterPairs<T>::clear_blocks(int rank, std::int64_t group) {
    const std::int64_t begin = group * group_clusters;
    const auto end = std::min<std::int64_t>(begin + group_clusters, clusters_);
    T* const force = force_.data() + force_stride() * rank;
    std::fill(force + begin * block_size, force + end * block_size, T(0));
}

/// Clears the reactions of a group of clusters. Those of other groups are never written, so that
/// they take no memory.
template <class T>
void ClusterPairs<T>::clear_reactions(int rank, std::int64_t group) {
    if (!wide_reactions_) return;
    const std::int64_t begin = group * group_clusters;
    const auto end = std::min<std::int64_t>(begin + group_clusters, clusters_);
    T* const reaction = reactions_of(rank);
    std::fill(reaction + begin * reactions_.size, reaction + end * reactions_.size, T(0));
}

template <class T>
void ClusterPairs<T>::take_reactions(int rank) {
    if (!wide_reactions_) return;
    T *const reaction = reactions_of(rank), *const force = force_.data() + force_stride() * rank;
    const auto& reacting = reacting_[rank];
    for (std::size_t group = 0; group < reacting.size(); ++group) {
        if (reacting[group] == 0) continue;
        const auto begin = static_cast<std::int32_t>(group) * group_clusters;
        reactions_.take(reaction, force, begin, std::min(begin + group_clusters, clusters_));
    }
}

// The class itself is instantiated in cluster_pairs.cpp, with the members that it sees there.
#define AUREOLE_PARTITION_OF(T)                                                         \
    template void ClusterPairs<T>::partition(const std::vector<std::int32_t>&);         \
    template void ClusterPairs<T>::mark_touched(const ClusterChunk&, int, std::int32_t, \
                                                std::uint64_t*);                        \
    template void ClusterPairs<T>::clear_new_blocks();                                  \
    template void ClusterPairs<T>::clear_forces();                                      \
    template void ClusterPairs<T>::clear_blocks(int, std::int64_t);                     \
    template void ClusterPairs<T>::clear_reactions(int, std::int64_t);                  \
    template void ClusterPairs<T>::take_reactions(int);                                 \
    template void ClusterPairs<T>::mark_all(int);                                       \
    template void ClusterPairs<T>::mark_partitions(std::int64_t);
AUREOLE_PARTITION_OF(float)
AUREOLE_PARTITION_OF(double)

}  // namespace aureole::md
