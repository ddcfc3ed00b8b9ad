// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <exception>
#include <functional>

#include "comm/world.hpp"

namespace aureole::comm {

/// Makes steps until `finished()`, and returns how many. `advance(n)` makes 1 to n steps and
/// returns how many. Between batches of about a tenth of a second `interrupted()` is asked, which
/// throws to end the run on all ranks. `close()` is called after the last step, before the
/// exception goes on, which it does on the rank that was interrupted alone.
///
/// All ranks of `world` (null: one rank) call it together, and `finished()` and what `advance(n)`
/// returns must be the same on all. What depends on a clock or a signal is decided here, for all.
template <std::predicate Finished, std::invocable<std::int64_t> Advance, std::invocable Close>
std::int64_t run_until(World* world, Finished&& finished, Advance&& advance, Close&& close,
                       const std::function<void()>& interrupted) {
    using Clock = std::chrono::steady_clock;
    constexpr double patience = 0.1;  // seconds between looks at signals; no effect on results
    std::exception_ptr thrown;
    const auto combine = [&](std::int64_t mine, const auto& op) {
        return world != nullptr ? world->combine(mine, op) : mine;
    };
    const auto asked_to_stop = [&] {
        try {
            interrupted();
        } catch (...) {
            thrown = std::current_exception();
        }
        return combine(thrown ? 1 : 0, [](auto a, auto b) { return std::max(a, b); }) != 0;
    };
    std::int64_t made = 0, batch = 1;
    while (!finished() && !(made > 0 && asked_to_stop())) {
        batch = combine(batch, [](auto first, auto) { return first; });
        const auto start = Clock::now();
        const std::int64_t steps = advance(batch);
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        made += steps;
        batch = std::max<std::int64_t>(
            1, static_cast<std::int64_t>(double(steps) *
                                         std::clamp(patience / (seconds + 1e-9), 0.25, 4.0)));
    }
    close();
    if (thrown) std::rethrow_exception(thrown);
    return made;
}

}  // namespace aureole::comm
