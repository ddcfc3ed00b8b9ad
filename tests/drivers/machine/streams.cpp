// SPDX-License-Identifier: Apache-2.0
#include "machine/streams.hpp"

#include <sched.h>
#include <time.h>

#include <algorithm>
#include <thread>

#include "machine/delay.hpp"
#include "machine/settings.hpp"
#include "machine/status.hpp"
#include "machine/stream_state.hpp"

namespace aureole::emulated {

Progress& progress() {
    static auto* only = new Progress;
    return *only;
}

bool streams_are_late() {
    static const bool late = settings().late_us > 0;
    return late;
}

void sleep_until(Clock::time_point end) {
    const auto left = end - Clock::now();
    if (left.count() <= 0) return;
    const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(left).count();
    timespec time{ns / 1000000000, ns % 1000000000};
    while (nanosleep(&time, &time) != 0) continue;
}

namespace {

/// A number in [0, 1) from the seed; the caller holds the lock.
double random_part(Progress& all) {
    std::uint64_t x = settings().seed * 0x9E3779B97F4A7C15u + ++all.drawn * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return static_cast<double>((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

bool is_done(const Task& task) {
    return std::all_of(task.after.begin(), task.after.end(),
                       [](const Ticket& each) { return each.stream->completed >= each.number; });
}

void finish(Stream& stream, Progress& all) {
    ++stream.completed;
    all.changed.notify_all();
}

/// Threads of this kind, when they wake, do not take the processor from the one that is running: a
/// device does not either when it is given work. At work they are like any other.
void be_modest(bool is_modest) {
    const sched_param none{};
    sched_setscheduler(0, is_modest ? SCHED_BATCH : SCHED_OTHER, &none);
}

/// The thread of a stream: one task after the other, until the stream is closed and empty.
void run_stream(const StreamPtr& stream) {
    sleep_exactly();
    auto& all = progress();
    std::unique_lock lock(all.mutex);
    while (true) {
        if (stream->tasks.empty() && !stream->closing) {
            be_modest(true);
            while (stream->tasks.empty() && !stream->closing) stream->arrived.wait(lock);
            be_modest(false);
        }
        if (stream->tasks.empty()) break;
        Task task = std::move(stream->tasks.front());
        stream->tasks.pop_front();
        lock.unlock();
        sleep_until(task.start);
        lock.lock();
        while (stream->completed + 1 != task.number || !is_done(task)) all.changed.wait(lock);
        lock.unlock();
        if (task.work) task.work();
        task.work = nullptr;
        lock.lock();
        if (task.mark) task.mark();
        finish(*stream, all);
    }
    std::erase(stream->group->streams, stream);
    all.changed.notify_all();
}

/// The work, besides its own stream's, that a task of this stream has to wait for.
std::vector<Ticket> order_of(const StreamPtr& stream) {
    std::vector<Ticket> after;
    const auto add = [&](const StreamPtr& other) {
        if (other->completed < other->given) after.push_back({other, other->given});
    };
    if (stream->first) {
        for (const auto& other : stream->group->streams)
            if (other->blocking) add(other);
    } else if (stream->blocking) {
        add(stream->group->first);
    }
    return after;
}

Task make_task(const StreamPtr& stream, Work work, bool prompt, Progress& all) {
    Task task;
    task.work = std::move(work);
    task.after = order_of(stream);
    task.number = ++stream->given;
    task.start = Clock::now();
    if (!prompt)
        task.start += std::chrono::nanoseconds(
            static_cast<long>(random_part(all) * settings().late_us * 1e3));
    return task;
}

void put(const StreamPtr& stream, Task task) {
    stream->tasks.push_back(std::move(task));
    if (!stream->started) {
        stream->started = true;
        std::thread(run_stream, stream).detach();
    }
    stream->arrived.notify_one();
}

void await(Stream& stream, std::uint64_t number, std::unique_lock<std::mutex>& lock) {
    while (stream.completed < number) progress().changed.wait(lock);
}

/// Whether work is being recorded; then it goes to the graph.
bool recorded(const StreamPtr& stream, Work& work) {
    if (!stream->capture.load(std::memory_order_acquire)) return false;
    const std::lock_guard lock(progress().mutex);
    if (!stream->graph) return false;
    stream->graph->work.push_back(std::move(work));
    return true;
}

}  // namespace

GroupPtr create_group(int device, void* owner) {
    auto group = std::make_shared<Group>();
    group->owner = owner;
    group->device = device;
    group->first = std::make_shared<Stream>();
    group->first->first = true;
    group->first->group = group;
    auto& all = progress();
    const std::lock_guard lock(all.mutex);
    group->first->id = ++all.streams;
    std::erase_if(all.groups, [](const auto& each) { return each.expired(); });
    all.groups.push_back(group);
    return group;
}

void* owner_of(const Group& group) { return group.owner; }
StreamPtr first_stream(const GroupPtr& group) { return group->first; }

StreamPtr create_stream(const GroupPtr& group, bool blocking, int priority) {
    auto stream = std::make_shared<Stream>();
    stream->group = group;
    stream->blocking = blocking;
    stream->priority = priority;
    auto& all = progress();
    const std::lock_guard lock(all.mutex);
    stream->id = ++all.streams;
    group->streams.push_back(stream);
    return stream;
}

void destroy_stream(const StreamPtr& stream) {
    const std::lock_guard lock(progress().mutex);
    stream->closing = true;
    stream->arrived.notify_one();
    if (!stream->started) std::erase(stream->group->streams, stream);
}

bool is_closed(const Group& group) { return group.closed; }

void close_group(const GroupPtr& group) {
    group->closed = true;
    wait_for_group(group);
    std::vector<StreamPtr> all;
    {
        const std::lock_guard lock(progress().mutex);
        all = group->streams;
    }
    for (const auto& each : all) destroy_stream(each);
    destroy_stream(group->first);
}

int device_of(const Stream& stream) { return stream.group->device; }
bool is_blocking(const Stream& stream) { return stream.blocking; }
int priority_of(const Stream& stream) { return stream.priority; }
std::uint64_t id_of(const Stream& stream) { return stream.id; }
GroupPtr group_of(const Stream& stream) { return stream.group; }

int give(const StreamPtr& stream, Work work, bool prompt) {
    if (recorded(stream, work)) return success;
    if (!streams_are_late()) {
        work();
        return success;
    }
    auto& all = progress();
    const std::lock_guard lock(all.mutex);
    put(stream, make_task(stream, std::move(work), prompt, all));
    return success;
}

int give_mark(const StreamPtr& stream, Work mark) {
    auto& all = progress();
    Work alone = [&all, mark] {
        const std::lock_guard lock(all.mutex);
        mark();
        all.changed.notify_all();
    };
    if (recorded(stream, alone)) return success;
    if (!streams_are_late()) {
        alone();
        return success;
    }
    const std::lock_guard lock(all.mutex);
    Task task = make_task(stream, nullptr, true, all);
    task.mark = std::move(mark);
    put(stream, std::move(task));
    return success;
}

int give_and_wait(const StreamPtr& stream, Work work) {
    if (stream->capture) return capture_unsupported;
    if (!streams_are_late()) {
        work();
        return success;
    }
    auto& all = progress();
    std::unique_lock lock(all.mutex);
    Task task = make_task(stream, std::move(work), true, all);
    const std::uint64_t number = task.number;
    if (stream->completed + 1 == number && is_done(task)) {  // nothing before it: do it here
        lock.unlock();
        task.work();
        lock.lock();
        finish(*stream, all);
        return success;
    }
    put(stream, std::move(task));
    await(*stream, number, lock);
    return success;
}

int ask(const StreamPtr& stream) {
    if (stream->capture) return capture_unsupported;
    if (!streams_are_late()) return success;
    const std::lock_guard lock(progress().mutex);
    const bool empty = stream->completed == stream->given;
    const bool sees_others = stream->first && !settings().bar.is_blind;
    return empty && (!sees_others || order_of(stream).empty()) ? success : not_ready;
}

int wait(const StreamPtr& stream) {
    if (stream->capture) return capture_unsupported;
    if (!streams_are_late()) return success;
    std::unique_lock lock(progress().mutex);
    const auto after = stream->first ? order_of(stream) : std::vector<Ticket>{};
    await(*stream, stream->given, lock);
    for (const auto& each : after) await(*each.stream, each.number, lock);
    return success;
}

void wait_for_group(const GroupPtr& group) {
    if (!streams_are_late()) return;
    std::unique_lock lock(progress().mutex);
    std::vector<Ticket> all = {{group->first, group->first->given}};
    for (const auto& each : group->streams) all.push_back({each, each->given});
    for (const auto& each : all) await(*each.stream, each.number, lock);
}

void wait_for_device(int device) {
    if (!streams_are_late()) return;
    std::vector<GroupPtr> groups;
    {
        const std::lock_guard lock(progress().mutex);
        for (const auto& each : progress().groups)
            if (auto group = each.lock(); group && group->device == device)
                groups.push_back(std::move(group));
    }
    for (const auto& group : groups) wait_for_group(group);
}

}  // namespace aureole::emulated
