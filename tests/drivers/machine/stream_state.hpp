// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>

#include "machine/streams.hpp"

namespace aureole::emulated {

using Clock = std::chrono::steady_clock;

/// A place in a stream's order.
struct Ticket {
    StreamPtr stream;
    std::uint64_t number = 0;
};

struct Task {
    Work work;
    Work mark;  ///< done under the lock, together with the end of the task
    std::vector<Ticket> after;
    std::uint64_t number = 0;
    Clock::time_point start;
};

struct Graph {
    std::vector<Work> work;
};

struct Stream {
    GroupPtr group;
    bool first = false;
    bool blocking = false;
    int priority = 0;
    std::uint64_t id = 0;
    std::atomic<bool> capture{false};
    // Under the lock of Progress:
    std::deque<Task> tasks;
    std::uint64_t given = 0;
    std::uint64_t completed = 0;
    bool started = false;
    bool closing = false;
    GraphPtr graph;
    std::uint64_t capture_id = 0;
    std::condition_variable arrived;
};

struct Group {
    int device = 0;
    void* owner = nullptr;
    std::atomic<bool> closed{false};
    StreamPtr first;
    std::vector<StreamPtr> streams;
};

/// The lock of all streams and events, and the news that some work was done.
struct Progress {
    std::mutex mutex;
    std::condition_variable changed;
    std::uint64_t drawn = 0;
    std::uint64_t streams = 0;
    std::uint64_t captures = 0;
    std::vector<std::weak_ptr<Group>> groups;
};

Progress& progress();

/// Gives a stream a mark instead of work: whoever sees the mark sees the stream past it as well.
int give_mark(const StreamPtr& stream, Work mark);
void sleep_until(Clock::time_point end);

}  // namespace aureole::emulated
