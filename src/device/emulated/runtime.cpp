// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "device/gpu/vendor/runtime.hpp"
#include "device/host/device.hpp"
#include "device/host/hostile_queue.hpp"

// The runtime of the emulated GPU. A stream is a queue of a hostile host: a thread, with random
// delays where AUREOLE_EMULATED_LATE has a seed.

namespace aureole::device::gpu {

struct StreamState {
    std::shared_ptr<host::HostQueue> queue;
};
struct EventState {
    detail::EventHandle handle;
};
struct GraphState {
    std::shared_ptr<detail::GraphState> work;
};

namespace {

struct Machine {
    std::shared_ptr<host::HostDevice> device;
    std::uint64_t seed = 0;  ///< of delays; 0: none
    std::mutex mutex;
    std::string fault;  ///< what a kernel did: nothing works after it
    std::map<const void*, std::size_t> pinned;
    std::vector<std::shared_ptr<host::HostQueue>> queues;

    Machine() {
        const char* text = std::getenv("AUREOLE_EMULATED_LATE");
        const std::string_view late = text != nullptr ? text : "0";
        const auto [end, error] = std::from_chars(late.begin(), late.end(), seed);
        if (error != std::errc() || end != late.end())
            throw core::DeviceError("AUREOLE_EMULATED_LATE=" + std::string(late) + " is no seed",
                                    "delays are by a number of at most 64 bits",
                                    "Set it to one, or to 0 for none.");
        device = std::make_shared<host::HostDevice>(
            HostOptions{.threads = 1, .pin = false, .hostile = true, .hostile_seed = seed});
    }
};

/// Never destroyed: programs may give memory back at their end.
Machine& machine() {
    static auto* one = new Machine;
    return *one;
}

thread_local Error pending = Error::none;

Error say(Error error) {
    if (error != Error::none && error != Error::not_ready) pending = error;
    return error;
}

/// Runs what may throw: the first error of a kernel stays.
template <class F>
Error guarded(F&& f) {
    try {
        {
            const std::lock_guard lock(machine().mutex);
            if (!machine().fault.empty()) return say(Error::kernel_failed);
        }
        f();
        return Error::none;
    } catch (const std::bad_alloc&) {
        return say(Error::out_of_memory);
    } catch (const std::logic_error&) {
        return say(Error::invalid_value);
    } catch (const core::DeviceError&) {  // of settings
        throw;
    } catch (const std::exception& error) {
        const std::lock_guard lock(machine().mutex);
        if (machine().fault.empty()) machine().fault = error.what();
        return say(Error::kernel_failed);
    }
}

bool is_ordinary(const void* memory) {
    if (machine().device->arena->holds(memory)) return false;
    const std::lock_guard lock(machine().mutex);
    const auto& pinned = machine().pinned;
    const auto next = pinned.upper_bound(memory);
    if (next == pinned.begin()) return true;
    const auto& [first, bytes] = *std::prev(next);
    return static_cast<const std::byte*>(memory) >= static_cast<const std::byte*>(first) + bytes;
}

void poison(void* memory, Stream stream) {
    if (stream->queue->records()) return;  // each replay would do it
    const std::size_t bytes = machine().device->arena->size_of(memory);
    enqueue("poison", stream, [=] { host::Arena::poison(memory, bytes); });
}

}  // namespace

std::string text_of(Error error) {
    constexpr const char* texts[] = {"no error", "not ready", "no device", "out of memory",
                                     "an argument is not valid"};
    if (error != Error::kernel_failed) return texts[static_cast<int>(error)];
    const std::lock_guard lock(machine().mutex);
    return machine().fault;
}
Error last_error() { return std::exchange(pending, Error::none); }

Error driver_version(int& version) { return version = 1, success; }
Error count_devices(int& count) { return count = 1, success; }
Error current_device(int& index) { return index = 0, success; }
Error use_device(int index) { return index == 0 ? success : say(Error::invalid_value); }
Error processors_of(int& count, int) { return count = 2, success; }
Error properties_of(Properties& found, int) {
    found = {"emulated GPU, waves of " + std::to_string(emulated::wavefront()), "emulated", 2,
             std::size_t{16} << 30, emulated::block_bytes};
    return success;
}
Error synchronize_device() {
    const auto queues = [] {
        const std::lock_guard lock(machine().mutex);
        return machine().queues;
    }();
    return guarded([&] {
        for (const auto& queue : queues)
            if (!queue->records()) queue->synchronize();
    });
}

Error priorities(int& lowest, int& highest) { return lowest = 0, highest = -2, success; }
Error make_stream(Stream& stream, int) {
    return guarded([&] {
        auto made = std::make_unique<StreamState>();
        Machine& m = machine();
        const std::lock_guard lock(m.mutex);
        made->queue = std::make_shared<host::HostileQueue>(m.device, 1, m.seed);
        if (m.seed != 0) ++m.seed;
        m.queues.push_back(made->queue);
        stream = made.release();
    });
}
void drop(Stream stream) {
    {
        const std::lock_guard lock(machine().mutex);
        std::erase(machine().queues, stream->queue);
    }
    delete stream;
}
Error synchronize(Stream stream) {
    return guarded([&] { stream->queue->synchronize(); });
}
Error wait(Stream stream, Event event) {
    return guarded([&] {
        if (event->handle) stream->queue->wait(event->handle);
    });
}
Error call(Stream stream, void (*f)(void*), void* data) {
    return guarded([&] { stream->queue->call(f, data); });
}

Error make_event(Event& event, bool) { return event = new EventState, success; }
void drop(Event event) { delete event; }
Error record(Event event, Stream stream) {
    return guarded([&] { event->handle = stream->queue->record(Timing::yes); });
}
Error query(Event event) {
    bool ready = true;
    const Error error = guarded([&] { ready = !event->handle || event->handle->ready(); });
    return error == success && !ready ? not_ready : error;
}
Error synchronize(Event event) {
    return guarded([&] {
        if (event->handle) event->handle->wait();
    });
}
Error milliseconds_between(float& time, Event earlier, Event later) {
    return guarded(
        [&] { time = static_cast<float>(1e3 * later->handle->seconds_since(*earlier->handle)); });
}

Error begin_capture(Stream stream) {
    return guarded([&] { stream->queue->begin_capture(); });
}
Error end_capture(Graph& graph, Stream stream) {
    return guarded([&] { graph = new GraphState{stream->queue->end_capture()}; });
}
Error is_capturing(bool& yes, Stream stream) { return yes = stream->queue->records(), success; }
Error make_runnable(RunnableGraph& runnable, Graph graph) {
    return runnable = new GraphState(*graph), success;
}
void drop(Graph graph) { delete graph; }
Error replay(RunnableGraph graph, Stream stream) {
    return guarded([&] {
        graph->work->replay(*stream->queue);
        if (machine().seed == 0) stream->queue->synchronize();
    });
}

Error allocate(void*& memory, std::size_t bytes) {
    Error error = Error::out_of_memory;
    try {
        host::HostDevice& device = *machine().device;
        memory = device.arena->allocate(std::max<std::size_t>(bytes, 1));
        device.open_memory();
        host::Arena::poison(memory, device.arena->size_of(memory));
        device.close_memory();
        error = success;
    } catch (const core::DeviceError&) {
    }
    return say(error);
}
void release(void* memory) {
    if (memory == nullptr) return;
    const Error before = pending;
    static_cast<void>(synchronize_device());
    pending = before;
    machine().device->arena->release(memory);
}
Error allocate_pinned(void*& memory, std::size_t bytes) {
    return guarded([&] {
        memory = machine().device->memory.allocate(bytes);
        const std::lock_guard lock(machine().mutex);
        machine().pinned.emplace(memory, bytes);
    });
}
void release_pinned(void* memory) {
    {
        const std::lock_guard lock(machine().mutex);
        machine().pinned.erase(memory);
    }
    machine().device->memory.release(memory);
}

Error copy(void* to, const void* from, std::size_t bytes, Stream stream) {
    if (is_ordinary(from)) {  // read before the call returns
        const auto* first = static_cast<const std::byte*>(from);
        auto staged = std::make_shared<std::vector<std::byte>>(first, first + bytes);
        return enqueue("copy", stream, [=] { std::memcpy(to, staged->data(), bytes); });
    }
    const Error error = enqueue("copy", stream, [=] { std::memcpy(to, from, bytes); });
    return error == success && is_ordinary(to) ? synchronize(stream) : error;
}
Error fill_bytes(void* to, std::uint8_t value, std::size_t bytes, Stream stream) {
    return enqueue("fill", stream, [=] { std::memset(to, value, bytes); });
}
Error is_pageable(bool& yes, const void* memory) {
    yes = is_ordinary(memory);
    return yes ? say(Error::invalid_value) : success;
}

Error enqueue(const char* name, Stream stream, std::function<void()> work) {
    return guarded(
        [&] { stream->queue->submit(name, [work = std::move(work)](ThreadPool&) { work(); }); });
}

Error launch_fibers(const char* name, const Shape& shape, Stream stream, bool together,
                    std::function<void()> kernel) {
    const std::int64_t lanes = std::int64_t{shape.blocks} * shape.rows * shape.lanes;
    if (lanes == 0 || lanes > most_lanes || shape.lanes > emulated::most_block_lanes ||
        shape.shared_bytes > emulated::block_bytes ||
        (together && lanes > 2 * emulated::most_block_lanes))  // more than two processors hold
        return say(Error::invalid_value);
    const Error error = enqueue(name, stream, [=, kernel = std::move(kernel)] {
        emulated::run_blocks(name, {shape.blocks, shape.rows}, shape.lanes, shape.shared_bytes,
                             together, kernel);
    });
    return error == success ? last_error() : error;
}

Error Pool::take(void*& memory, std::size_t bytes, Stream stream) {
    const Error error = OwnPool::take(memory, bytes, stream);
    if (error == success) poison(memory, stream);
    return error;
}
void Pool::give(void* memory, Stream stream) noexcept {
    try {
        poison(memory, stream);
    } catch (...) {
        // There is no memory for the command.
    }
    OwnPool::give(memory, stream);
}

}  // namespace aureole::device::gpu
