// SPDX-License-Identifier: Apache-2.0
#include "device/gpu/queue.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "device/gpu/check.hpp"
#include "device/recycled.hpp"

namespace aureole::device::gpu {

namespace {

class GpuEvent final : public detail::EventState {
  public:
    GpuEvent(std::shared_ptr<GpuDevice> owner, Timing timing)
        : device_(std::move(owner)), timing_(timing), event_(device_->take_event(timing)) {}
    ~GpuEvent() override { device_->give_event(event_, timing_); }

    bool ready() const override {
        const Error result = query(event_);
        if (result == not_ready) return false;
        check(result, "looking at an event");
        return true;
    }
    void wait() const override { check(gpu::synchronize(event_), "waiting for an event"); }
    double seconds_since(const EventState& earlier) const override {
        const auto& other = dynamic_cast<const GpuEvent&>(earlier);
        if (timing_ == Timing::no || other.timing_ == Timing::no)
            throw std::logic_error("seconds_between needs events recorded with Timing::yes");
        float milliseconds = 0;
        check(milliseconds_between(milliseconds, other.event_, event_), "the time between events");
        return 1e-3 * milliseconds;
    }
    Event native() const { return event_; }

  private:
    std::shared_ptr<GpuDevice> device_;
    Timing timing_;
    Event event_;
};

class GpuGraph final : public detail::GraphState {
  public:
    GpuGraph(Graph graph, std::vector<std::shared_ptr<void>> memory) : memory_(std::move(memory)) {
        const Error result = make_runnable(runnable_, graph);
        drop(graph);
        check(result, "making a graph");
    }
    ~GpuGraph() override { drop(runnable_); }
    GpuGraph(const GpuGraph&) = delete;
    GpuGraph& operator=(const GpuGraph&) = delete;

    void replay(detail::QueueState& queue) override {
        check(gpu::replay(runnable_, static_cast<GpuQueue&>(queue).stream()), "launching a graph");
    }

  private:
    RunnableGraph runnable_ = nullptr;
    std::vector<std::shared_ptr<void>> memory_;  ///< that recorded work uses
};

}  // namespace

GpuQueue::GpuQueue(std::shared_ptr<GpuDevice> owner, Priority priority)
    : QueueState(owner), device_(*owner) {
    device_.use();
    int lowest = 0, highest = 0;  // higher priorities are lower numbers
    check(priorities(lowest, highest), "reading the priorities of streams");
    const int level = priority == Priority::low    ? lowest
                      : priority == Priority::high ? highest
                                                   : (lowest + highest) / 2;
    check(make_stream(stream_, level), "making a stream");
}

GpuQueue::~GpuQueue() {
    static_cast<void>(gpu::synchronize(stream_));
    device_.pool.forget(stream_);
    drop(stream_);
}

detail::EventHandle GpuQueue::record(Timing timing) {
    auto event = std::allocate_shared<GpuEvent>(
        Recycled<GpuEvent>(), std::static_pointer_cast<GpuDevice>(device), timing);
    check(gpu::record(event->native(), stream()), "recording an event");
    return event;
}

void GpuQueue::wait(const detail::EventHandle& event) {
    const auto* awaited = dynamic_cast<const GpuEvent*>(event.get());
    if (!awaited) return event->wait();  // of another backend: the host waits
    check(gpu::wait(stream(), awaited->native()), "waiting for an event");
}

void GpuQueue::synchronize() {
    not_in_capture("synchronize");
    check(gpu::synchronize(stream()), "work enqueued earlier");
}

void GpuQueue::call(void (*f)(void*), void* data) {
    check(gpu::call(stream(), f, data), "calling a function in order");
}

void* GpuQueue::allocate(std::size_t bytes, Resource resource) {
    not_in_capture("allocation");
    const std::string what = "allocation of " + std::to_string(bytes >> 20) + " MB";
    void* memory = nullptr;
    switch (resource) {
        case Resource::pool:
            check(device_.pool.take(memory, bytes, stream()), what.c_str());
            break;
        case Resource::pinned:
            check(allocate_pinned(memory, bytes), what.c_str());
            break;
        case Resource::plain:
            return plain_memory(bytes, what.c_str());
    }
    return memory;
}

void GpuQueue::release(void* memory, std::size_t, Resource resource) noexcept {
    // Errors here are echoes of earlier ones, which synchronize() reports.
    if (resource == Resource::pool) {
        device_.pool.give(memory, stream_);
        return;
    }
    static_cast<void>(gpu::synchronize(stream_));
    if (resource == Resource::pinned) {
        release_pinned(memory);
    } else {
        gpu::release(memory);
    }
}

void* GpuQueue::workspace(std::size_t bytes) {
    if (bytes > workspace_bytes_) {
        const std::size_t wanted = std::max({bytes, 2 * workspace_bytes_, std::size_t{1} << 16});
        workspaces_.emplace_back(plain_memory(wanted, "temporary memory"), gpu::release);
        workspace_bytes_ = wanted;
    }
    return workspaces_.back().get();
}

void* GpuQueue::plain_memory(std::size_t bytes, const char* what) {
    void* memory = nullptr;
    device_.use();
    Error result = gpu::allocate(memory, bytes);
    if (result == out_of_memory) {  // the pool may have some
        static_cast<void>(last_error());
        device_.pool.shrink();
        result = gpu::allocate(memory, bytes);
    }
    check(result, what);
    return memory;
}

void GpuQueue::copy(void* to, const void* from, std::size_t bytes) {
    check(gpu::copy(to, from, bytes, stream()), "copy");
}

void GpuQueue::copy_from_host(void* to, const void* from, std::size_t bytes) {
    not_in_capture("copy_from_host");
    check(gpu::copy(to, from, bytes, stream()), "copy_from_host");
    // The driver stages ordinary memory before it returns, but reads pinned memory later.
    bool pageable = false;
    if (is_pageable(pageable, from) != success)
        static_cast<void>(last_error());  // or the next launch would report it
    if (!pageable) check(gpu::synchronize(stream_), "copy_from_host");
}

void GpuQueue::copy_to_host(void* to, const void* from, std::size_t bytes) {
    not_in_capture("copy_to_host");
    check(gpu::copy(to, from, bytes, stream()), "copy_to_host");
    check(gpu::synchronize(stream_), "work enqueued earlier");
}

void GpuQueue::begin_capture() {
    not_in_capture("begin_capture");
    [[maybe_unused]] const auto held = device_.pool.hold();
    check(gpu::begin_capture(stream()), "recording a step");
    recorder_ = std::this_thread::get_id();
    capturing_ = true;
}

void GpuQueue::refuse_others() const {
    if (recorder_ != std::this_thread::get_id())
        throw std::logic_error("a queue that records a step belongs to the thread that records it");
}

std::shared_ptr<detail::GraphState> GpuQueue::end_capture() {
    Graph graph = nullptr;
    const Stream captured = stream();
    capturing_ = false;
    check(gpu::end_capture(graph, captured), "recording a step");
    return std::make_shared<GpuGraph>(graph, workspaces_);
}

void GpuQueue::drop_capture() noexcept {
    Graph graph = nullptr;
    capturing_ = false;
    if (gpu::end_capture(graph, stream_) == success && graph) drop(graph);
    static_cast<void>(last_error());
}

void GpuQueue::submit(const char* name, detail::Task) {
    throw std::logic_error(std::string(name) + ": host work on a queue of a GPU");
}

void GpuQueue::not_in_capture(const char* what) const {
    bool yes = false;
    check(is_capturing(yes, stream()), "asking whether a step is recorded");
    if (yes) throw std::logic_error(std::string(what) + " inside a captured step");
}

}  // namespace aureole::device::gpu
