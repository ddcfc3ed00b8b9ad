// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "device/queue.hpp"
#include "tasks/future.hpp"
#include "tasks/pendings.hpp"

namespace aureole::tasks {

/// Pending work of a queue up to an event.
struct Outside {
    /// The job that asked for the work, for reports.
    virtual const Job& asker() const = 0;
    /// When the work is done, or has failed with `error`: puts the states that become ready into a
    /// list.
    virtual void settle(Worker& worker, State*& ready) = 0;

    Outside* next = nullptr;
    int lane = 0;
    bool given_up = false;  ///< nothing happened for too long: it may still come
    device::Event event;
    std::exception_ptr error;

  protected:
    ~Outside() = default;
};

/// Pending work of a future.
struct Pending final : State, Outside {
    using State::State;
    const Job& asker() const override { return *this; }
    void settle(Worker& worker, State*& ready) override;
};

/// Makes futures of work outside the pool. A lane is a queue that works in order, so its events
/// come in order too: the oldest pending event of each lane is asked, by one worker at a time,
/// between tasks and at most every 2 µs.
class Poller {
  public:
    explicit Poller(Pool& pool) : pool_(pool) {}

    /// A future that is ready when the event is, which is asked at once. An error that the event's
    /// `ready()` throws is the future's. Lanes are small numbers; events of one lane are to be
    /// given in their order.
    Future when(device::Event event, int lane, Origin place = Origin::current());

    /// How many futures are not ready (new ones count as one); how often visits asked an event.
    std::int64_t pending() const { return pending_.count(); }
    std::int64_t asked() const { return asked_.load(std::memory_order_relaxed); }

    // For the parts of this layer.

    /// The error that lists what does not go on.
    std::exception_ptr nothing_happened(const std::string& what) const;
    /// The first of `count` lanes that nobody else has.
    int take_lanes(int count) { return lanes_taken_.fetch_add(count, std::memory_order_relaxed); }
    void add(Outside* outside);
    bool due(Worker& worker) {
        return pending_.count(std::memory_order_relaxed) != 0 && --worker.until_look_ <= 0 &&
               late(worker);
    }
    /// Asks, if nobody else does; whether a future became ready.
    bool visit(Worker& worker);
    /// Fails all pending work, and all futures that tasks wait for, if no other worker can do
    /// anything; the error says what they were, and where they were asked for.
    void give_up(Worker& worker);

  private:
    /// Pending work of one queue, oldest first.
    struct Lane {
        std::vector<Outside*> pending;
        std::size_t first = 0;    ///< those before are done
        std::int64_t serial = 0;  ///< of the first
    };

    bool late(Worker& worker);
    void sort_in() noexcept;
    void ask(Lane& lane);
    void put_settled(Outside* outside);
    bool finish(Worker& worker);

    Pool& pool_;
    Pendings<Outside> pending_;
    std::atomic<Clock::rep> last_{0};  ///< visit
    std::atomic<std::int64_t> asked_{0};
    std::atomic<int> lanes_taken_{0};

    // Of the visitor:
    std::vector<Lane> lanes_;
    Outside* settled_ = nullptr;  ///< a list
    std::int64_t settled_count_ = 0;
};

}  // namespace aureole::tasks
