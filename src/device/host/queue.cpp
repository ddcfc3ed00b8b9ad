// SPDX-License-Identifier: Apache-2.0
#include "device/host/queue.hpp"

#include <array>
#include <cstring>
#include <stdexcept>
#include <string>

#include "device/host/primitives.hpp"
#include "device/recycled.hpp"

namespace aureole::device::host {

namespace {

/// An event recorded inside a capture: says only to which one it belongs.
class CapturedEvent final : public detail::EventState {
  public:
    explicit CapturedEvent(std::shared_ptr<Capture> owner) : capture(std::move(owner)) {}
    bool ready() const override { fail(); }
    void wait() const override { fail(); }
    double seconds_since(const EventState&) const override { fail(); }

    const std::shared_ptr<Capture> capture;

  private:
    [[noreturn]] static void fail() {
        throw std::logic_error("an event of a captured step can only order queues");
    }
};

/// An event of a queue whose work is done when record() is called.
class PastEvent final : public detail::EventState {
  public:
    bool ready() const override { return true; }
    void wait() const override {}
    double seconds_since(const EventState& earlier) const override {
        const auto& past = dynamic_cast<const PastEvent&>(earlier);
        return std::chrono::duration<double>(when_ - past.when_).count();
    }

  private:
    Clock::time_point when_ = Clock::now();
};

}  // namespace

void Capture::replay(detail::QueueState& queue) {
    for (const Command& command : commands) queue.submit(command.name, command.task);
}

HostQueue::HostQueue(std::shared_ptr<HostDevice> owner, int threads)
    : QueueState(owner),
      host_(*owner),
      own_pool_(threads == 0 ? nullptr : std::make_unique<ThreadPool>(threads)) {
    workers = own_pool_ ? own_pool_.get() : owner->pool.get();
}

template <class Work>
void HostQueue::run(const char* name, Work work) {
    if (immediate) {
        const std::lock_guard lock(order);
        work(*workers);
    } else {
        submit(name, std::move(work));
    }
}

void HostQueue::copy(void* to, const void* from, std::size_t bytes) {
    run("copy", [=](ThreadPool& pool) { copy_bytes(pool, to, from, bytes); });
}

void HostQueue::fill(void* to, const void* pattern, std::size_t bytes, std::int64_t count) {
    constexpr std::size_t most = 256;
    if (bytes > most) throw std::logic_error("fill() takes values of at most 256 bytes");
    std::array<std::byte, most> value;
    std::memcpy(value.data(), pattern, bytes);
    run("fill", [=](ThreadPool& pool) { fill_pattern(pool, to, value.data(), bytes, count); });
}

void HostQueue::exclusive_scan(View<const std::int32_t> in, View<std::int32_t> out) {
    run("exclusive_scan", [=](ThreadPool& pool) { host::exclusive_scan(pool, in, out); });
}

void HostQueue::sort_by_key(View<std::uint32_t> keys, View<std::int32_t> values, int) {
    Memory& memory = host_.memory;
    run("sort_by_key",
        [=, &memory](ThreadPool& pool) { host::sort_by_key(pool, memory, keys, values); });
}

detail::EventHandle HostQueue::record(Timing timing) {
    if (capturing()) return std::make_shared<CapturedEvent>(capture_);
    return record_now(timing);
}

void HostQueue::wait(const detail::EventHandle& event) {
    if (const auto* captured = dynamic_cast<const CapturedEvent*>(event.get())) {
        if (!capturing()) join(captured->capture);
        // Members of one capture replay in the order of their submission: nothing to wait for.
        return;
    }
    // Work outside a capture is not repeated with it; the immediate queue's is done anyway.
    if (capture_) not_in_capture("wait for an event from outside");
    wait_now(event);
}

void HostQueue::call(void (*f)(void*), void* data) {
    run("call", [f, data, &host = host_](ThreadPool&) noexcept {
        host.close_memory();  // which was opened for kernels
        f(data);
        host.open_memory();
    });
}

void HostQueue::begin_capture() {
    not_in_capture("begin_capture");
    join(std::make_shared<Capture>());
}

void HostQueue::join(std::shared_ptr<Capture> capture) {
    capture->members.push_back(weak_from_this());
    capture_ = std::move(capture);
    records_ = true;
    was_immediate_ = immediate;
    immediate = false;
}

void HostQueue::leave() noexcept {
    capture_.reset();
    records_ = false;
    immediate = was_immediate_;
}

std::shared_ptr<detail::GraphState> HostQueue::end_capture() {
    std::shared_ptr<Capture> capture = capture_;
    drop_capture();
    return capture;
}

void HostQueue::drop_capture() noexcept {
    const std::shared_ptr<Capture> capture = capture_;
    if (!capture) return;
    for (const auto& member : capture->members)
        if (const auto queue = member.lock()) static_cast<HostQueue&>(*queue).leave();
    capture->members.clear();
}

bool HostQueue::capturing() const {
    if (capture_ && capture_->thread != std::this_thread::get_id())
        throw std::logic_error("a queue that records a step belongs to the thread that records it");
    return capture_ != nullptr;
}

void HostQueue::submit(const char* name, detail::Task task) {
    if (capturing()) {
        capture_->commands.push_back({name, std::move(task)});
    } else {
        enqueue(name, std::move(task));
    }
}

void HostQueue::not_in_capture(const char* what) const {
    if (capture_) throw std::logic_error(std::string(what) + " inside a captured step");
}

void* ImmediateQueue::allocate(std::size_t bytes, Resource) {
    not_in_capture("allocation");
    return host_.memory.allocate(bytes);
}

void ImmediateQueue::release(void* memory, std::size_t, Resource) noexcept {
    host_.memory.release(memory);
}

void ImmediateQueue::copy_from_host(void* to, const void* from, std::size_t bytes) {
    not_in_capture("copy_from_host");
    copy(to, from, bytes);
}

void ImmediateQueue::copy_to_host(void* to, const void* from, std::size_t bytes) {
    not_in_capture("copy_to_host");
    copy(to, from, bytes);
}

void ImmediateQueue::enqueue(const char*, detail::Task task) {
    const std::lock_guard lock(order);
    task(*workers);
}

detail::EventHandle ImmediateQueue::record_now(Timing timing) {
    if (timing == Timing::no) return nullptr;
    return std::allocate_shared<PastEvent>(Recycled<PastEvent>());
}

}  // namespace aureole::device::host
