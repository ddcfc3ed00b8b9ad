// SPDX-License-Identifier: Apache-2.0
#include "tasks/executors.hpp"

#include <string>

namespace aureole::tasks {

namespace {

constexpr int most_queues = 128, most_items = 4096;
constexpr std::int64_t most_scratch = std::int64_t{1} << 40;  ///< bytes of an item

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

}  // namespace

void Batch::settle(Worker& worker, State*& ready) { executors.settle(worker, *this, ready); }

Executors::Executors(Pool& pool, device::Device& device, ExecutorOptions options)
    : pool_(pool),
      options_(checked(options)),
      first_lane_(pool.poller().take_lanes(options.queues)),
      pending_(static_cast<std::size_t>(options.queues)),
      idle_(options.queues) {
    add_executor(device);
    at_once_ = !executors_[0]->queue.record().state();
    const int count = at_once_ ? pool.workers() : options.queues;
    while (queues() < count) add_executor(device);
}

Executors::~Executors() {
    executors_.clear();  // queues first: one that was given up may still need what its items have
    Worker* const worker = Worker::here();
    while (Alone* const item = given_up_) {
        given_up_ = item->given_up_before;
        item->drop(worker ? worker->recycler() : nullptr);
    }
}

void Executors::add_executor(device::Device& device) {
    executors_.push_back(std::make_unique<Executor>(device, device::QueueOptions{.threads = 1}));
}

Kind& Executors::kind_of(const void* type) {
    for (Kind& kind : kinds_)
        if (kind.type == type) return kind;
    return kinds_.emplace_back(Kind{type});
}

void Executors::close_if_due(Worker& worker, Kind& kind, Lock& lock) {
    if (idle_ == 0 && static_cast<int>(kind.open->states.size()) < options_.most) return;
    close(worker, kind, least_busy(), lock);
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
        give(worker, executor, {}, *next, [&] {
            next->launch(executor.queue, scratch_of(executor, next->scratch_bytes),
                         stride_of(next->scratch_bytes));
        });
        lock.lock();
    }
    executor.launching = false;
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

/// Waits for the queue and takes its error, which was told already; false if it does not end.
bool Executors::forget_error(Executor& executor) noexcept {
    try {
        if (!pool_.poller().wait(executor.queue.record())) {
            executor.failed = true;
            return false;
        }
    } catch (...) {
        // The same error.
    }
    try {
        executor.queue.synchronize();
    } catch (...) {
        // Told already.
    }
    return true;
}

/// Blocks the worker until the event.
void Executors::await(Outside& outside) const noexcept {
    try {
        outside.given_up = !pool_.poller().wait(outside.event);
        if (outside.given_up)
            outside.error =
                pool_.poller().nothing_happened({"work for " + describe(outside.asker())});
    } catch (...) {
        outside.error = std::current_exception();
    }
}

void Executors::Alone::settle(Worker& worker, State*& ready) {
    const int at = lane - executors->first_lane_;
    if (Outside::error && !given_up) executors->executors_[at]->failed = true;
    executors->pending_[at].fetch_sub(1, std::memory_order_relaxed);
    if (given_up) {
        hold();
        const Lock lock(executors->mutex_);
        given_up_before = std::exchange(executors->given_up_, this);
    }
    Pending::settle(worker, ready);
}

void Executors::reserve(std::int64_t scratch_bytes) {
    for (const auto& executor : executors_) scratch_of(*executor, scratch_bytes);
}

std::byte* Executors::scratch_of(Executor& executor, std::int64_t bytes_of_item) {
    const std::int64_t bytes = stride_of(bytes_of_item) * (at_once_ ? 1 : options_.most);
    if (executor.scratch.size() < bytes) executor.scratch.resize(executor.queue, bytes);
    return executor.scratch.data();
}

/// A batch is done: its states are ready, and its executor takes the batch that was opened first if
/// it has nothing else.
void Executors::settle(Worker& worker, Batch& batch, State*& ready) {
    for (auto state = batch.states.rbegin(); state != batch.states.rend(); ++state) {
        if (batch.error) (*state)->set_error((*state)->scope->fail(**state, batch.error));
        (*state)->next = ready;
        ready = *state;
    }
    const int lane = batch.lane - first_lane_;
    Executor& executor = *executors_[lane];
    // Of one that was given up, the queue may still need what the items have.
    const bool given_up = batch.given_up;
    if (batch.error && !given_up) executor.failed = true;
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

/// A future with the exception that is being handled.
Future<void> Executors::failed(Worker& worker, const char* name, Origin place) {
    auto* state = start<StateOf<void>>(worker, worker.scope, name, place);
    Future<void> future(state);
    state->set_error(state->scope->fail(*state, std::current_exception()));
    state->finish(worker);
    return future;
}

ExecutorCounts Executors::counts() const {
    ExecutorCounts sum;
    {
        const std::lock_guard lock(mutex_);
        sum.items = items_;
        sum.batches = closed_;
    }
    for (const auto& executor : executors_) {
        sum.items += executor->items;
        sum.batches += executor->items;
        sum.queues += executor->queue.counts();
    }
    return sum;
}

}  // namespace aureole::tasks
