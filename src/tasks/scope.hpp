// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "tasks/worker.hpp"

namespace aureole::tasks {

/// An error of a task: its message with the task's name and where it was started.
class TaskError : public core::Error {
    using core::Error::Error;
};

/// A job's name and where it was started: "gather" (blast.cpp:31).
std::string describe(const Job& job);

/// Owns what is started in it: tasks, their continuations, what they wait for outside. The first
/// error cancels what has not begun. Only the task that made a scope waits for it. To be made and
/// used in tasks and in the root function of Pool::run.
class Scope {
  public:
    Scope();
    /// Waits for what is left, which is cancelled; its errors are lost.
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

    /// Starts f(); `name` must live as long as the scope.
    template <std::invocable F>
    void spawn(const char* name, F f, Origin place = Origin::current());
    /// Runs tasks until all is done that was started in the scope; throws the first error. The
    /// scope can then be used again.
    void join();

    void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
    bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }

    // For the parts of this layer.

    /// Keeps the first error and cancels the rest; returns the error with the job's name and place.
    std::exception_ptr fail(const Job& job, std::exception_ptr error) noexcept;
    void fail(std::exception_ptr error) noexcept;
    void take(const Worker& worker, std::int64_t units);
    void give(std::int64_t units);

  private:
    void wait(Worker& worker);

    Pool& pool_;
    const Job* const owner_;              ///< the task that made it, null for the root function
    Worker* waiting_ = nullptr;           ///< in join()
    std::atomic<std::int64_t> count_{1};  ///< the owner's, one of each thing not done, credit
    std::atomic<bool> cancelled_{false}, failed_{false}, ended_{false};
    std::exception_ptr error_;
};

/// A task of its own.
template <class F>
class Spawned final : public Job {
  public:
    Spawned(Scope* owner, const char* called, Origin from, F&& f)
        : Job(owner, called, from), function_(std::move(f)) {}

    void run() noexcept override {
        Worker& worker = *Worker::here();
        Scope* const owner = scope;
        if (!owner->cancelled()) {
            worker.begin(this);
            try {
                function_();
            } catch (...) {
                owner->fail(*this, std::current_exception());
            }
        }
        std::destroy_at(this);
        device::Recycler::release(worker.recycler(), this);
        worker.return_unit(owner);
    }

  private:
    F function_;
};

template <std::invocable F>
void Scope::spawn(const char* name, F f, Origin place) {
    Worker& worker = this_worker("a task was spawned");
    worker.push(start<Spawned<F>>(worker, this, name, place, std::move(f)));
}

}  // namespace aureole::tasks
