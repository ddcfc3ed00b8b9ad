// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/box.hpp"
#include "device/buffer.hpp"
#include "device/launch.hpp"
#include "md/neighbor/cluster_job.hpp"
#include "md/neighbor/cluster_search.hpp"
#include "md/neighbor/column_sort.hpp"
#include "md/neighbor/exclusions.hpp"
#include "md/neighbor/packed.kernel.hpp"
#include "md/neighbor/reactions.hpp"

namespace aureole::md {

/// One cluster's extension since the search.
struct PairExtension {
    std::int32_t batch, cluster;
    std::uint32_t limit_bits;
};

/// The processors' pair list: an outer list from a search, pruned to an inner one while forces are
/// computed. Owns the packed copy of the coordinates and the force blocks.
template <class T>
class ClusterPairs {
  public:
    /// `molecules`: the list serves the kernels of molecules as well as potentials.
    ClusterPairs(device::Queue& queue, double r_cut, bool molecules)
        : queue_(queue), r_cut_(r_cut), molecules_(molecules) {}

    /// Makes room for particles in the order of `sort` and finds each one's slot: owned particles
    /// have been brought into that order, ghosts keep theirs.
    void lay_out(const ColumnSort& sort, std::int64_t n);
    /// Marks excluded pairs in the masks from the next search on.
    void exclude(const ExcludedPartners& exclusions);
    /// Gives the memory of large lists back, before the next search.
    void forget_lists();
    /// Finds the outer list for the coordinates and outer limits now in the blocks; `limit_max`
    /// bounds the limits.
    void search(const ColumnSort& sort, const core::Box& box);

    /// [clusters] bits of the limit a cluster needs beyond the one it has, 0 if none; kernels
    /// raise them, extend() grants and clears them.
    device::View<std::uint32_t> asked() { return asked_.view(); }
    /// Adds to the outer list the pairs that these limits need. Returns false, and adds nothing, if
    /// a new search is the better way: more than `most_clusters` asked, or one of them for more
    /// than `largest_limit`.
    bool extend(std::int32_t most_clusters, double largest_limit);
    /// Whether extend() would return true.
    bool may_extend(std::int32_t most_clusters, double largest_limit);

    /// All extensions, in order: with the coordinates and limits of the search they make the list
    /// again, tile by tile.
    const core::BulkVector<PairExtension>& extensions() const { return extensions_; }
    /// [clusters] limits at the search
    const std::vector<T>& search_limits() const { return search_limits_; }
    /// Searches and extends again; the blocks hold the search's coordinates and limits.
    void repeat(const ColumnSort& sort, const core::Box& box,
                const std::vector<PairExtension>& log);
    /// The box has changed a little since the search.
    void set_box(const core::Box& box);
    /// Until the next pruning the whole outer list serves as the inner one.
    void use_outer_list();

    /// [slots] inner limits
    std::vector<T> limits();
    void set_limits(const std::vector<T>& limits);
    /// Makes the inner list that another object made from these coordinates and limits.
    void prune_at(const std::vector<T>& coordinates);

    /// Partitions the list among the threads by the cost of its inner tiles, or as another object
    /// did: once after each search, when there is an inner list. Forgets all marks of touched
    /// blocks.
    void partition(const std::vector<std::int32_t>& first_chunks = {});
    /// [threads + 1] first chunk of each thread
    const std::vector<std::int32_t>& partitions() const { return first_chunk_; }

    /// f(slot_i, slot_j, lattice shift of i, not excluded) for every pair of particles in tiles of
    /// the inner list.
    template <class F>
    void for_each_pair(F&& f) const;
    /// f(slot_i, slot_j, lattice shift of i) for every excluded pair there, of the clusters that
    /// are flagged; `clusters` is [clusters].
    template <class F>
    void for_each_excluded(const std::vector<std::uint8_t>& clusters, F&& f) const;

    /// Makes the inner list from the outer one and the limits in the coordinate blocks, or with one
    /// limit for all particles.
    void prune(double uniform_limit = -1);
    /// work(ClusterWork, chunk) for all chunks of the inner list, each by the thread it belongs to.
    template <class F>
    void for_chunks(const char* name, F&& work);
    int chunks() const { return static_cast<int>(inner_list_.size()); }

    /// The blocks as stages see them.
    Packed<T> packed();
    device::View<std::int32_t> slot() { return slot_.view(); }
    device::View<T> coordinates() { return x_.view(); }
    device::View<T> reference() { return reference_.view(); }
    device::View<T> outer() { return outer_.view(); }
    device::View<T> force() { return force_.view(); }
    device::View<std::int32_t> types() { return type_.view(); }
    /// [groups] which threads' force blocks each group of clusters has entries in
    device::View<std::uint64_t> touched() { return touched_.view(); }
    /// Marks that a thread's blocks hold forces on all particles.
    void mark_all(int rank);
    /// Marks that each thread's blocks hold forces on its partition of the first n particles.
    void mark_partitions(std::int64_t n);
    /// After marks were set: blocks that were not marked before take memory, and zeros, only now.
    void clear_new_blocks();
    /// Zeros to all blocks that are marked, and to accelerations.
    void clear_forces();
    std::int64_t force_stride() const { return clusters_ * block_size; }
    std::int32_t clusters() const { return clusters_; }
    double r_cut() const { return r_cut_; }

    std::int64_t outer_tiles() const { return count(outer_list_); }
    std::int64_t inner_tiles() const { return count(inner_list_); }

    static constexpr int group_clusters = 32;

  private:
    void bound_clusters(const core::Box& box, const ColumnSort& sort);
    void set_grids(const core::Box& box, const ColumnSort& sort);
    void bound_columns(const ColumnSort& sort);
    void divide(const std::vector<ClusterChunk>& list);
    void mark_touched(const ClusterChunk& chunk, int rank, std::int32_t first_entry,
                      std::uint64_t* mask);
    T* reactions_of(int rank) {
        return reaction_.data() + std::int64_t{reactions_.size} * clusters_ * rank;
    }
    void clear_blocks(int rank, std::int64_t group);
    void clear_reactions(int rank, std::int64_t group);
    void take_reactions(int rank);
    static std::int64_t count(const std::vector<ClusterChunk>& list) {
        std::int64_t n = 0;
        for (const auto& chunk : list) n += chunk.j.size;
        return n;
    }

    device::Queue& queue_;
    double r_cut_;
    std::int32_t clusters_ = 0;
    double rounding_ = 0;  ///< bound of what single precision does to a distance
    device::Buffer<T> x_, force_, reference_, outer_;
    /// [threads][clusters][size]; of a thread's reacting groups, zeros between evaluations
    core::BulkVector<T> reaction_;
    ReactionKernel<T> reactions_{};
    bool molecules_, wide_reactions_ = false;
    device::Buffer<std::int32_t> slot_, type_;
    device::Buffer<std::uint64_t> touched_;
    device::Buffer<std::uint32_t> asked_;
    core::Vec3<T> shift_[shift_count]{}, shift_rest_[shift_count]{};
    // host-side working memory of the search
    core::BulkVector<float> bounds_, new_limit_;
    std::vector<float> column_bounds_;
    std::vector<std::int32_t> column_bins_;
    std::vector<std::int32_t> extended_;
    core::BulkVector<PairExtension> extensions_;
    std::int32_t batches_ = 0;
    std::vector<T> search_limits_;
    core::BulkVector<std::int32_t> column_of_;
    std::vector<std::uint64_t>
        cleared_;  ///< [groups] threads whose force blocks were, at least once
    TileMasks masks_;
    SearchSpace space_{};
    std::vector<ClusterChunk> outer_list_, inner_list_;
    std::vector<std::int32_t> first_chunk_;            ///< [threads + 1]
    std::vector<std::vector<std::uint8_t>> marked_;    ///< [threads][groups]
    std::vector<std::vector<std::uint8_t>> reacting_;  ///< [threads][groups] on some j side
};

template <class T>
template <class F>
void ClusterPairs<T>::for_chunks(const char* name, F&& work) {
    device::host_task(
        queue_, name,
        [&, x = x_.data(), type = type_.data(), force = force_.data()](device::ThreadPool& pool) {
            pool.run([&](int rank) {
                T* const of_rank = force + force_stride() * rank;
                T* const reaction = wide_reactions_ ? reactions_of(rank) : nullptr;
                for (int c = first_chunk_[rank]; c < first_chunk_[rank + 1]; ++c)
                    work(ClusterWork<T>{x, type, of_rank, reaction, inner_list_[c].view(), shift_,
                                        shift_rest_},
                         c);
                take_reactions(rank);
            });
        });
    queue_.synchronize();
}

template <class T>
template <class F>
void ClusterPairs<T>::for_each_pair(F&& f) const {
    for (const auto& chunk : inner_list_) {
        const ClusterListView list = chunk.view();
        for (std::int32_t e = 0; e < list.n_entries; ++e) {
            const auto& entry = list.entries[e];
            for (std::int32_t k = entry.begin; k < entry.end; ++k) {
                const std::int32_t cj = list.j[k];
                const auto [interact, counted] = list.pairs_of(entry, k);
                for (int tile = 0; tile < 16; ++tile)
                    if ((counted >> tile & 1) != 0)
                        f(cluster_size * entry.cluster + tile / 4, cluster_size * cj + tile % 4,
                          entry.shift, (interact >> tile & 1) != 0);
            }
        }
    }
}

template <class T>
template <class F>
void ClusterPairs<T>::for_each_excluded(const std::vector<std::uint8_t>& clusters, F&& f) const {
    for (const auto& chunk : inner_list_) {
        const ClusterListView list = chunk.view();
        for (std::int32_t e = 0; e < list.n_entries; ++e) {
            const auto& entry = list.entries[e];
            if (clusters[static_cast<std::size_t>(entry.cluster)] == 0) continue;
            for (std::int32_t k = entry.begin; k < entry.masked_end; ++k) {
                const std::int32_t cj = list.j[k];
                if (clusters[static_cast<std::size_t>(cj)] == 0) continue;
                const auto [interact, counted] = list.pairs_of(entry, k);
                const int apart = counted & ~interact;
                for (int tile = 0; tile < 16; ++tile)
                    if ((apart >> tile & 1) != 0)
                        f(cluster_size * entry.cluster + tile / 4, cluster_size * cj + tile % 4,
                          entry.shift);
            }
        }
    }
}

extern template class ClusterPairs<float>;
extern template class ClusterPairs<double>;

}  // namespace aureole::md
