// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

namespace aureole::comm {

/// For tests: does some of what a rank writes for others late, in a thread of its own. What goes
/// through one channel keeps its order; channels overtake each other, by a seed.
class LatePublisher {
  public:
    LatePublisher(std::uint64_t seed, int channels);
    LatePublisher(const LatePublisher&) = delete;
    LatePublisher& operator=(const LatePublisher&) = delete;
    /// Publishes all that is still delayed.
    ~LatePublisher();

    /// Calls `what` now, or later in the publisher's thread.
    void publish(int channel, std::function<void()> what);

    /// The seed that AUREOLE_HOSTILE_RANKS gives, 1 where AUREOLE_HOSTILE=1; 0: nothing is late.
    static std::uint64_t seed_of_environment();

  private:
    void work();
    bool nothing_waits() const { return waiting_ == 0; }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::deque<std::function<void()>>> channels_;
    std::size_t waiting_ = 0;  ///< in all channels, with the one that is being done
    bool ends_ = false;
    std::mt19937_64 chooses_;  ///< what is late
    std::mt19937_64 delays_;   ///< how late, and which channel comes next
    std::jthread thread_;      ///< last: it uses the others
};

}  // namespace aureole::comm
