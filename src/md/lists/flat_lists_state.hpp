// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/copy.hpp"
#include "device/launch.hpp"
#include "device/reduce_ops.hpp"
#include "md/checkpoint/restored_state.hpp"
#include "md/checkpoint/state_blocks.hpp"
#include "md/integrate/read.kernel.hpp"
#include "md/lists/flat_lists.hpp"
#include "md/lists/force_unit.hpp"
#include "md/lists/list_watch_state.hpp"

// Checkpoints of lists.
namespace aureole::md {

/// Data that a restart needs in addition to arrays.
struct FlatRecord {
    ListTuning tuning;
    ListStatistics statistics;
    double thermal_speed, dof;
    DriftBuffer::Conditions drift;
    std::int64_t searched_at, stride, lifetime;
    core::Box searched;
};

}  // namespace aureole::md

namespace aureole::io {

template <>
struct PackedMembers<md::FlatRecord> {
    using R = md::FlatRecord;
    static constexpr std::tuple list{&R::tuning, &R::statistics, &R::thermal_speed,
                                     &R::dof,    &R::drift,      &R::searched_at,
                                     &R::stride, &R::lifetime,   &R::searched};
};

}  // namespace aureole::io

namespace aureole::md {

namespace {

bool sensible(const ForceUnitRecord& r) {
    return r.exponent >= ForceUnit::smallest_exponent &&
           r.exponent <= ForceUnit::largest_exponent && r.mean_square_force >= 0 &&
           std::isfinite(r.mean_square_force);
}

/// Whether a run may have written this record.
bool sensible(const FlatRecord& r, std::int64_t step, std::int64_t n) {
    const auto between = [](double x, double least, double most) {
        return x >= least && x <= most;
    };
    return between(r.thermal_speed, 0, 1e100) && between(r.dof, 0, 1e300) &&
           between(r.tuning.outer_floor, 0, 100) && r.tuning.outer_lifetime >= 0 &&
           r.lifetime >= 1 && r.lifetime < INT32_MAX && r.searched_at <= step &&
           step - r.searched_at <= r.lifetime && r.stride >= 0 && r.stride <= n + n / 10 + 16;
}

/// Contents of the blocks, checked.
template <class T>
struct RestoredFlatLists {
    FlatRecord record;
    std::vector<Site<T>> reference;
    std::vector<T> limits;

    RestoredFlatLists(const StateBlocks& from, std::int64_t n, std::int64_t step)
        : record(get<FlatRecord>(from, "lanes", 1)[0]),
          reference(get<Site<T>>(from, "lanes.reference", static_cast<std::size_t>(n))),
          limits(get<T>(from, "lanes.reach", static_cast<std::size_t>(n))) {
        require(sensible(record, step, n), "lanes", "a number is out of range");
        require_drift(record.drift, "lanes");
        require_box(record.searched);
        require(all_numbers(std::span(limits)), "lanes.reach", "a limit is not a number");
        for (const auto& r : reference)
            require(std::isfinite(r.x) && std::isfinite(r.y) && std::isfinite(r.z),
                    "lanes.reference", "a coordinate is not a number");
    }
};

}  // namespace

template <class T>
void FlatLists<T>::save(StateBlocks& to) {
    FlatRecord record{};
    record.tuning = tuning_, record.statistics = context_.statistics;
    record.thermal_speed = context_.thermal_speed, record.dof = context_.dof;
    record.searched_at = searched_at_, record.stride = stride_;
    record.lifetime = lifetime_, record.searched = searched_;
    record.drift = context_.drift_conditions;
    put(to, "lanes", std::span(&record, 1));
    put(to, "lanes.since_sort", std::span(&lists_since_sort_, 1));
    save_watch(context_, to);
    put(to, "lanes.reference", download(queue(), reference_));
    put(to, "lanes.reach", download(queue(), limit_));
    const double square = context_.mean_square_force;
    const ForceUnitRecord unit{force_.exponent(), std::isfinite(square) ? square : 0};
    put(to, ForceUnitRecord::block, std::span(&unit, 1));
    RestoredFlatLists<T>(to, system().particles.n, system().step);
    require_watch(context_, to);
}

template <class T>
void FlatLists<T>::restore(const StateBlocks& from) {
    auto& p = system().particles;
    const auto [record, reference, limit] = RestoredFlatLists<T>(from, p.n, system().step);
    tuning_ = record.tuning, context_.statistics = record.statistics;
    context_.thermal_speed = record.thermal_speed, context_.dof = record.dof;
    searched_at_ = record.searched_at, stride_ = record.stride > 0 ? row_of(record.stride - 1) : 0;
    lifetime_ = static_cast<int>(record.lifetime), searched_ = record.searched;
    // Versions that did not say so sorted for each list.
    lists_since_sort_ =
        from.contains("lanes.since_sort") ? get<std::int64_t>(from, "lanes.since_sort", 1)[0] : 0;
    require(lists_since_sort_ >= 0, "lanes.since_sort", "it is negative");
    size_columns();
    topology_.localise();
    context_.make_drift_buffer(record.drift);
    restore_watch(context_, from);
    device::copy_from_host(queue(), site_.view().part(0, p.n), reference.data());
    device::copy_from_host(queue(), reference_.view(), reference.data());
    device::copy_from_host(queue(), limit_.view(), limit.data());
    load_particles();
    search(false);
    fit_rows(false);
    device::parallel_for(queue(), "coordinates", p.n,
                         StoreAll<Dense<T>>{p.position.data(), layout()});
    if (from.contains(ForceUnitRecord::block)) {
        const auto unit = get<ForceUnitRecord>(from, ForceUnitRecord::block, 1)[0];
        require(sensible(unit), ForceUnitRecord::block, "a number is out of range");
        set_force_exponent(static_cast<int>(unit.exponent));
        context_.mean_square_force = unit.mean_square_force;
    }
    context_.set_state();
    follow();
}

}  // namespace aureole::md
