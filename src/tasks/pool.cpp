// SPDX-License-Identifier: Apache-2.0
#include "tasks/pool.hpp"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <ctime>
#include <stdexcept>

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

void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t value, nanoseconds time) {
    const timespec span{time.count() / 1'000'000'000, time.count() % 1'000'000'000};
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, time.count() ? &span : nullptr, nullptr,
            0);
}

void futex_wake(std::atomic<std::uint32_t>& word) {
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace

/// A thread that processes a partition has its worker.
class Inside {
  public:
    explicit Inside(Worker& worker) : worker_(worker), outer_(Worker::here_) {
        Worker::here_ = &worker;
        worker.steps.fetch_add(1);
    }
    ~Inside() {
        worker_.return_credit();
        worker_.steps.fetch_add(1);
        Worker::here_ = outer_;
    }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

  private:
    Worker& worker_;
    Worker* outer_;
};

constinit thread_local Worker* Worker::here_ = nullptr;

Worker::Worker(Pool& owner, int number)
    : pool(owner),
      rank(number),
      seeded_(owner.options().seed != 0),
      sleepers_(owner.sleepers()),
      random_((owner.options().seed + number + 1) * 0x9e3779b97f4a7c15u | 1),
      recycler_(Recycler::borrow()) {}

std::uint64_t Worker::random() {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    return random_ ^= random_ << 17;
}

void Worker::put(Link* link) { pool.put(link); }
void Worker::wake_one() { pool.wake_one(); }

void Worker::borrow(Scope* of) {
    if (creditor_ != of) return_credit();
    of->take(lot);
    creditor_ = of;
    credit_ = lot;
}

void Worker::return_credit() {
    Scope* const of = std::exchange(creditor_, nullptr);
    if (const std::int64_t units = std::exchange(credit_, 0)) of->give(units);
}

Link* Worker::take() {
    Link* link = deques[1].take();
    if (!link) link = deques[0].take();
    // After the deque's store, in the order of all: sees every sleeper that did not see the rest.
    if (link && sleepers_.load(std::memory_order_seq_cst) > 0 &&
        !(deques[0].empty() && deques[1].empty()))
        wake_one();
    return link;
}

Link* Worker::steal() {
    const auto& workers = pool.all_workers();
    const std::size_t count = workers.size();
    if (count == 1) return nullptr;
    const std::size_t first = (random() >> 32) % count;
    for (const int order : {1, 0})
        for (std::size_t k = 0; k < count; ++k) {
            Worker& victim = *workers[(first + k) % count];
            if (Link* link = &victim == this ? nullptr : victim.deques[order].steal()) return link;
        }
    return nullptr;
}

Link* Worker::find() {
    if (seeded_) return pool.take(random() >> 32);
    Link* link = take();
    return link ? link : steal();
}

void Worker::work(const std::atomic<bool>& ended) {
    bool is_idle = false;
    Clock::time_point since;
    while (!ended.load(std::memory_order_acquire)) {
        if (pool.poller().due(*this) && pool.poller().visit(*this) && std::exchange(is_idle, false))
            idle += Clock::now() - since;
        if (Link* link = find()) {
            if (is_idle) {
                is_idle = false;
                idle += Clock::now() - since;
                // There may be more, and somebody should keep watch.
                if (sleepers_.load() > 0 && (!deques[0].empty() || pool.poller().pending() > 0))
                    wake_one();
            }
            link->run();
            done.store(done.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
            continue;
        }
        return_credit();
        if (ended.load(std::memory_order_acquire)) return;
        if (!std::exchange(is_idle, true)) since = Clock::now();
        steps.fetch_add(1);
        pool.rest(*this, since, ended);
        steps.fetch_add(1);
        until_look_ = 0;
    }
}

Pool::Pool(device::Device host, PoolOptions options)
    : host_(std::move(host)), options_(options), poller_(*this) {
    const int size = host_.threads().size();
    patient_ = !device::sanitized && size <= device::usable_threads();
    if (options_.trace) trace_.emplace(size);
    for (int rank = 0; rank < size; ++rank) {
        workers_.push_back(std::make_unique<Worker>(*this, rank));
        workers_.back()->trace = trace_ ? &*trace_ : nullptr;
    }
}

Pool::~Pool() = default;

void Pool::run_root(void (*call)(void*, Scope&, Origin), void* root, Origin place) {
    if (Worker::here() && &Worker::here()->pool == this)
        throw core::Error("a task waits for itself or its like",
                          "Pool::run was called in a task of the same pool",
                          "Make a Scope in the task.");
    const std::lock_guard lock(turn_);
    begun_.store(false);
    ended_.store(false);
    progressed_ = Clock::now();
    std::exception_ptr error;
    const auto lead = [&](Worker& worker) {
        begun_.store(true);
        try {
            Scope scope;
            worker.scope = &scope;
            worker.job = nullptr;
            try {
                call(root, scope, place);
            } catch (...) {
                scope.fail(std::current_exception());
            }
            scope.join();
        } catch (...) {
            error = std::current_exception();
        }
        ended_.store(true);
        for (const auto& other : workers_) wake(*other);
    };
    host_.threads().run([&](int partition) {
        Worker& worker = *workers_[partition];
        const Inside inside(worker);
        if (partition == 0) lead(worker);
        worker.work(ended_);
    });
    // Links that no scope waits for: of threads that wait for a future.
    const Inside inside(*workers_[0]);
    workers_[0]->finish_rest();
    if (error) std::rethrow_exception(error);
}

void Pool::put(Link* link) {
    {
        const std::lock_guard lock(of_all_lock_);
        of_all_.push_back(link);
    }
    if (sleepers_.load() > 0) wake_one();
}

Link* Pool::take(std::uint64_t random) {
    const std::lock_guard lock(of_all_lock_);
    if (of_all_.empty()) return nullptr;
    std::swap(of_all_[random % of_all_.size()], of_all_.back());
    Link* const link = of_all_.back();
    of_all_.pop_back();
    return link;
}

void Pool::wake(Worker& worker) {
    if (worker.parked.load() == 0 || worker.parked.exchange(0) == 0) return;
    sleepers_.fetch_sub(1);
    futex_wake(worker.parked);
}

void Pool::wake_one() {
    for (const auto& worker : workers_) {
        if (worker->parked.load(std::memory_order_relaxed) == 0 || worker->parked.exchange(0) == 0)
            continue;
        sleepers_.fetch_sub(1);
        return futex_wake(worker->parked);
    }
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

/// Sleeps until there is work. While something is pending outside, one worker sleeps for short
/// times only. What comes after `parked` is seen by whoever brings work later; what was brought
/// before is seen here.
void Pool::sleep(Worker& worker, nanoseconds idle, const std::atomic<bool>& ended) {
    const bool pending = poller_.pending() > 0;
    const bool watches = pending && !on_watch_.exchange(true);
    if (watches && overdue()) {
        worker.steps.fetch_add(1);
        poller_.give_up(worker);
        worker.steps.fetch_add(1);
    } else if (!pending && stuck()) {
        fail_waiting(worker);
    } else {
        worker.parked.store(1);
        sleepers_.fetch_add(1);
        const bool guarded = watches || poller_.pending() == 0 || on_watch_.load();
        if (guarded && !work_visible() && !ended.load())
            futex_wait(worker.parked, 1,
                       watches ? std::min<nanoseconds>(longest_watch, idle / part_of_idle_time)
                               : nanoseconds(0));
        if (worker.parked.exchange(0) == 1) sleepers_.fetch_sub(1);
    }
    if (watches) on_watch_.store(false);
}

bool Pool::work_visible() const {
    const std::lock_guard lock(of_all_lock_);
    return !of_all_.empty() || std::any_of(workers_.begin(), workers_.end(), [](auto& w) {
        return !w->deques[0].empty() || !w->deques[1].empty();
    });
}

/// Whether nothing can happen any more: no worker has work or looks for it, there is none, and
/// none can come from outside. Steps only grow: if their sum is the same before and after, no
/// worker has looked in between.
bool Pool::stuck() const {
    const auto quiet = [&](std::uint64_t& sum) {
        return std::all_of(workers_.begin(), workers_.end(), [&](auto& worker) {
            const std::uint64_t steps = worker->steps.load();
            sum += steps;
            return steps % 2 == 0;
        });
    };
    // Others may be idle for long before a thread comes to run the root.
    std::uint64_t before = 0, after = 0;
    return begun_.load() && quiet(before) && poller_.pending() == 0 && !work_visible() &&
           leaving.load() == 0 && !ended_.load() && quiet(after) && before == after;
}

/// Fails the futures that tasks wait for, so that all end.
void Pool::fail_waiting(Worker& worker) {
    if (!failing_.try_lock()) return;
    if (stuck()) {
        worker.steps.fetch_add(1);
        std::vector<State*> waited_for;
        std::vector<std::string> lines;
        for (const auto& each : workers_)
            each->recycler()->each_in_use(Recycler::Kind::link, [&](void* block) {
                State* state = static_cast<Link*>(block)->state();
                if (!state || !state->waiting()) return;
                state->hold();
                waited_for.push_back(state);
                for (const Link* link = state->waiting(); link; link = link->next)
                    if (link->job())
                        lines.push_back("task " + describe(*link->job()) + " waits for " +
                                        describe(*state));
            });
        const auto error = std::make_exception_ptr(core::Error(
            "the tasks of a run wait for each other", listed(lines),
            "Nothing outside is pending that could end this: look for a ring, or for a task that "
            "waits for itself."));
        for (State* state : waited_for) {
            state->set_error(error);
            state->close(worker);
            state->drop(worker.recycler());
        }
        worker.return_credit();
        worker.steps.fetch_add(1);
    }
    failing_.unlock();
}

/// Whether nobody has done anything for long; called by the worker on watch.
bool Pool::overdue() {
    std::uint64_t progress = 0;
    bool busy = false;
    for (const auto& worker : workers_) {
        progress += worker->done.load(std::memory_order_relaxed);
        busy = busy || worker->steps.load() % 2 == 1;
    }
    const auto now = Clock::now();
    if (std::exchange(progress_, progress) != progress || busy) progressed_ = now;
    return now - progressed_ > options_.patience;
}

std::string Pool::trace() const {
    if (!trace_)
        throw core::InputError("there is no trace", "it was not asked for",
                               "Make the pool with PoolOptions{.trace = true}.");
    return trace_->json();
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
    for (const auto& worker : workers_)
        for (const auto kind : {Recycler::Kind::link, Recycler::Kind::frame})
            worker->recycler()->each_in_use(kind, [&](void*) { ++count; });
    return count;
}

}  // namespace aureole::tasks
