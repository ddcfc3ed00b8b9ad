// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "device/queue.hpp"
#include "tasks/future.hpp"
#include "tasks/inbox.hpp"

namespace aureole::tasks {

/// How workers learn that work of a queue is done: they ask between tasks; a thread of the device's
/// driver writes so into memory, which they read; or the worker that asks is blocked until then
/// (both for comparison).
enum class Notice { poll, callback, wait };

/// Makes futures of what happens outside the pool. A lane is a queue that works in order, so its
/// events come in order too: of each lane the oldest pending one is asked, by one worker at a time,
/// between tasks and at most every 2 µs.
class Poller {
  public:
    explicit Poller(Pool& pool) : pool_(pool) {}

    /// Ready when the event is. What `ready()` of an event throws is the error of all futures of
    /// its lane. Lanes are small numbers; of one lane, events are to be given in their order.
    Future<void> when(device::Event event, int lane, Origin place = Origin::current());
    /// Ready when the work is done that the queue was given so far.
    Future<void> when(device::Queue& queue, int lane, Notice notice = Notice::poll,
                      Origin place = Origin::current());
    /// Ready when arrived(what) is true, for what is no event.
    Future<void> watch(bool (*arrived)(void*), void* what, Origin place = Origin::current());

    /// How many futures are not ready (new ones count as one); how often an event was asked.
    std::int64_t pending() const { return pending_.count(); }
    std::int64_t asked() const { return asked_.load(std::memory_order_relaxed); }

    // For the parts of this layer.
    bool due(Worker& worker) {
        return pending_.count(std::memory_order_relaxed) != 0 && --worker.until_look_ <= 0 &&
               late(worker);
    }
    /// Asks, if nobody else does; whether a future became ready.
    bool visit(Worker& worker);
    /// Fails all that is pending; what it was, and where it was asked for.
    void give_up(Worker& worker, const std::string& after);

  private:
    struct Pending final : StateOf<void> {
        Pending(Scope* owner, const char* called, Origin from, int of, device::Event&& asked,
                bool (*watched)(void*), void* about)
            : StateOf(owner, called, from),
              lane(of),
              event(std::move(asked)),
              arrived(watched),
              what(about) {}
        int lane;
        device::Event event;
        bool (*arrived)(void*);
        void* what;
    };
    /// What is pending of one queue, oldest first.
    struct Lane {
        std::vector<Pending*> pending;
        std::size_t first = 0;    ///< those before are done
        std::int64_t serial = 0;  ///< of the first
    };

    bool late(Worker& worker);
    Future<void> add(Worker& worker, int lane, device::Event&& event, bool (*arrived)(void*),
                     void* what, Origin place);
    void sort_in();
    void ask(Lane& lane);
    bool ready(const Pending& pending);
    void settle(Pending& pending, const std::exception_ptr& error);
    bool finish(Worker& worker);

    Pool& pool_;
    Pendings<Link> pending_;
    std::atomic<Clock::rep> last_{0};  ///< visit
    std::atomic<std::int64_t> asked_{0};

    // Of the visitor:
    std::vector<Lane> lanes_;
    std::vector<Pending*> watched_;
    State* settled_ = nullptr;  ///< a list
    std::int64_t settled_count_ = 0;
};

}  // namespace aureole::tasks
