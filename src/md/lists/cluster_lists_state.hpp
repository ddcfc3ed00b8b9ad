// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "device/copy.hpp"
#include "device/launch.hpp"
#include "md/checkpoint/restored_state.hpp"
#include "md/checkpoint/state_blocks.hpp"
#include "md/lists/cluster_lists.hpp"
#include "md/lists/list_watch_state.hpp"

namespace aureole::md {

/// Data that a restart needs in addition to arrays.
struct ListRecord {
    ListTuning tuning, planned;
    ListStatistics statistics;
    double thermal_speed;
    DriftBuffer::Conditions drift;
    std::int64_t pruned_at, searched_at;
    std::int32_t columns_x, columns_y;
};

}  // namespace aureole::md

namespace aureole::io {

template <>
struct PackedMembers<md::ListRecord> {
    using R = md::ListRecord;
    static constexpr std::tuple list{&R::tuning,        &R::planned,   &R::statistics,
                                     &R::thermal_speed, &R::drift,     &R::pruned_at,
                                     &R::searched_at,   &R::columns_x, &R::columns_y};
};
template <>
struct PackedMembers<md::PairExtension> {
    using E = md::PairExtension;
    static constexpr std::tuple list{&E::batch, &E::cluster, &E::limit_bits};
};

}  // namespace aureole::io

namespace aureole::md {

namespace {

/// Coordinate rows of blocks; the spare row is not looked at.
template <class T>
void require_finite_positions(const std::vector<T>& blocks, const char* name) {
    constexpr std::size_t coordinates = 3 * cluster_size;
    for (std::size_t k = 0; k < blocks.size(); k += block_size)
        require(all_finite(std::span(blocks).subspan(k, coordinates)), name,
                "a coordinate is not finite");
}

/// Contents of the blocks, checked as far as that can be without the lists.
template <class T>
struct RestoredLists {
    ListRecord record;
    std::vector<std::int32_t> columns, partitions;
    std::vector<T> search_limits, outer, reference, limits;
    std::vector<PairExtension> extensions;
    core::Box searched, pruned;
    Strain strain;

    RestoredLists(const StateBlocks& from, std::int64_t n, std::int64_t step)
        : record(get<ListRecord>(from, "list", 1)[0]),
          columns(get<std::int32_t>(from, "list.columns")),
          partitions(get<std::int32_t>(from, "list.shares")),
          search_limits(get<T>(from, "list.search_reach")),
          outer(get<T>(from, "list.outer")),
          reference(get<T>(from, "list.reference")),
          limits(get<T>(from, "list.reach")),
          extensions(get<PairExtension>(from, "list.extensions")),
          strain(get<Strain>(from, "list.strain", 1)[0]) {
        require_columns(record.columns_x, record.columns_y, columns, n);
        require_drift(record.drift, "list");
        for (const auto& tuning : {record.tuning, record.planned})
            require_tuning(tuning, step, record.pruned_at, record.searched_at);
        require(record.planned.inner_lifetime >= 1 && record.planned.outer_lifetime >= 1, "list",
                "a pair-list lifetime is below 1");
        require_finite_positions<T>(outer, "list.outer");
        require_finite_positions<T>(reference, "list.reference");
        require(all_numbers(std::span(search_limits)), "list.search_reach",
                "a limit is not a number");
        for (const auto& e : extensions)
            require(!std::isnan(std::bit_cast<float>(e.limit_bits)), "list.extensions",
                    "a limit is not a number");
        require(all_numbers(std::span(limits)), "list.reach", "a limit is not a number");
        const auto boxes = get<core::Box>(from, "list.boxes", 2);
        searched = boxes[0], pruned = boxes[1];
        require_box(searched), require_box(pruned);
        require(strain.size() < 0.5, "list.strain", "the box changed too much");
    }

    /// The rest, by the number of clusters.
    void require_clusters(std::int64_t clusters) const {
        const auto has = [&](const auto& values, std::size_t each, const char* name) {
            require(values.size() == static_cast<std::size_t>(clusters) * each, name,
                    "its size is unexpected");
        };
        has(search_limits, 1, "list.search_reach");
        has(outer, block_size, "list.outer"), has(reference, block_size, "list.reference");
        has(limits, cluster_size, "list.reach");
        for (const auto& e : extensions)
            require(e.cluster >= 0 && e.cluster < clusters, "list.extensions",
                    "an extension refers to an unknown cluster");
    }
};

/// The partitions, if they are for as many threads as here.
template <class T>
std::vector<std::int32_t> known_partitions(std::vector<std::int32_t> partitions,
                                           const ClusterPairs<T>& pairs) {
    const auto& here = pairs.partitions();
    if (partitions.size() != here.size()) return {};
    require(partitions.front() == 0 && partitions.back() == here.back() &&
                std::ranges::is_sorted(partitions),
            "list.shares", "the partitions do not match the list");
    return partitions;
}

}  // namespace

template <class T>
void ClusterLists<T>::save(StateBlocks& to) {
    ListRecord record{};
    record.tuning = tuning_, record.planned = planned_, record.statistics = context_.statistics;
    record.thermal_speed = context_.thermal_speed, record.drift = context_.drift_conditions;
    record.pruned_at = pruned_at_, record.searched_at = searched_at_;
    record.columns_x = sort_.columns_x(), record.columns_y = sort_.columns_y();
    put(to, "list", std::span(&record, 1));
    save_watch(context_, to);
    put(to, "list.shares", std::span(pairs_.partitions()));
    put(to, "list.columns", std::span(sort_.particle_start()));
    put(to, "list.search_reach", std::span(pairs_.search_limits()));
    put(to, "list.extensions", std::span(pairs_.extensions()));
    put(to, "list.outer", download(queue(), pairs_.outer()));
    put(to, "list.reference", download(queue(), pairs_.reference()));
    const std::array<core::Box, 2> boxes{searched_, pruned_};
    put(to, "list.boxes", std::span(boxes));
    put(to, "list.reach", pairs_.limits());
    put(to, "list.strain", std::span(&strain_, 1));
    RestoredLists<T>(to, system().particles.n, system().step).require_clusters(pairs_.clusters());
    require_watch(context_, to);
}

template <class T>
void ClusterLists<T>::restore(const StateBlocks& from) {
    auto& p = system().particles;
    RestoredLists<T> found(from, p.n, system().step);
    const auto& record = found.record;
    const auto& reference = found.reference;
    sort_.restore(record.columns_x, record.columns_y, std::move(found.columns));
    pairs_.lay_out(sort_, p.n);
    found.require_clusters(pairs_.clusters());
    device::copy_from_host(queue(), pairs_.outer(), found.outer.data());
    topology_.localise();
    pair_forces_.load_particles(p, topology_.exclusions.partners(), pairs_);
    device::parallel_for(queue(), "search coordinates", p.n,
                         [layout = layout(), r = found.search_limits.data()](std::int64_t i) {
                             const auto k = layout.offset(i);
                             for (int row = 0; row < 12; row += 4)
                                 layout.x[k + row] = layout.outer[k + row];
                             layout.outer[k + 12] = r[layout.slot[i] >> 2];
                         });
    searched_ = found.searched, pruned_ = found.pruned;
    strain_ = found.strain;
    pairs_.repeat(sort_, searched_, found.extensions);
    device::copy_from_host(queue(), pairs_.reference(), reference.data());
    pairs_.set_limits(found.limits);
    if (system().list.exact) {
        pairs_.use_outer_list();  // misses nothing either, and what lies farther adds nothing
    } else {
        pairs_.set_box(pruned_);
        pairs_.prune_at(reference);
    }
    pairs_.partition(known_partitions(std::move(found.partitions), pairs_));
    partition_bonded();
    pairs_.clear_new_blocks();
    pairs_.set_box(system().box);
    device::parallel_for(
        queue(), "coordinates", p.n,
        [layout = layout(), r = p.position.data()](std::int64_t i) { layout.store(i, r[i]); });
    pair_forces_.list_found(system().box, p, topology_.rule(), pairs_);
    pair_forces_.list_pruned(pairs_);
    context_.set_state();
    tuning_ = record.tuning, planned_ = record.planned, context_.statistics = record.statistics;
    context_.thermal_speed = record.thermal_speed;
    context_.dof = degrees_of_freedom(system(), context_.motion_sums());
    context_.make_drift_buffer(record.drift);
    restore_watch(context_, from);
    pruned_at_ = record.pruned_at, searched_at_ = record.searched_at;
}

}  // namespace aureole::md
