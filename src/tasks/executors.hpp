// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

#include "device/buffer.hpp"
#include "tasks/batch.hpp"
#include "tasks/executor_options.hpp"
#include "tasks/pool.hpp"

namespace aureole::tasks {

struct ExecutorCounts {
    std::int64_t items = 0, batches = 0;
    device::QueueCounts queues;  ///< sums over all queues
};

/// While a worker makes and enqueues an item, in which it cannot submit others.
class Making {
  public:
    explicit Making(Worker& worker) : worker_(worker) { worker.making = true; }
    ~Making() { worker_.making = false; }
    Making(const Making&) = delete;
    Making& operator=(const Making&) = delete;

  private:
    Worker& worker_;
};

/// Queues of one device to which the tasks of a pool give work, an item at a time. An item is a
/// list of kernels and copies in order. Items that come while all queues are busy share their
/// launches: a batch is closed when it has `most` items, at once where a queue is idle, or when one
/// becomes idle, so that nobody waits for a partner. On a host's plain queues work is done when the
/// call returns: there each worker has a queue of its own, and no batches form.
class Executors {
  public:
    /// Throws core::InputError for options that make no sense.
    Executors(Pool& pool, device::Device& device, ExecutorOptions options = {});
    ~Executors();
    Executors(const Executors&) = delete;
    Executors& operator=(const Executors&) = delete;

    /// Gives an item to a queue. `make(scratch)` returns its parts, a tuple of Kernel and Copy;
    /// scratch is device memory of so many bytes, 64-byte aligned, for this item until it is done.
    /// Items of one type of `make` form batches. `make` is kept until the item is done, and does
    /// not submit items itself. The future belongs to the calling task's scope; an error of the
    /// device or of `make` is the future's, with the item's name and place.
    template <class Make>
    Future<void> submit(const char* name, std::int64_t scratch_bytes, Make make,
                        Origin place = Origin::current());

    /// Allocates scratch memory for items of so many bytes, before any is submitted.
    void reserve(std::int64_t scratch_bytes);

    int queues() const { return static_cast<int>(executors_.size()); }
    /// Between runs, or while nothing is submitted.
    ExecutorCounts counts() const;

  private:
    friend class Batch;
    using Lock = std::unique_lock<core::SpinLock<>>;

    struct Executor {
        Executor(device::Device& device, device::QueueOptions options) : queue(device, options) {}
        device::Queue queue;
        device::Buffer<std::byte> scratch;
        core::SpinLock<> giving;          ///< of who enqueues items of no batch
        std::int64_t items = 0;           ///< of no batch
        std::atomic<bool> failed{false};  ///< its queue has an error that was told
        bool launching = false;           ///< a worker is about to launch what is closed
        Batch *closed = nullptr, *last_closed = nullptr;
    };

    /// An item of no batch.
    struct Alone : Pending {
        using Pending::Pending;
        void settle(Worker& worker, State*& ready) override;
        Executors* executors = nullptr;
        Alone* given_up_before = nullptr;  ///< its work may still need it
    };
    template <class Make>
    struct AloneOf final : Alone {
        AloneOf(Scope* owner, const char* called, Origin from, Make&& f)
            : Alone(owner, called, from), make(std::move(f)) {}
        Make make;
    };

    template <class Make>
    Future<void> submit_alone(Worker& worker, const char* name, std::int64_t scratch_bytes,
                              Make make, Origin place);
    template <class Enqueue>
    void give(Worker& worker, Executor& executor, Lock lock, Outside& outside,
              Enqueue enqueue) noexcept;
    void await(Outside& outside) const noexcept;
    int least_busy() const;
    Kind& kind_of(const void* type);
    template <class Make>
    BatchOf<Make>& open_batch(Kind& kind);
    void add_executor(device::Device& device);
    void close_if_due(Worker& worker, Kind& kind, Lock& lock);
    void close(Worker& worker, Kind& kind, int lane, Lock& lock);
    void settle(Worker& worker, Batch& batch, State*& ready);
    /// For as many items as may be in a launch.
    std::byte* scratch_of(Executor& executor, std::int64_t bytes_of_item);
    static std::int64_t stride_of(std::int64_t bytes) { return (bytes + 63) / 64 * 64; }
    bool forget_error(Executor& executor) noexcept;
    void check(const Worker& worker, std::int64_t scratch_bytes) const;
    static Future<void> failed(Worker& worker, const char* name, Origin place);

    Pool& pool_;
    const ExecutorOptions options_;
    const int first_lane_;
    std::vector<std::unique_ptr<Executor>> executors_;
    bool at_once_ = false;                   ///< queues work at the call
    std::vector<std::atomic<int>> pending_;  ///< of each executor: batches or items alone

    mutable core::SpinLock<> mutex_;  ///< of what follows, and of what executors have closed
    int idle_;                        ///< executors that have no batch
    std::deque<Kind> kinds_;
    std::vector<std::unique_ptr<Batch>> batches_;  ///< all there are
    std::int64_t items_ = 0, closed_ = 0;
    Alone* given_up_ = nullptr;
};

/// Stands for a type.
template <class T>
inline constexpr char type_mark = 0;

template <class Make>
BatchOf<Make>& Executors::open_batch(Kind& kind) {
    if (!kind.open) {
        if (kind.free) {
            kind.open = std::exchange(kind.free, kind.free->following);
        } else {
            batches_.push_back(std::make_unique<BatchOf<Make>>(*this, kind, options_.most));
            kind.open = batches_.back().get();
        }
        kind.open->serial = items_;
    }
    return static_cast<BatchOf<Make>&>(*kind.open);
}

template <class Make>
Future<void> Executors::submit(const char* name, std::int64_t scratch_bytes, Make make,
                               Origin place) {
    static_assert(std::is_nothrow_move_constructible_v<Make>);
    Worker& worker = this_worker("an item was submitted");
    check(worker, scratch_bytes);
    if (at_once_ || options_.most == 1)
        return submit_alone(worker, name, scratch_bytes, std::move(make), place);
    auto* state = start<StateOf<void>>(worker, worker.scope, name, place);
    Future<void> future(state);
    Lock lock(mutex_);
    ++items_;
    Kind& kind = kind_of(&type_mark<Make>);
    auto& batch = open_batch<Make>(kind);
    batch.add(std::move(make), state);
    batch.scratch_bytes = std::max(batch.scratch_bytes, scratch_bytes);
    close_if_due(worker, kind, lock);
    return future;
}

template <class Make>
Future<void> Executors::submit_alone(Worker& worker, const char* name, std::int64_t scratch_bytes,
                                     Make make, Origin place) {
    const auto enqueue = [&](Executor& executor, Make& maker) {
        ++executor.items;
        using Item = std::invoke_result_t<Make&, std::byte*>;
        detail::AllParts<Item>::launch(executor.queue, maker(scratch_of(executor, scratch_bytes)));
    };
    if (at_once_) {
        const Making making(worker);
        try {
            enqueue(*executors_[worker.rank], make);
        } catch (...) {
            return failed(worker, name, place);
        }
        return {};
    }
    auto* const item = start<AloneOf<Make>>(worker, worker.scope, name, place, std::move(make));
    Future<void> future(static_cast<StateOf<void>*>(item));
    const int lane = least_busy();
    pending_[lane].fetch_add(1, std::memory_order_relaxed);
    item->executors = this;
    item->lane = first_lane_ + lane;
    Executor& executor = *executors_[lane];
    give(worker, executor, Lock(executor.giving), *item, [&] { enqueue(executor, item->make); });
    return future;
}

/// Lets `enqueue` give work to the executor's queue; called by one worker at a time. `outside` is
/// settled when that work is done, or has failed.
template <class Enqueue>
void Executors::give(Worker& worker, Executor& executor, Lock lock, Outside& outside,
                     Enqueue enqueue) noexcept {
    try {
        const Making making(worker);
        if (executor.failed.load(std::memory_order_relaxed) && executor.failed.exchange(false))
            forget_error(executor);
        enqueue();
        outside.event = Poller::noticed(executor.queue, options_.notice);
        if (options_.notice != Notice::wait) return pool_.poller().add(&outside);
    } catch (...) {
        outside.error = std::current_exception();
        outside.given_up = !forget_error(executor);  // what was enqueued may need the items
    }
    if (lock) lock.unlock();
    if (!outside.error) await(outside);
    State* ready = nullptr;
    outside.settle(worker, ready);
    finish_all(worker, ready, true);  // not inside of submit()
}

}  // namespace aureole::tasks
