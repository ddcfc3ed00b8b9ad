// SPDX-License-Identifier: Apache-2.0
#include "tasks/pool.hpp"

#include <sched.h>

#include <algorithm>

#include "core/futex.hpp"
#include "core/wait.hpp"
#include "device/threads/cpu_limits.hpp"

namespace aureole::tasks {

namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

// As ThreadPool's threads between runs: it takes a tenth of a millisecond and more to be woken.
constexpr auto patience_of_idle = microseconds(2000);
constexpr auto patience_without_processor = microseconds(20);
constexpr int relaxations = 8;  ///< between two looks for work, 4 to 50 ns each
constexpr int looks_per_yield = 16, looks_per_yield_on_watch = 512;
constexpr auto yielded = microseconds(20);  ///< a longer sched_yield let another thread run
constexpr auto longest_watch = microseconds(50);
constexpr int part_of_idle_time = 64;  ///< that the one on watch may oversleep
constexpr int part_of_patience = 8;    ///< if nothing is pending

}  // namespace

Pool::Pool(device::Device host, PoolOptions options)
    : host_(std::move(host)), options_(options), poller_(*this) {
    if (options.patience.count() < 1 || options.patience > std::chrono::hours(24))
        throw core::InputError(
            "the patience is " + std::to_string(options.patience.count()) + " ms",
            "it is at least 1 ms and at most a day", "Choose a time between these.");
    const int size = host_.threads().size();
    patient_ = !device::sanitized && size <= device::usable_threads();
    for (int rank = 0; rank < size; ++rank)
        workers_.push_back(std::make_unique<Worker>(*this, rank));
}

void Pool::run(const std::function<void(Scope&)>& root) {
    if (Worker::here() && &Worker::here()->pool == this)
        throw core::Error("a task waits for itself or its like",
                          "Pool::run was called in a task of the same pool",
                          "Make a Scope in the task.");
    const std::lock_guard lock(turn_);
    ended_.store(false);
    progressed_ = looked_ = Clock::now();
    std::exception_ptr error;
    host_.threads().run([&](int partition) {
        Worker& worker = *workers_[partition];
        inside.fetch_add(1);
        const auto leave = [&, outer = std::exchange(Worker::here_, &worker)](Worker* here) {
            here->return_credit();
            inside.fetch_sub(1);
            Worker::here_ = outer;
        };
        const std::unique_ptr<Worker, decltype(leave)> here(&worker, leave);
        if (partition == 0) error = lead(worker, root);
        worker.work(ended_);
    });
    if (error) std::rethrow_exception(error);
}

/// Runs the root function and waits for its scope; returns the error.
std::exception_ptr Pool::lead(Worker& worker, const std::function<void(Scope&)>& root) {
    std::exception_ptr error;
    worker.job = nullptr;
    try {
        Scope scope;
        worker.scope = &scope;
        try {
            root(scope);
        } catch (...) {
            scope.fail(std::current_exception());
        }
        scope.join();
    } catch (...) {
        error = std::current_exception();
    }
    ended_.store(true);
    for (const auto& other : workers_) wake(*other);
    return error;
}

void Pool::put(Job* job) {
    {
        const std::lock_guard lock(of_all_lock_);
        of_all_.push_back(job);
    }
    if (sleepers_.load() > 0) wake_one();
}

Job* Pool::take(std::uint64_t random) {
    const std::lock_guard lock(of_all_lock_);
    if (of_all_.empty()) return nullptr;
    std::swap(of_all_[random % of_all_.size()], of_all_.back());
    Job* const job = of_all_.back();
    of_all_.pop_back();
    return job;
}

bool Pool::wake(Worker& worker) {
    std::uint32_t asleep = 1;
    if (worker.parked.load() != asleep || !worker.parked.compare_exchange_strong(asleep, 2))
        return false;
    sleepers_.fetch_sub(1);  // before the worker goes on, for others_sleep()
    worker.parked.store(0);
    core::futex_wake(worker.parked);
    return true;
}

void Pool::wake_one() {
    for (const auto& worker : workers_)
        if (wake(*worker)) return;
}

void Pool::keep_watch() {
    if (sleepers_.load() > 0 && poller_.pending() > 0 && !near_.load()) [[unlikely]]
        wake_one();
}

void Pool::rest(Worker& worker, Clock::time_point since, const std::atomic<bool>& ended) {
    const auto patience = patient_ ? patience_of_idle : patience_without_processor;
    auto now = Clock::now();
    if (now - since < patience) {
        for (int k = 0; k < relaxations; ++k) core::relax();
        // Giving way can take a time slice, in which no event is seen.
        const bool pending = poller_.pending() > 0;
        if (worker.random() % (pending ? looks_per_yield_on_watch : looks_per_yield) != 0) return;
        sched_yield();
        if (Clock::now() - now < yielded) return;
        now = Clock::now();
    }
    sleep(worker, now - since, ended);
}

/// Sleeps until there is work, but one worker for short times only if something is pending outside,
/// and one for longer times that nothing may happen. What comes after `parked` is seen by whoever
/// brings work later; what was brought before is seen here.
void Pool::sleep(Worker& worker, nanoseconds idle, const std::atomic<bool>& ended) {
    const bool pending = poller_.pending() > 0;
    auto& post = pending ? near_ : far_;
    const bool watches = !post.exchange(true);
    if (watches && overdue()) poller_.give_up(worker);
    const nanoseconds far = nanoseconds(options_.patience) / part_of_patience;
    const nanoseconds near = std::min<nanoseconds>(longest_watch, idle / part_of_idle_time);
    worker.parked.store(1);
    sleepers_.fetch_add(1);
    const bool guarded = poller_.pending() == 0 || near_.load();
    if (guarded && !work_visible() && !ended.load())
        core::futex_wait(worker.parked, 1, !watches ? nanoseconds::max() : pending ? near : far);
    std::uint32_t asleep = 1;
    if (worker.parked.compare_exchange_strong(asleep, 0)) sleepers_.fetch_sub(1);
    while (worker.parked.load() != 0) core::relax();
    if (watches) post.store(false);
}

bool Pool::work_visible() const {
    const std::lock_guard lock(of_all_lock_);
    return !of_all_.empty() ||
           std::any_of(workers_.begin(), workers_.end(), [](auto& w) { return !w->deque.empty(); });
}

/// Whether nothing has happened for too long, in which the process was not stopped.
bool Pool::overdue() {
    const std::unique_lock lock(watchdog_, std::try_to_lock);
    if (!lock) return false;
    std::uint64_t progress = 0;
    for (const auto& worker : workers_) progress += worker->done.load(std::memory_order_relaxed);
    const auto now = Clock::now();
    const bool stopped = now - std::exchange(looked_, now) > options_.patience / 2;
    if (std::exchange(progress_, progress) != progress || stopped) progressed_ = now;
    return now - progressed_ > options_.patience;
}

std::vector<State*> Pool::awaited() const {
    std::vector<State*> all;
    for (const auto& each : workers_)
        each->recycler()->each_in_use([&](void* block) {
            State* const state = static_cast<Job*>(block)->state();
            if (state && state->waiting()) all.push_back(state);
        });
    return all;
}

std::size_t Pool::memory() const {
    std::size_t bytes = 0;
    for (const auto& worker : workers_) bytes += worker->recycler()->bytes();
    return bytes;
}

double Pool::idle_seconds() const {
    Clock::duration sum{};
    for (const auto& worker : workers_) sum += worker->idle;
    return std::chrono::duration<double>(sum).count();
}

std::size_t Pool::in_use() const {
    std::size_t count = 0;
    for (const auto& worker : workers_) worker->recycler()->each_in_use([&](void*) { ++count; });
    return count;
}

}  // namespace aureole::tasks
