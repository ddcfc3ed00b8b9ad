// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include "md/restored_state.hpp"
#include "md/state_blocks.hpp"
#include "md/step_context.hpp"

namespace aureole::md {

/// What is known of particles, and how often they went too far for a list.
struct WatchRecord {
    ListWatch::Whole whole;
    std::int64_t lists_outrun = 0;
};
template <>
struct PackedMembers<WatchRecord> {
    using R = WatchRecord;
    static constexpr std::tuple list{&R::whole, &R::lists_outrun};
};

inline void save_watch(StepContext& context, StateBlocks& to) {
    const auto& state = context.watch.state();
    const WatchRecord record{state.whole, context.system.counts.lists_outrun};
    put(to, "list.watch", std::span(&record, 1));
    put(to, "list.watch.excess", std::span(state.excess));
    put(to, "list.watch.seen", std::span(state.seen));
    put(to, "list.watch.moving", std::span(state.moving));
}

/// Versions before there was any did not save it.
inline void restore_watch(StepContext& context, const StateBlocks& from) {
    if (!from.contains("list.watch")) return context.begin_watch();
    ListWatch::State state;
    const auto record = get<WatchRecord>(from, "list.watch", 1)[0];
    const auto& whole = state.whole = record.whole;
    require(whole.lightest >= 0 && std::isfinite(whole.lightest + dot(whole.drift, whole.drift)) &&
                whole.steps_kept >= 0 && record.lists_outrun >= 0,
            "list.watch", "a number is out of its range");
    const auto take = [&](const char* name, auto& values) {
        using Value = std::remove_reference_t<decltype(values[0])>;
        const auto found = get<Value>(from, name, values.size());
        std::ranges::copy(found, values.begin());
        for (const auto value : found) require(value >= 0, name, "a number is out of its range");
    };
    take("list.watch.excess", state.excess);
    take("list.watch.seen", state.seen);
    take("list.watch.moving", state.moving);
    require(std::ranges::min(state.excess) >= 1, "list.watch.excess", "one is below 1");
    context.watch.restore(state);
    context.system.counts.lists_outrun = record.lists_outrun;
    if (context.drift) context.drift->assume(context.drift_conditions, context.watch);
}

}  // namespace aureole::md
