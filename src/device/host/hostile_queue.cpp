// SPDX-License-Identifier: Apache-2.0
#include "device/host/hostile_queue.hpp"

#include <chrono>
#include <cstring>
#include <utility>
#include <vector>

#include "device/recycled.hpp"

namespace aureole::device::host {

class HostileEvent final : public detail::EventState {
  public:
    bool ready() const override {
        const std::lock_guard lock(mutex_);
        if (error_) std::rethrow_exception(error_);
        return done_;
    }
    void wait() const override {
        std::unique_lock lock(mutex_);
        completed_.wait(lock, [&] { return done_; });
        if (error_) std::rethrow_exception(error_);
    }
    double seconds_since(const EventState& earlier) const override {
        const auto& other = dynamic_cast<const HostileEvent&>(earlier);
        return std::chrono::duration<double>(when_ - other.when_).count();
    }
    void complete(std::exception_ptr error = nullptr) {
        const std::lock_guard lock(mutex_);
        done_ = true;
        error_ = std::move(error);
        when_ = Clock::now();
        completed_.notify_all();
    }

  private:
    mutable std::mutex mutex_;
    mutable std::condition_variable completed_;
    bool done_ = false;
    std::exception_ptr error_;
    Clock::time_point when_;
};

// The device's pool would make queues take turns, and hide races from sanitizers.
HostileQueue::HostileQueue(std::shared_ptr<HostDevice> owner, int threads, std::uint64_t seed)
    : HostQueue(owner, threads == 0 ? owner->pool->size() : threads),
      random_(seed == 0 ? 0 : seed * 0x9e3779b97f4a7c15u | 1),
      worker_([this] { work(); }) {}

HostileQueue::~HostileQueue() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    filled_.notify_one();
    worker_.join();
}

void HostileQueue::push(Entry entry) {
    {
        const std::lock_guard lock(mutex_);
        entries_.push_back(std::move(entry));
    }
    filled_.notify_one();
}

void HostileQueue::enqueue(const char*, detail::Task task) { push({std::move(task)}); }

void HostileQueue::work() {
    std::vector<Entry> taken;
    for (;;) {
        {
            std::unique_lock lock(mutex_);
            filled_.wait(lock, [&] { return stop_ || !entries_.empty(); });
            if (entries_.empty()) return;
            taken.swap(entries_);
        }
        for (Entry& entry : taken) {
            delay();
            if (!error_ || entry.even_after_error) execute(entry);
            entry = {};
        }
        taken.clear();
    }
}

void HostileQueue::execute(Entry& entry) {
    if (entry.event) return entry.event->complete(error_);
    if (entry.opens_memory) host_.open_memory();
    try {
        entry.work(*workers);
    } catch (...) {
        if (!error_) error_ = std::current_exception();
    }
    if (entry.opens_memory) host_.close_memory();
}

void HostileQueue::delay() {
    if (random_ == 0) return;
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    random_ ^= random_ << 17;
    const auto dice = random_ >> 32;
    if (dice % 8 == 0) {
        std::this_thread::sleep_for(std::chrono::microseconds(dice / 8 % 200));
    } else if (dice % 8 < 3) {
        std::this_thread::yield();
    }
}

detail::EventHandle HostileQueue::record_now(Timing) {
    auto event = std::allocate_shared<HostileEvent>(Recycled<HostileEvent>());
    push({nullptr, false, true, event});
    return event;
}

void HostileQueue::wait_now(const detail::EventHandle& event) {
    push({[event](ThreadPool&) { event->wait(); }, false, true});
}

void HostileQueue::synchronize() {
    not_in_capture("synchronize");
    std::exception_ptr error;
    auto event = std::make_shared<HostileEvent>();
    push({[&](ThreadPool&) {
              error = std::exchange(error_, nullptr);
              event->complete();
          },
          false, true});
    event->wait();
    if (error) std::rethrow_exception(error);
}

void* HostileQueue::allocate(std::size_t bytes, Resource resource) {
    not_in_capture("allocation");
    if (resource == Resource::pinned) return host_.memory.allocate(bytes);
    void* block = host_.arena->allocate(bytes);
    push({[block, bytes](ThreadPool&) { Arena::poison(block, bytes); }, true, true});
    return block;
}

void HostileQueue::release(void* memory, std::size_t bytes, Resource resource) noexcept {
    try {
        if (resource == Resource::pinned) {
            push({[this, memory](ThreadPool&) { host_.memory.release(memory); }, false, true});
            return;
        }
        push({[this, memory, bytes](ThreadPool&) {
                  Arena::poison(memory, bytes);
                  host_.arena->release(memory);
              },
              true, true});
    } catch (...) {
        // No memory for the command: the block stays with the arena until the end.
    }
}

void HostileQueue::copy_from_host(void* to, const void* from, std::size_t bytes) {
    not_in_capture("copy_from_host");
    const auto* first = static_cast<const std::byte*>(from);
    auto staged = std::make_shared<std::vector<std::byte>>(first, first + bytes);
    push({[to, staged](ThreadPool&) { std::memcpy(to, staged->data(), staged->size()); }});
}

void HostileQueue::copy_to_host(void* to, const void* from, std::size_t bytes) {
    not_in_capture("copy_to_host");
    push({[=](ThreadPool&) { std::memcpy(to, from, bytes); }});
    synchronize();
}

}  // namespace aureole::device::host
