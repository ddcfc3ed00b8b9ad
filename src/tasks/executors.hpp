// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <forward_list>
#include <memory>
#include <mutex>
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

/// Queues of one device to which the tasks of a pool give work, an item at a time. An item is a
/// list of kernels and copies in order. Items that come while all queues are busy share their
/// launches: a batch is closed when it has `most` items, at once where a queue is idle, or when one
/// becomes idle, so that nobody waits for a partner. On a host's plain queues work is done when the
/// call returns: there each worker has a queue of its own, and no batches form.
class Executors {
  public:
    /// Throws core::InputError for options that make no sense.
    Executors(Pool& pool, device::Device& device, ExecutorOptions options = {});
    Executors(const Executors&) = delete;
    Executors& operator=(const Executors&) = delete;

    /// Gives an item to a queue. `make(scratch)` returns its parts, a tuple of Kernel and Copy;
    /// scratch is device memory of so many bytes, 64-byte aligned, for this item until it is done.
    /// Items of one type of `make` form batches. `make` is kept until the item is done, and does
    /// not submit items itself. The future belongs to the calling task's scope; an error of the
    /// device or of `make` is the future's, with the item's name and place.
    template <class Make>
    Future submit(const char* name, std::int64_t scratch_bytes, Make make,
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
        explicit Executor(device::Device& device) : queue(device, {.threads = 1}) {}
        device::Queue queue;
        device::Buffer<std::byte> scratch;
        std::int64_t items = 0;           ///< computed at the call, in no batch
        std::atomic<bool> failed{false};  ///< its queue has an error that was reported
        bool launching = false;           ///< a worker is about to launch what is closed
        Batch *closed = nullptr, *last_closed = nullptr;
    };

    Kind& kind_of(const void* type);
    template <class Make>
    BatchOf<Make>& open_batch(Kind& kind);
    int least_busy() const;
    void close(Worker& worker, Kind& kind, int lane, Lock& lock);
    void launch(Worker& worker, Executor& executor, Batch& batch) noexcept;
    void take_back(Worker& worker, Batch& batch);
    /// For as many items as may be in a launch.
    std::byte* scratch_of(Executor& executor, std::int64_t bytes_of_item);
    static std::int64_t stride_of(std::int64_t bytes) { return (bytes + 63) / 64 * 64; }
    bool forget_error(Executor& executor) noexcept;
    bool wait(const device::Event& event) const;
    void check(const Worker& worker, std::int64_t scratch_bytes) const;
    static Future failed(Worker& worker, State* state);

    Pool& pool_;
    const ExecutorOptions options_;
    const int first_lane_;
    bool at_once_ = false;  ///< queues work at the call

    mutable core::SpinLock<> mutex_;  ///< of what follows, and of what executors have closed
    std::vector<int> pending_;        ///< unfinished batches of each executor
    int idle_;                        ///< executors that have none
    std::forward_list<Kind> kinds_;
    std::vector<std::unique_ptr<Batch>> batches_;  ///< all there are
    std::int64_t items_ = 0, closed_ = 0;

    // Destroyed first: a queue that was given up may still need what its batches have.
    std::vector<std::unique_ptr<Executor>> executors_;
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
Future Executors::submit(const char* name, std::int64_t scratch_bytes, Make make, Origin place) {
    static_assert(std::is_nothrow_move_constructible_v<Make>);
    Worker& worker = this_worker("an item was submitted");
    check(worker, scratch_bytes);
    if (at_once_) {
        Executor& executor = *executors_[worker.rank];
        ++executor.items;
        Future future;
        worker.making = true;
        try {
            std::apply([&](const auto&... part) { (enqueue(executor.queue, part), ...); },
                       make(scratch_of(executor, scratch_bytes)));
        } catch (...) {
            future = failed(worker, start<State>(worker, worker.scope, name, place));
        }
        worker.making = false;
        return future;
    }
    auto* const state = start<State>(worker, worker.scope, name, place);
    Lock lock(mutex_);
    try {
        Kind& kind = kind_of(&type_mark<Make>);
        auto& batch = open_batch<Make>(kind);
        batch.add(std::move(make), state);
        batch.scratch_bytes = std::max(batch.scratch_bytes, scratch_bytes);
        ++items_;
        if (idle_ > 0 || static_cast<int>(batch.states.size()) >= options_.most)
            close(worker, kind, least_busy(), lock);
    } catch (...) {
        return failed(worker, state);
    }
    return Future(state);
}

}  // namespace aureole::tasks
