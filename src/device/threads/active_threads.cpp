// SPDX-License-Identifier: Apache-2.0
#include "device/threads/active_threads.hpp"

#include <algorithm>

namespace aureole::device {

namespace {

// A window is long enough to hold several time slices of a scheduler (some milliseconds each) and
// several steps, with all the different runs that these have.
constexpr std::int64_t window_ns = 40'000'000;
constexpr std::int64_t window_runs = 256;
constexpr std::int64_t few_runs = 16;
constexpr double much_waiting = 0.25;  ///< of a window
constexpr double much_faster = 1.1;    ///< beyond the noise of rates in windows
constexpr double hardly_slower = 0.7;
constexpr std::int64_t first_pause = 200'000'000;
constexpr std::int64_t longest_pause = 5'000'000'000;

}  // namespace

ActiveThreads::ActiveThreads(int most) : fewer_{0, first_pause}, more_{0, first_pause} {
    counts_.push_back(most);
    while (counts_.back() > 1) counts_.push_back((counts_.back() + 1) / 2);
}

void ActiveThreads::fix(int count) {
    *this = ActiveThreads(counts_.front());
    if (count <= 0) return;
    fixed_ = true;
    counts_ = {counts_.front(), std::min(count, counts_.front())};
    at_ = kept_ = 1;
}

bool ActiveThreads::decide() {
    const bool trial = at_ != kept_;
    const bool whole = time_ >= window_ns && runs_ >= window_runs;
    // What is plain is not watched for longer: a trial that slows runs down, or much waiting.
    const bool plain =
        trial ? runs_ >= few_runs && rate() < (time_ < window_ns ? 0.5 : 0.8) * kept_rate_
              : time_ >= window_ns && waited_ >= time_ / 2;
    if (!whole && !plain) return false;
    now_ += time_;
    const bool changed = !fixed_ && (trial ? conclude() : consider());
    time_ = waited_ = runs_ = 0;
    return changed;
}

bool ActiveThreads::waits_much() const { return double(waited_) > much_waiting * double(time_); }

bool ActiveThreads::consider() {
    kept_rate_ = rate();
    if (kept_ < last() && now_ >= fewer_.next && waits_much())
        at_ = kept_ + 1;
    else if (kept_ > 0 && now_ >= more_.next)
        at_ = kept_ - 1;
    return at_ != kept_;
}

bool ActiveThreads::conclude() {
    const bool fewer = at_ > kept_;
    if (rate() > much_faster * kept_rate_) {
        kept_ = at_, kept_rate_ = rate();
        fewer_ = {now_, first_pause};
        more_ = {now_ + first_pause, first_pause};
        return true;
    }
    if (fewer && at_ < last() && waits_much() && rate() > hardly_slower * kept_rate_) {
        ++at_;  // still too many
        return true;
    }
    at_ = kept_;
    auto& trials = fewer ? fewer_ : more_;
    trials.next = now_ + trials.pause;
    trials.pause = std::min(2 * trials.pause, longest_pause);
    return true;
}

}  // namespace aureole::device
