// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "md/checkpoint/restored_state.hpp"
#include "md/checkpoint/state_blocks.hpp"
#include "md/context/step_context.hpp"

namespace aureole::md {

inline void save_watch(const StepContext& context, StateBlocks& to) {
    const auto& state = context.watch.state();
    put(to, "list.motion", std::span(&state.whole, 1));
    put(to, "list.volumes", std::span(&context.drift_volumes, 1));
    put(to, "list.watch.excess", std::span(state.excess));
    put(to, "list.watch.seen", std::span(state.seen));
    put(to, "list.watch.moving", std::span(state.moving));
}

struct RestoredWatch {
    ListWatch::State state;
    DriftBuffer::Volumes volumes;
};

/// Nothing from versions before there was any; the next ones had half of the classes.
inline std::optional<RestoredWatch> require_watch(const StepContext& context,
                                                  const StateBlocks& from) {
    if (!from.contains("list.motion") || !from.contains("list.watch.excess") ||
        from.at("list.watch.excess").size() == mass_classes * sizeof(double))
        return {};
    ListWatch::State state;
    state.whole = get<ListWatch::Whole>(from, "list.motion", 1)[0];
    const auto& whole = state.whole;
    require(whole.lightest >= 0 && std::isfinite(whole.lightest + dot(whole.drift, whole.drift)) &&
                whole.steps_kept >= 0,
            "list.motion", "a number is out of range");
    const auto take = [&](const char* name, auto& values) {
        using Value = std::remove_reference_t<decltype(values[0])>;
        const auto found = get<Value>(from, name, values.size());
        std::ranges::copy(found, values.begin());
        for (const auto value : found) require(value >= 0, name, "a number is out of range");
    };
    take("list.watch.excess", state.excess);
    take("list.watch.seen", state.seen);
    take("list.watch.moving", state.moving);
    require(std::ranges::min(state.excess) >= 1, "list.watch.excess", "a value is below 1");
    const auto volumes = get<DriftBuffer::Volumes>(from, "list.volumes", 1)[0];
    const double least = std::min(volumes.charges, volumes.attraction);
    require((least > 0 || (least == 0 && !context.drift)) && volumes.charges < 1e36 &&
                volumes.attraction < 1e36,
            "list.volumes", "a value is out of range");
    return RestoredWatch{state, volumes};
}

inline void restore_watch(StepContext& context, const StateBlocks& from) {
    const auto found = require_watch(context, from);
    if (!found) return context.begin_watch();
    context.watch.restore(found->state);
    context.drift_volumes = found->volumes;
    context.assume_motion();
}

}  // namespace aureole::md
