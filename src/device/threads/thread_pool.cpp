// SPDX-License-Identifier: Apache-2.0
#include "device/threads/thread_pool.hpp"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

#include "core/error.hpp"
#include "core/wait.hpp"
#include "device/threads/cpu_limits.hpp"

namespace aureole::device {

/// All pools of this process, so that a child of fork(), where no other thread exists, finds them.
class LivePools {
  public:
    static void add(ThreadPool* pool) {
        static const int registered =
            pthread_atfork([] { all().mutex_.lock(); }, [] { all().mutex_.unlock(); }, in_child);
        static_cast<void>(registered);  // fails for want of memory alone
        const std::lock_guard lock(all().mutex_);
        all().pools_.push_back(pool);
    }

    static void remove(ThreadPool* pool) noexcept {
        const std::lock_guard lock(all().mutex_);
        std::erase(all().pools_, pool);
    }

  private:
    static LivePools& all() {
        static auto* const pools = new LivePools;  // outlives pools that are static objects
        return *pools;
    }

    static void in_child() {
        for (ThreadPool* pool : all().pools_) pool->lose_workers();
        all().mutex_.unlock();
    }

    std::mutex mutex_;
    std::vector<ThreadPool*> pools_;
};

namespace {

using Clock = std::chrono::steady_clock;

// A thread that has a CPU of its own may spin through the serial parts of a step and until slower
// threads are done: on virtual machines it takes a tenth of a millisecond and more to be woken.
// Times, as an instruction that relaxes takes 4 to 50 ns on different processors.
constexpr auto patience_between_runs = std::chrono::microseconds(2000);
constexpr auto patience_with_others = std::chrono::microseconds(500);
// A caller that waits longer waits for a thread that is not running, or for a long partition.
constexpr auto overdue = std::chrono::microseconds(200);
constexpr int spins_before_help = 32;
constexpr int spins_between_looks = 256;
constexpr int few_spins = 20;
// Steps of the pool's generation.
constexpr std::uint32_t ended = 1, next_run = 2;
// A call of sched_yield() that takes longer let another thread run.
constexpr auto yielded = std::chrono::microseconds(20);

/// Lets others run; whether there were any.
bool give_way() {
    const auto before = Clock::now();
    sched_yield();
    return Clock::now() - before > yielded;
}

std::int64_t ns_since(Clock::time_point begin) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count();
}

/// Looks at most so many times whether it is `ready()`; whether it is.
template <class Ready>
bool spin(int most, Ready&& ready) {
    for (int k = 0; k < most; ++k) {
        if (ready()) return true;
        core::relax();
    }
    return false;
}

/// Spins until `ready()`, or until the time or `stop()`, which is asked now and then, ends that.
template <class Ready, class Stop>
bool spin_for(Clock::duration time, Ready&& ready, Stop&& stop) {
    const auto end = Clock::now() + time;
    do {
        if (spin(spins_between_looks, ready)) return true;
    } while (!stop() && Clock::now() < end);
    return ready();
}

}  // namespace

/// The calling thread takes part in runs of this pool while it lives.
class ThreadPool::InsideRun {
  public:
    explicit InsideRun(const ThreadPool* pool) : pool_(pool), outer_(innermost) {
        innermost = this;
    }
    ~InsideRun() { innermost = outer_; }

    static bool may_begin(const ThreadPool& pool) {
        if (pool.size() > 1) return innermost == nullptr;
        for (const InsideRun* run = innermost; run; run = run->outer_)
            if (run->pool_ == &pool) return false;
        return true;
    }

  private:
    static thread_local const InsideRun* innermost;
    const ThreadPool* pool_;
    const InsideRun* outer_;
};

thread_local const ThreadPool::InsideRun* ThreadPool::InsideRun::innermost = nullptr;

ThreadPool::ThreadPool(int size, bool pin)
    : size_(size),
      cpus_(allowed_cpus()),
      pin_(pin && static_cast<std::size_t>(std::max(size, 0)) == cpus_.size()),
      slots_(std::make_unique<Slot[]>(std::max(size, 0))),
      choice_(std::max(size, 1)),
      active_(size),
      fewest_(size) {
    if (size < 1) throw std::logic_error("a ThreadPool needs at least one thread");
    // A thread that shares its CPU would only hold the others up.
    patient_ = !sanitized && size <= usable_threads();
    workers_.reserve(size - 1);
    try {
        for (int rank = 1; rank < size; ++rank) workers_.emplace_back([this, rank] { work(rank); });
    } catch (const std::system_error& error) {
        end();
        throw core::DeviceError("cannot start " + std::to_string(size) + " threads", error.what(),
                                "Ask for fewer threads.");
    }
    bind_workers(true);
    LivePools::add(this);
}

ThreadPool::~ThreadPool() {
    LivePools::remove(this);
    end();
}

void ThreadPool::end() noexcept {
    active_.store(std::numeric_limits<int>::max());
    active_.notify_all();
    generation_.fetch_add(ended);
    generation_.notify_all();
    for (std::thread& worker : workers_) worker.join();
}

/// In a child of fork(): another thread may have held the lock or processed partitions.
void ThreadPool::lose_workers() {
    new std::vector<std::thread>(std::move(workers_));  // what does not exist cannot be joined
    workers_.clear();
    new (&turn_) std::mutex;
    alone_ = true;
}

void ThreadPool::fix_active(int count) {
    const std::lock_guard lock(turn_);
    choice_.fix(count);
    set_active(choice_.count());
}

void ThreadPool::set_active(int count) {
    active_.store(count);
    fewest_.store(std::min(fewest_active(), choice_.kept()), std::memory_order_relaxed);
    active_.notify_all();
    bind_workers(count == size_);
}

/// Workers that keep to a CPU cannot leave it to another program.
void ThreadPool::bind_workers(bool each_to_its_own) {
    if (!pin_) return;
    // Best effort: a mask that shrank since it was read is no reason to fail.
    for (int rank = 1; rank < size_ && !alone_; ++rank) {
        cpu_set_t set;
        CPU_ZERO(&set);
        for (const int cpu : cpus_)
            if (cpu < CPU_SETSIZE && (!each_to_its_own || cpu == cpus_[rank])) CPU_SET(cpu, &set);
        pthread_setaffinity_np(workers_[rank - 1].native_handle(), sizeof set, &set);
    }
}

void ThreadPool::run_job(const Job& job) {
    if (!InsideRun::may_begin(*this))
        throw std::logic_error("ThreadPool::run was called inside a run");
    const std::lock_guard lock(turn_);
    const InsideRun inside(this);
    if (size_ == 1) {
        job.call(job.self, 0);
    } else if (job.at_once) {
        if (alone_) throw std::logic_error("a child of fork() has one thread");
        active_.store(size_);
        active_.notify_all();
        fork_join(job);
        set_active(choice_.count());
    } else {
        adapt(job);
    }
    rethrow();
}

void ThreadPool::adapt(const Job& job) {
    if (alone_) {
        for (int partition = 0; partition < size_; ++partition) call(job, partition);
        return;
    }
    const auto begin = Clock::now();
    std::int64_t waited = 0;
    if (active() > 1)
        waited = fork_join(job);
    else
        for (int partition = 0; partition < size_; ++partition) call(job, partition);
    if (choice_.record(ns_since(begin), waited)) set_active(choice_.count());
}

/// The time that the caller waited beyond what is usual until the others had finished their
/// partitions [ns].
std::int64_t ThreadPool::fork_join(const Job& job) {
    job_ = job;
    pending_.store(size_, std::memory_order_relaxed);
    // Sequentially consistent against the sleeper's count-then-look in await_run().
    const std::uint32_t run = generation_.fetch_add(next_run) + next_run;
    if (sleepers_.load() > 0) generation_.notify_all();
    run_partitions(run, 0);
    return wait_for_others();
}

std::int64_t ThreadPool::wait_for_others() {
    const auto done = [&] { return pending_.load(std::memory_order_acquire) == 0; };
    if (done()) return 0;
    const auto late = Clock::now() + overdue;
    const bool soon = patient_ ? spin_for(patience_with_others, done, [] { return false; })
                               : spin(few_spins, done);
    if (!soon)
        for (int left; (left = pending_.load(std::memory_order_acquire)) != 0;) pending_.wait(left);
    return std::max<std::int64_t>(ns_since(late), 0);
}

void ThreadPool::work(int rank) {
    const InsideRun inside(this);
    std::uint32_t seen = 0;
    for (;;) {
        const bool begun = await_run(rank, seen);
        // One word says both which run it is and whether there are any more.
        const std::uint32_t now = generation_.load(std::memory_order_acquire);
        if (now % next_run == ended) return;
        if (!begun) continue;
        seen = now;
        run_partitions(now, rank);
    }
}

/// Returns when there is a run that this thread has not seen and takes part in (true), or when
/// something else has changed.
bool ThreadPool::await_run(int rank, std::uint32_t seen) {
    if (const int active = active_.load(); rank >= active) {
        active_.wait(active);
        return false;
    }
    const auto begun = [&] { return generation_.load(std::memory_order_acquire) != seen; };
    if (patient_ ? spin_for(patience_between_runs, begun, give_way) : spin(few_spins, begun))
        return true;
    sleepers_.fetch_add(1);
    while (generation_.load() == seen) generation_.wait(seen);
    sleepers_.fetch_sub(1);
    return rank < active_.load();
}

/// The thread's own partitions, by its rank among the threads that take part; then, if the run
/// goes on for longer than it should, those that nobody has begun.
void ThreadPool::run_partitions(std::uint32_t run, int rank) {
    const Range own = part_of(size_, rank, active());
    for (auto partition = own.begin; partition < own.end; ++partition)
        if (run_partition(run, static_cast<int>(partition)) == Outcome::all_at_once) return;
    for (int spin = 0; spin < spins_before_help; ++spin) {
        const bool over = rank == 0 ? pending_.load(std::memory_order_acquire) == 0
                                    : generation_.load(std::memory_order_relaxed) != run;
        if (over) return;
        core::relax();
    }
    for (int partition = 0; partition < size_; ++partition) run_partition(run, partition);
}

ThreadPool::Outcome ThreadPool::run_partition(std::uint32_t run, int partition) {
    if (!begin_partition(run, partition)) return Outcome::not_done;
    // The job does not change until the partition is done.
    const auto done = job_.at_once ? Outcome::all_at_once : Outcome::done;
    call(job_, partition);
    if (pending_.fetch_sub(1, std::memory_order_acq_rel) == 1) pending_.notify_one();
    return done;
}

/// Whether this thread is the first to begin the partition. Each one is begun in each run, so that
/// a thread that comes late, with an old run in mind, finds none.
bool ThreadPool::begin_partition(std::uint32_t run, int partition) {
    std::uint32_t before = run - next_run;
    auto& begun = slots_[partition].begun;
    return begun.load(std::memory_order_relaxed) == before &&
           begun.compare_exchange_strong(before, run, std::memory_order_acquire,
                                         std::memory_order_relaxed);
}

void ThreadPool::call(const Job& job, int partition) {
    try {
        job.call(job.self, partition);
    } catch (...) {
        slots_[partition].error = std::current_exception();
    }
}

void ThreadPool::rethrow() {
    std::exception_ptr first;
    for (int partition = 0; partition < size_; ++partition) {
        auto& error = slots_[partition].error;
        if (!first) first = error;
        error = nullptr;
    }
    if (first) std::rethrow_exception(first);
}

std::byte* ThreadPool::scratch(int partition, std::size_t bytes) {
    Slot& slot = slots_[partition];
    if (slot.scratch_bytes < bytes || !slot.scratch) {
        slot.scratch = std::make_unique<std::byte[]>(bytes + cache_line);
        slot.scratch_bytes = bytes;
    }
    const auto address = reinterpret_cast<std::uintptr_t>(slot.scratch.get());
    return slot.scratch.get() + (-address & (cache_line - 1));
}

}  // namespace aureole::device
