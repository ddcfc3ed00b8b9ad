// SPDX-License-Identifier: Apache-2.0
#include "device/queue.hpp"

#include <stdexcept>

namespace aureole::device {

double seconds_between(const Event& earlier, const Event& later) {
    if (!earlier.state() || !later.state())
        throw std::logic_error("seconds_between needs events recorded with Timing::yes");
    return later.state()->seconds_since(*earlier.state());
}

QueueCounts& QueueCounts::operator+=(const QueueCounts& other) {
    looks += other.looks, allocations += other.allocations;
    launches += other.launches, items += other.items;
    copies += other.copies, bytes += other.bytes;
    events += other.events;
    return *this;
}

Queue::Queue(Device& device, QueueOptions options) : state_(device.state()->make_queue(options)) {}

Queue::~Queue() {
    if (!state_) return;
    try {
        state_->synchronize();
    } catch (...) {
        // Nobody is left to tell.
    }
}

Event Queue::record(Timing timing) {
    ++state_->counted.events;
    return Event(state_->record(timing));
}

void Queue::wait(const Event& event) {
    if (event.state()) state_->wait(event.state());
}

void Queue::synchronize() {
    ++state_->counted.looks;
    state_->synchronize();
}

QueueCounts Queue::counts() const {
    const auto& c = state_->counted;
    return {c.looks, c.allocations, c.launches, c.items, c.copies, c.bytes, c.events};
}

HostAccess::HostAccess(Queue& queue) : device_(queue.state().device) {
    queue.synchronize();
    device_->open_memory();
}

HostAccess::~HostAccess() { device_->close_memory(); }

}  // namespace aureole::device
