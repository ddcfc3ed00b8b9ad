// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "device/host/team_shared.hpp"

namespace aureole::device::host {

/// State that the lanes of a block share on hosts, where each lane is a thread.
class BlockShared {
  public:
    /// Without a seed no lane is delayed.
    void reset(int lanes, std::uint64_t seed);

    void sync(int lane);
    bool first_says(int lane, bool value);
    void pause(int lane, std::int64_t looks);
    void delay(int lane);
    /// All lanes get the number of the first.
    std::int64_t number_of_first(int lane, std::int64_t value);

  private:
    struct alignas(64) Lane {
        std::uint64_t random = 0;
    };
    TeamShared team_;
    int lanes_ = 1;
    std::int64_t said_ = 0;
    Lane lane_[TeamShared::most_lanes];
};

}  // namespace aureole::device::host
