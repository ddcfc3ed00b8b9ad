// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>

namespace aureole::device {

/// A functor for parallel_for() that does something once, after all items of the launch: it saves a
/// launch of its own. after_all() sees what all items wrote. blocks_done() is a word in device
/// memory that is zero before the launch, and after it.
template <class F>
concept HasAfterAll = requires(const F& f) {
    { f.after_all() } -> std::same_as<void>;
    { f.blocks_done() } -> std::same_as<std::uint32_t*>;
};

}  // namespace aureole::device
