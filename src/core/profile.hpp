// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstdint>

namespace aureole::core {

/// Seconds and calls per region; owned by a simulation, written by its driving thread only.
/// `Region` is an enumeration whose last value is `count`.
template <class Region>
class Profile {
  public:
    struct Entry {
        double seconds = 0;
        std::int64_t calls = 0;
    };

    /// Times its own life into one region, but for what scopes inside it time into theirs.
    class Scope {
      public:
        Scope(Profile& profile, Region region)
            : profile_(profile),
              entry_(profile.entries_[static_cast<int>(region)]),
              outer_(profile.open_),
              start_(Clock::now()) {
            if (outer_ != nullptr) outer_->add(start_);
            profile_.open_ = this;
        }
        ~Scope() {
            const auto now = Clock::now();
            add(now);
            ++entry_.calls;
            if (outer_ != nullptr) outer_->start_ = now;
            profile_.open_ = outer_;
        }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

      private:
        using Clock = std::chrono::steady_clock;

        void add(Clock::time_point now) {
            entry_.seconds += std::chrono::duration<double>(now - start_).count();
        }

        Profile& profile_;
        Entry& entry_;
        Scope* outer_;
        Clock::time_point start_;
    };

    const Entry& operator[](Region region) const { return entries_[static_cast<int>(region)]; }
    void reset() { entries_ = {}; }

  private:
    std::array<Entry, static_cast<int>(Region::count)> entries_{};
    Scope* open_ = nullptr;  ///< the innermost
};

}  // namespace aureole::core
