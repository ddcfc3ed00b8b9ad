// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "comm/failure.hpp"
#include "comm/line.hpp"
#include "comm/phase.hpp"

namespace aureole::comm {

/// How a rank left, if it did.
enum class Left : std::uint32_t { no, regularly, failing };

/// The beginning of a rank's heap: who it is, what it does, and what it tells the other ranks.
/// All zero at first.
struct Control {
    static constexpr int lines = 37;  ///< 2,072 bytes of data

    // Written by the rank itself.
    alignas(64) std::atomic<std::uint32_t> here;  ///< 1 once the rank has begun
    std::atomic<std::int32_t> process;
    std::atomic<std::uint64_t> started;  ///< start time of the process [clock ticks]
    std::atomic<std::uint32_t> phase;
    std::atomic<std::int32_t> awaits;  ///< 1 + the rank that it waits for; 0 for none
    std::atomic<std::int64_t> step;
    std::atomic<Left> left;
    std::atomic<std::uint64_t> trial_page;  ///< its address in the process, see TrialPage
    std::atomic<std::uint64_t>
        machine;  ///< on which `process` means something, a digest of machine_name()

    // A waiter sleeps on the bell; who publishes something rings it where a waiter sleeps.
    alignas(64) std::atomic<std::uint32_t> bell;
    std::atomic<std::uint32_t> sleeps;

    // Written by any rank.
    alignas(64) std::atomic<std::int32_t> failed;  ///< 1 + the rank whose failure says why

    alignas(64) std::atomic<std::uint32_t> failure_taken;  ///< 1 once `failure` is being written
    Failure failure;

    /// Small values for all ranks, of two successive gathers in turn.
    Line small[2][lines];
};

}  // namespace aureole::comm
