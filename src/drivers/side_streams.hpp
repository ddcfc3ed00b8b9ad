// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "drivers/driver.hpp"
#include "drivers/idle_trial.hpp"

namespace aureole::drivers {

/// Streams of ours beside the default ones, one for each context, and events to mark work by.
class SideStreams {
  public:
    struct Side {
        void* stream = nullptr;
        void* event = nullptr;  ///< on the default stream
        /// Whether a query of the default stream sees all work that the side stream has to wait
        /// for; not tried yet.
        std::optional<bool> is_idle_known{};
    };

    /// Whether there is nothing to wait for, as far as that is known. Tried when the default stream
    /// has no work, as the trial waits for that.
    static bool is_idle(Side& side, const StreamFunctions& driver) {
        if (driver.query == nullptr || driver.query(nullptr) != 0) return false;
        if (!side.is_idle_known) side.is_idle_known = query_sees_blocking_streams(driver);
        return *side.is_idle_known;
    }

    /// The side stream of a context; `make` fills in what is not there yet, and may throw.
    template <class Make>
    Side of(std::uint64_t context, Make&& make) {
        const std::lock_guard guard(lock_);
        Side& found = sides_[context];
        make(found);
        return found;
    }
    /// A side that has turned out to be invalid.
    void forget(std::uint64_t context) {
        const std::lock_guard guard(lock_);
        sides_.erase(context);
        unused_.erase(context);
    }
    /// An event that nobody uses; null if there is none.
    void* take_event(std::uint64_t context) {
        const std::lock_guard guard(lock_);
        auto& events = unused_[context];
        if (events.empty()) return nullptr;
        void* const event = events.back();
        events.pop_back();
        return event;
    }
    void give_back(const Mark& mark) noexcept try {
        if (mark.event == nullptr) return;
        const std::lock_guard guard(lock_);
        unused_[mark.context].push_back(mark.event);
    } catch (...) {  // no memory: the event is left
    }

  private:
    std::mutex lock_;
    std::map<std::uint64_t, Side> sides_;
    std::map<std::uint64_t, std::vector<void*>> unused_;
};

}  // namespace aureole::drivers
