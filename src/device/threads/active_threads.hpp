// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace aureole::device {

/// How many threads of a pool take part in its runs: all of them on a quiet machine, fewer where
/// other programs have the processors and runs wait for threads that do not get one.
///
/// Runs that wait much make a trial of half as many threads, or fewer still if those wait as well,
/// which is kept if runs are then faster. Now and then twice as many are tried, in the same way.
/// Nothing but speed follows from the count.
class ActiveThreads {
  public:
    explicit ActiveThreads(int most);

    int count() const { return counts_[at_]; }
    /// The count outside of trials.
    int kept() const { return counts_[kept_]; }

    /// `count` from now on, whatever is recorded; 0 goes back to all, and to adapting.
    void fix(int count);

    /// A run took `ns` nanoseconds, of which it waited `waited` for threads that should have done
    /// their partitions long since. True if one of the counts has changed.
    bool record(std::int64_t ns, std::int64_t waited) {
        time_ += ns, waited_ += waited, ++runs_;
        return time_ >= shortest && decide();
    }

  private:
    static constexpr std::int64_t shortest = 10'000'000;  ///< [ns] before anything is decided

    bool decide();
    bool consider();
    bool conclude();
    bool waits_much() const;
    int last() const { return static_cast<int>(counts_.size()) - 1; }
    double rate() const { return double(runs_) / double(time_); }

    std::vector<int> counts_;  ///< all, and half of the one before down to 1
    int at_ = 0;               ///< in use now
    int kept_ = 0;             ///< in use outside of trials
    bool fixed_ = false;
    double kept_rate_ = 0;  ///< [runs/ns]

    std::int64_t time_ = 0, waited_ = 0, runs_ = 0;  ///< of the window that is measured
    std::int64_t now_ = 0;                           ///< time of all windows before
    struct Trials {
        std::int64_t next, pause;  ///< earliest time, time to the one after if it fails
    };
    Trials fewer_, more_;
};

}  // namespace aureole::device
