// SPDX-License-Identifier: Apache-2.0
#include "tasks/executors.hpp"

#include <stdexcept>
#include <string>
#include <thread>

#include "core/wait.hpp"

namespace aureole::tasks {

namespace {

constexpr int most_queues = 128, most_items = 4096;
constexpr std::int64_t most_scratch = std::int64_t{1} << 40;  ///< bytes of an item
constexpr int looks_per_yield = 64;                           ///< of a worker that is blocked

ExecutorOptions checked(const ExecutorOptions& options) {
    const auto check = [](const std::string& what, int value, int most) {
        if (value < 1 || value > most)
            throw core::InputError(what + " is " + std::to_string(value),
                                   "it is at least 1 and at most " + std::to_string(most),
                                   "Choose a number between these.");
    };
    check("the number of executors", options.queues, most_queues);
    check("the number of items that a batch has at most", options.most, most_items);
    return options;
}

/// Flag that a callback sets. Errors come from the event, which is also asked now and then before
/// the callback has come: after an error the callback may not come.
struct Called final : device::detail::EventState {
    bool ready() const override {
        const bool called = come.load(std::memory_order_acquire);
        if (!called && ++looks % looks_per_event != 0) return false;
        try {
            return event.ready() && called;
        } catch (...) {
            self.reset();  // the event is later than the callback, which does not come any more
            throw;
        }
    }
    void wait() const override { event.wait(); }
    double seconds_since(const EventState&) const override { return 0; }

    static constexpr int looks_per_event = 16;
    std::atomic<bool> come{false};
    mutable int looks = 0;
    device::Event event;
    mutable std::shared_ptr<Called> self;  ///< until the callback has come
};

/// An event of the work that the queue was given so far, as it is to be noticed.
device::Event noticed(device::Queue& queue, Notice notice) {
    if (notice != Notice::callback) return queue.record();
    const auto called = std::allocate_shared<Called>(device::Recycled<Called>());
    called->self = called;
    const auto come = [](void* data) {
        const auto held = std::move(static_cast<Called*>(data)->self);
        held->come.store(true, std::memory_order_release);
    };
    try {
        queue.call(come, called.get());
    } catch (...) {
        called->self.reset();
        throw;
    }
    called->event = queue.record();
    return device::Event(called);
}

}  // namespace

Executors::Executors(Pool& pool, device::Device& device, ExecutorOptions options)
    : pool_(pool),
      options_(checked(options)),
      first_lane_(pool.poller().take_lanes(options.queues)),
      pending_(static_cast<std::size_t>(options.queues)),
      idle_(options.queues) {
    const auto add = [&] { executors_.push_back(std::make_unique<Executor>(device)); };
    add();
    at_once_ = !executors_[0]->queue.record().state();
    const int count = at_once_ ? pool.workers() : options.queues;
    while (queues() < count) add();
}

Kind& Executors::kind_of(const void* type) {
    for (Kind& kind : kinds_)
        if (kind.type == type) return kind;
    return kinds_.emplace_front(Kind{type});
}

int Executors::least_busy() const {
    return static_cast<int>(std::min_element(pending_.begin(), pending_.end()) - pending_.begin());
}

/// Gives a kind's open batch to an executor. One worker at a time launches for it, and others leave
/// theirs behind: nobody is held up, and events come in the order of their lane.
void Executors::close(Worker& worker, Kind& kind, int lane, Lock& lock) {
    Executor& executor = *executors_[lane];
    Batch* const batch = std::exchange(kind.open, nullptr);
    batch->lane = first_lane_ + lane;
    batch->following = nullptr;
    (executor.closed ? executor.last_closed->following : executor.closed) = batch;
    executor.last_closed = batch;
    if (pending_[lane]++ == 0) --idle_;
    ++closed_;
    if (std::exchange(executor.launching, true)) return;
    while (Batch* const next = executor.closed) {
        executor.closed = next->following;
        lock.unlock();
        launch(worker, executor, *next);
        lock.lock();
    }
    executor.launching = false;
}

/// Enqueues a batch; called by one worker at a time. The batch is settled when its work is done, or
/// has failed.
void Executors::launch(Worker& worker, Executor& executor, Batch& batch) noexcept {
    const bool waits = options_.notice == Notice::wait;
    worker.making = true;
    try {
        if (executor.failed.load(std::memory_order_relaxed) && executor.failed.exchange(false))
            forget_error(executor);
        batch.launch(executor.queue, scratch_of(executor, batch.scratch_bytes),
                     stride_of(batch.scratch_bytes));
        batch.event = noticed(executor.queue, options_.notice);
        batch.given_up = waits && !wait(batch.event);
        if (batch.given_up)
            batch.error = pool_.poller().nothing_happened("work for " + describe(batch.asker()));
    } catch (...) {
        batch.error = std::current_exception();
        batch.given_up = !forget_error(executor);  // what was enqueued may need the items
    }
    worker.making = false;
    if (!waits && !batch.error) return pool_.poller().add(&batch);
    State* ready = nullptr;
    batch.settle(worker, ready);
    finish_all(worker, ready, true);  // not inside of submit()
}

/// Blocks the worker until the event is ready; false where nothing happens for too long.
bool Executors::wait(const device::Event& event) const {
    // Asked for, as the blocking calls of devices do not end where the event never comes.
    const auto begin = Clock::now();
    for (int looks = 1; !event.ready(); ++looks) {
        core::relax();
        if (looks % looks_per_yield != 0) continue;
        if (Clock::now() - begin > pool_.options().patience) return event.ready();
        std::this_thread::yield();
    }
    return true;
}

/// Waits for the queue and takes its error, which was reported already; false if it does not end.
bool Executors::forget_error(Executor& executor) noexcept {
    bool ends = true;
    try {
        ends = wait(executor.queue.record());
        executor.failed = !ends;
    } catch (...) {
        // The same error.
    }
    try {
        if (ends) executor.queue.synchronize();
    } catch (...) {
        // Reported already.
    }
    return ends;
}

void Executors::check(const Worker& worker, std::int64_t scratch_bytes) const {
    if (&worker.pool != &pool_)
        throw std::logic_error("an item was submitted by a task of another pool");
    if (worker.making)
        throw std::logic_error("an item was submitted by the function that makes another one");
    if (scratch_bytes < 0 || scratch_bytes > most_scratch)
        throw std::logic_error("an item cannot have " + std::to_string(scratch_bytes) +
                               " bytes of scratch memory");
}

void Executors::reserve(std::int64_t scratch_bytes) {
    for (const auto& executor : executors_) scratch_of(*executor, scratch_bytes);
}

std::byte* Executors::scratch_of(Executor& executor, std::int64_t bytes_of_item) {
    const std::int64_t bytes = stride_of(bytes_of_item) * (at_once_ ? 1 : options_.most);
    if (executor.scratch.size() < bytes) executor.scratch.resize(executor.queue, bytes);
    return executor.scratch.data();
}

/// A batch is done: it is free, and its executor takes the batch that was opened first if it has
/// nothing else.
void Executors::take_back(Worker& worker, Batch& batch) {
    const int lane = batch.lane - first_lane_;
    // Of one that was given up, the queue may still need what the items have.
    const bool given_up = batch.given_up;
    if (batch.error && !given_up) executors_[lane]->failed = true;
    if (!given_up) batch.clear();
    Lock lock(mutex_);
    if (!given_up) {
        batch.following = batch.kind.free;
        batch.kind.free = &batch;
    }
    if (--pending_[lane] > 0) return;
    ++idle_;
    Kind* oldest = nullptr;
    for (Kind& kind : kinds_)
        if (kind.open && (!oldest || kind.open->serial < oldest->open->serial)) oldest = &kind;
    if (oldest) close(worker, *oldest, lane, lock);
}

/// The future of a state that fails with the exception that is being handled.
Future Executors::failed(Worker& worker, State* state) {
    Future future(state);
    state->set_error(state->scope->fail(*state, std::current_exception()));
    state->finish(worker);
    return future;
}

ExecutorCounts Executors::counts() const {
    const std::lock_guard lock(mutex_);
    ExecutorCounts sum{items_, closed_, {}};
    for (const auto& executor : executors_) {
        sum.items += executor->items;
        sum.batches += executor->items;
        sum.queues += executor->queue.counts();
    }
    return sum;
}

}  // namespace aureole::tasks
