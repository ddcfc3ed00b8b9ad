// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <source_location>
#include <tuple>
#include <utility>

#include "device/recycled.hpp"
#include "tasks/deque.hpp"

namespace aureole::tasks {

class Pool;
class Scope;
class State;

using Clock = std::chrono::steady_clock;
using Origin = std::source_location;

/// Work that a worker can run. Its scope does not end before it is done.
struct Job {
    Job(Scope* owner, const char* called, Origin from) : scope(owner), name(called), place(from) {}
    virtual void run() noexcept = 0;
    /// The state of a future, if the job is one.
    virtual State* state() { return nullptr; }

    Scope* const scope;
    const char* const name;
    const Origin place;
    Job* next = nullptr;  ///< of a list

  protected:
    ~Job() = default;
};

/// The state of one partition of a pool, for whichever thread processes it. Users see Pool, Scope,
/// Future, Poller and Executors only.
class alignas(device::cache_line) Worker {
  public:
    Worker(Pool& owner, int number);

    /// The worker of the calling thread, or null.
    static Worker* here() { return here_; }
    static device::Recycler* recycler_here() { return here_ ? here_->recycler() : nullptr; }
    device::Recycler* recycler() { return recycler_.get(); }

    void push(Job* added) {
        if (seeded_) [[unlikely]]
            return put(added);
        if (!deque.push(added)) return run_inside(added);
        // A sleeper that is missed here is seen when this worker next takes from the deque.
        if (sleepers_.load(std::memory_order_relaxed) > 0) [[unlikely]]
            wake_one();
    }
    /// Runs the last job of a list, if not too deep, and pushes the others.
    void release(Job* list) {
        while (list) {
            Job* const next = list->next;
            if (next || depth >= most_deep || seeded_)
                push(list);
            else
                run_inside(list);
            list = next;
        }
    }
    /// Runs a job in the middle of another.
    void run_inside(Job* inner) {
        const auto outer = std::pair(job, scope);
        ++depth;
        inner->run();
        --depth;
        std::tie(job, scope) = outer;
    }

    /// Counts one more, or one less, job that a scope waits for. Units are taken from the scope in
    /// lots, and given back when this worker turns to another scope or finds no work: the scope's
    /// count, which all workers share, rarely changes, and is never less than the number of jobs.
    void take_unit(Scope* of) {
        if (creditor_ != of || credit_ == 0) [[unlikely]]
            borrow(of);
        --credit_;
    }
    void return_unit(Scope* of) {
        if (creditor_ != of) [[unlikely]] {
            return_credit();
            creditor_ = of;
        }
        ++credit_;
    }
    void return_credit();
    /// Xorshift (Marsaglia 2003).
    std::uint64_t random();
    /// Runs whatever there is until `ended`.
    void work(const std::atomic<bool>& ended);

    void begin(const Job* now) { job = now, scope = now->scope; }
    const char* job_name() const { return job ? job->name : "root"; }

    static constexpr int most_deep = 64;

    Pool& pool;
    const int rank;
    Scope* scope = nullptr;    ///< in which things are started
    const Job* job = nullptr;  ///< that runs, null in the root function
    int depth = 0;             ///< of jobs that run inside each other
    bool making = false;       ///< an item for an executor

    std::atomic<std::uint64_t> done{0};    ///< jobs, and times that there was no more
    Clock::duration idle{};                ///< without work, until it found more
    std::atomic<std::uint32_t> parked{0};  ///< 1: asleep, 2: about to be woken
    Deque<Job> deque;

  private:
    friend class Pool;
    friend class Poller;
    static constexpr std::int64_t lot = 64;  ///< units that are taken from a scope at once

    Job* find();
    Job* steal();
    void put(Job* added);
    void wake_one();
    void borrow(Scope* of);
    void count() {
        done.store(done.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }

    // With the model of a library that is opened at run time each look would be a call.
    [[gnu::tls_model("initial-exec")]] static constinit thread_local Worker* here_;

    const bool seeded_;
    const std::atomic<int>& sleepers_;
    Scope* creditor_ = nullptr;  ///< the scope of credit_
    std::int64_t credit_ = 0;    ///< units that the scope counts and nobody uses
    int until_look_ = 0, stride_ = 1;
    std::uint64_t random_;
    device::Recycler::Handle recycler_;
};

[[noreturn]] void no_worker(const char* what);
/// The calling thread's worker; throws std::logic_error where there is none.
inline Worker& this_worker(const char* what) {
    Worker* const worker = Worker::here();
    if (!worker) no_worker(what);
    return *worker;
}

/// Makes a job that `scope` waits for, in recycled memory.
template <class Made, class... Args>
Made* start(Worker& worker, Scope* scope, Args&&... args) {
    static_assert(alignof(Made) <= 64 && sizeof(Made) <= device::Recycler::largest);
    void* memory = nullptr;
    worker.take_unit(scope);
    try {
        memory = device::Recycler::allocate(worker.recycler(), sizeof(Made));
        return new (memory) Made(scope, std::forward<Args>(args)...);
    } catch (...) {
        if (memory) device::Recycler::release(worker.recycler(), memory);
        worker.return_unit(scope);
        throw;
    }
}

}  // namespace aureole::tasks
