// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "preload/call.hpp"

namespace aureole::preload {

/// Calls whose requests are open, by handle. A call is taken out before its request is given to a
/// function that may complete it, as its handle may belong to another thread's request right after
/// that.
class Requests {
  public:
    /// Whether there is none: then no completing call needs more than that of the library.
    bool are_none() const { return open_.load(std::memory_order_relaxed) == 0; }
    void add(Handle request, std::unique_ptr<Call> call);
    /// Null if the request is none of ours. `find` still finds a call with partitions, which
    /// threads may give or ask for while another one waits for all of them.
    std::unique_ptr<Call> take(Handle request);
    /// A call that was taken does not come back.
    void forget(const Call* taken);
    /// The call of a request that stays open; null if it is none of ours.
    Call* find(Handle request);
    /// Keeps what a freed request still needs until it is complete.
    void add_freed(Handle request, std::unique_ptr<Call> call);
    /// Completes freed requests that are complete, or (`all`) waits for them.
    void finish_freed(bool all);

  private:
    static constexpr std::size_t parts = 16;
    struct Part {
        std::mutex lock;
        std::unordered_map<Handle, std::unique_ptr<Call>> calls;
        std::unordered_map<Handle, Call*> taken;  // those with partitions
    };
    struct Freed {
        Handle request;
        std::unique_ptr<Call> call;
    };
    Part& part(Handle request) {
        const auto number = static_cast<std::uint64_t>(request) * 0x9E3779B97F4A7C15u;
        return parts_[number >> 60];
    }

    std::atomic<long> open_ = 0;
    std::array<Part, parts> parts_;
    std::mutex freed_lock_;
    std::vector<Freed> freed_;
    std::atomic<bool> has_freed_ = false;
};

Requests& requests();

}  // namespace aureole::preload
