// SPDX-License-Identifier: Apache-2.0
#include "comm/late_publisher.hpp"

#include <chrono>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace aureole::comm {

namespace {

constexpr unsigned one_late_in = 4;  ///< so that long tests end
constexpr unsigned one_very_late_in = 32;
constexpr unsigned longest_delay = 40, long_delay = 1000;  // [µs]

}  // namespace

std::uint64_t LatePublisher::seed_of_environment() {
    if (const char* seed = std::getenv("AUREOLE_HOSTILE_RANKS"))
        return std::strtoull(seed, nullptr, 10);
    const char* hostile = std::getenv("AUREOLE_HOSTILE");
    return hostile != nullptr && std::string_view(hostile) == "1" ? 1 : 0;
}

LatePublisher::LatePublisher(std::uint64_t seed, int channels)
    : channels_(static_cast<std::size_t>(channels)),
      chooses_(seed),
      delays_(seed + 1),
      thread_([this] { work(); }) {}

LatePublisher::~LatePublisher() {
    const std::scoped_lock lock(mutex_);
    ends_ = true;
    changed_.notify_all();
}

void LatePublisher::publish(int channel, std::function<void()> what) {
    const bool late = chooses_() % one_late_in == 0;
    {
        const std::scoped_lock lock(mutex_);
        auto& mine = channels_[static_cast<std::size_t>(channel)];
        if (late || !mine.empty()) {
            mine.push_back(std::move(what));
            ++waiting_;
            changed_.notify_all();
            return;
        }
    }
    what();  // only this thread adds to the channel
}

void LatePublisher::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return ends_ || !nothing_waits(); });
        if (nothing_waits()) return;
        const bool hurries = ends_;
        lock.unlock();
        const unsigned most = delays_() % one_very_late_in == 0 ? long_delay : longest_delay;
        if (!hurries) std::this_thread::sleep_for(std::chrono::microseconds(delays_() % most));
        lock.lock();
        auto* channel = &channels_[delays_() % channels_.size()];
        while (channel->empty()) channel = &channels_[delays_() % channels_.size()];
        const auto what = channel->front();
        lock.unlock();
        what();
        lock.lock();
        channel->pop_front();  // only now: what follows in this channel must not overtake it
        --waiting_;
    }
}

}  // namespace aureole::comm
