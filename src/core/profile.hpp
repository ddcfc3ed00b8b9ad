// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstdint>

namespace aureole::core {

/// Where a step's time goes.
enum class Region {
    search,
    prune,
    force,
    bonded,
    mesh,
    update,
    constraints,
    thermo,
    output,
    count
};

inline constexpr std::array<const char*, static_cast<int>(Region::count)> region_names{
    "search", "prune", "force", "bonded", "mesh", "update", "constraints", "thermo", "output"};

/// Seconds and calls per region; owned by a simulation, written by its driving thread only.
class Profile {
  public:
    struct Entry {
        double seconds = 0;
        std::int64_t calls = 0;
    };

    /// Times its own life into one region.
    class Scope {
      public:
        Scope(Profile& profile, Region region)
            : entry_(profile.entries_[static_cast<int>(region)]), start_(Clock::now()) {}
        ~Scope() {
            entry_.seconds += std::chrono::duration<double>(Clock::now() - start_).count();
            ++entry_.calls;
        }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

      private:
        using Clock = std::chrono::steady_clock;
        Entry& entry_;
        Clock::time_point start_;
    };

    const Entry& operator[](Region region) const { return entries_[static_cast<int>(region)]; }
    void reset() { entries_ = {}; }

  private:
    std::array<Entry, static_cast<int>(Region::count)> entries_{};
};

}  // namespace aureole::core
