// SPDX-License-Identifier: Apache-2.0
#include "device/host/clocked_queue.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "core/wait.hpp"
#include "device/host/alarm.hpp"
#include "device/recycled.hpp"

namespace aureole::device::host {

namespace {

// A thread that sleeps may wake so much later: it spins for the rest.
constexpr auto late = std::chrono::microseconds(100);

void wait_until(Clock::time_point due) {
    if (due - Clock::now() > late) std::this_thread::sleep_until(due - late);
    while (Clock::now() < due) core::relax();
}

using Called = std::shared_ptr<const std::atomic<std::int64_t>>;

class ClockedEvent final : public detail::EventState {
  public:
    ClockedEvent(Clock::time_point when, std::int64_t calls, Called called)
        : due(when), calls_(calls), called_(std::move(called)) {}
    bool ready() const override {
        return (due == Clock::time_point() || Clock::now() >= due) && *called_ >= calls_;
    }
    void wait() const override {
        wait_until(due);
        for (std::int64_t n; (n = *called_) < calls_;) called_->wait(n);
    }
    double seconds_since(const EventState& earlier) const override {
        const auto& other = dynamic_cast<const ClockedEvent&>(earlier);
        return std::chrono::duration<double>(due - other.due).count();
    }

    const Clock::time_point due;

  private:
    const std::int64_t calls_;  ///< of the queue before it
    const Called called_;
};

}  // namespace

Clock::time_point Turns::take(Clock::time_point from, Clock::duration time) {
    const std::lock_guard lock(mutex_);
    // The server that was free for the shortest time, or else the first to be free.
    const auto better = [from](Clock::time_point a, Clock::time_point b) {
        if (a <= from) return b > from || a > b;
        return b > from && a < b;
    };
    auto& server = *std::min_element(free_.begin(), free_.end(), better);
    server = std::max(server, from) + time;
    return server;
}

Clock::time_point ClockedQueue::due() {
    const auto since = [](std::int64_t& seen, const std::atomic<std::int64_t>& count) {
        const std::int64_t now = count;
        return static_cast<double>(now - std::exchange(seen, now));
    };
    const ClockedOptions& times = host_.clocked;
    const std::chrono::duration<double> time(since(launches_, counted.launches) * times.per_launch +
                                             since(items_, counted.items) * times.per_item +
                                             since(copies_, counted.copies) * times.per_copy +
                                             since(bytes_, counted.bytes) * times.per_byte);
    if (time.count() > 0)
        end_ = host_.turns->take(std::max(Clock::now(), end_),
                                 std::chrono::duration_cast<Clock::duration>(time));
    return end_;
}

detail::EventHandle ClockedQueue::record_now(Timing timing) {
    const std::lock_guard lock(order);
    auto when = due();
    if (timing == Timing::yes) when = std::max(when, Clock::now());
    return std::allocate_shared<ClockedEvent>(Recycled<ClockedEvent>(), when, calls_, called_);
}

void ClockedQueue::wait_now(const detail::EventHandle& event) {
    const auto* clocked = dynamic_cast<const ClockedEvent*>(event.get());
    if (!clocked) return event->wait();
    const std::lock_guard lock(order);
    end_ = std::max(due(), clocked->due);
}

void ClockedQueue::synchronize() {
    ImmediateQueue::synchronize();
    record_now(Timing::no)->wait();
}

void ClockedQueue::call(void (*f)(void*), void* data) {
    if (!immediate)  // in a capture
        return submit("call",
                      [f, data, queue = shared_from_this()](ThreadPool&) { queue->call(f, data); });
    const std::lock_guard lock(order);
    ++calls_;
    host_.alarm->add(due(), [=, called = called_] {
        f(data);
        ++*called;
        called->notify_all();
    });
}

void ClockedQueue::copy_to_host(void* to, const void* from, std::size_t bytes) {
    ImmediateQueue::copy_to_host(to, from, bytes);
    record_now(Timing::no)->wait();
}

}  // namespace aureole::device::host
