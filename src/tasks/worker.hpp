// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "tasks/deque.hpp"
#include "tasks/job.hpp"
#include "tasks/recycle.hpp"
#include "tasks/trace.hpp"

namespace aureole::tasks {

class Pool;

using Clock = std::chrono::steady_clock;

/// The state of one partition of a pool, for whichever thread processes it. Users see Pool, Scope,
/// Task, Future and Poller only.
class alignas(device::cache_line) Worker {
  public:
    Worker(Pool& owner, int number);

    /// The worker of the calling thread, or null. Not to be kept across a co_await.
    static Worker* here() { return here_; }

    void push(Link* link, Order order = Order::normal) {
        if (seeded_) [[unlikely]]
            return put(link);
        deques[static_cast<int>(order)].push(link);
        // A sleeper that is missed here is seen when this worker next takes from the deque.
        if (sleepers_.load(std::memory_order_relaxed) > 0) [[unlikely]]
            wake_one();
    }

    /// Runs the last link of a list, if not too deep, and pushes the others.
    void release(Link* list) {
        while (list) {
            Link* const next = list->next;
            if (next || depth >= most_deep || seeded_) {
                push(list);
            } else {
                Scope* const outer = scope;
                const Job* const outer_job = job;
                ++depth;
                list->run();
                --depth;
                scope = outer;
                job = outer_job;
            }
            list = next;
        }
    }

    /// Counts one more, or one less, thing that a scope waits for. Units are taken from the scope
    /// in lots, and given back when this worker turns to another scope or finds no work: the
    /// scope's count, which all workers share, is rarely touched, and never less than the truth.
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

    /// Runs the links left when no scope waits for anything: links of threads that await futures.
    void finish_rest() {
        while (Link* link = find()) link->run();
    }

    static constexpr int most_deep = 64;
    Recycler* recycler() { return recycler_.get(); }

    Pool& pool;
    const int rank;
    Scope* scope = nullptr;    ///< in which things are started
    const Job* job = nullptr;  ///< that runs, null in the root function
    int depth = 0;             ///< of links that run inside each other
    bool making = false;       ///< an item for an executor
    Trace* trace = nullptr;

    /// Odd while this worker looks for work or runs it; each change is a step (Pool::stuck).
    std::atomic<std::uint64_t> steps{0};
    std::atomic<std::uint64_t> done{0};  ///< links
    Clock::duration idle{};              ///< without work, until it found more
    std::atomic<std::uint32_t> parked{0};
    Deque<Link> deques[2];

  private:
    friend class Poller;
    static constexpr std::int64_t lot = 64;  ///< units that are taken from a scope at once

    Link* find();
    Link* take();
    Link* steal();
    void put(Link* link);
    void wake_one();
    void borrow(Scope* of);

    friend class Inside;
    // With the model of a library that is opened at run time each look would be a call.
    [[gnu::tls_model("initial-exec")]] static constinit thread_local Worker* here_;

    const bool seeded_;
    const std::atomic<int>& sleepers_;
    Scope* creditor_ = nullptr;  ///< the scope of credit_
    std::int64_t credit_ = 0;    ///< units that the scope counts and nobody uses
    int until_look_ = 0, stride_ = 1;
    std::uint64_t random_;
    Recycler::Handle recycler_;
};

/// The job that runs on a worker from now on; the trace has it until the end of this object. Code
/// that lets links run in the middle of a task restores scope and job.
class Running {
  public:
    Running(Worker& worker, const Job* job, Scope* scope) : worker_(worker) {
        worker.scope = scope;
        worker.job = job;
        if (worker.trace) [[unlikely]] {
            name_ = job->name;  // the job may be gone at the end
            begun_ = Clock::now();
        }
    }
    [[gnu::always_inline]] ~Running() {
        if (worker_.trace) [[unlikely]]
            worker_.trace->add(worker_.rank, name_, begun_, Clock::now());
    }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

  private:
    Worker& worker_;
    const char* name_;
    Clock::time_point begun_;
};

}  // namespace aureole::tasks
