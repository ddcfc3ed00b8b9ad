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
#include "tasks/future.hpp"

namespace aureole::tasks {

template <class T>
class Task;

/// An error of a task: its message with the task's name and where it was started.
class TaskError : public core::Error {
  public:
    TaskError(const std::string& text, std::string task, Origin where, std::exception_ptr why)
        : core::Error(text), name(std::move(task)), place(where), cause(std::move(why)) {}

    std::string name;
    Origin place;
    std::exception_ptr cause;  ///< as it was thrown
};

/// Why a task has no result that was not begun when another failed.
class Cancelled : public core::Error {
    using core::Error::Error;
};

/// Owns what is started in it: tasks, their continuations, what they wait for outside. The first
/// error cancels what has not begun; a coroutine ends at its next co_await. Only the task that made
/// a scope waits for it. To be made and used in tasks and in the root function of Pool::run.
class Scope {
  public:
    Scope();
    /// Waits for what is left, which is cancelled; its errors are lost.
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

    /// Starts f(); `name` must live as long as the scope.
    template <std::invocable F>
    void spawn(const char* name, F f, Order order = Order::normal,
               Origin place = Origin::current());
    void spawn(const char* name, Task<void> coroutine, Origin place = Origin::current());

    /// Starts f() as spawn() does, and returns a future of its result.
    template <std::invocable F>
    auto async(const char* name, F f, Order order = Order::normal, Origin place = Origin::current())
        -> Future<std::invoke_result_t<F&>>;
    template <class T>
    Future<T> async(const char* name, Task<T> coroutine, Origin place = Origin::current());

    /// Ready when all that was started in the scope is done; fails with the first error. The scope
    /// can then be used again. Meanwhile only its own tasks start more in it.
    Future<void> all();
    /// Waits like all(), in functions: runs other tasks until then; throws the first error.
    void join();

    void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
    bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }

    // For the parts of this layer.

    /// Keeps the first error and cancels the rest; `error` with the job's name and place.
    std::exception_ptr fail(const Job& job, std::exception_ptr error) noexcept;
    void fail(std::exception_ptr error) noexcept;
    void take(std::int64_t units);
    void give(std::int64_t units);

  private:
    void wait();
    void end();

    const Job* owner_;  ///< the task that made it, null for the root function
    std::atomic<std::int64_t> count_{
        1};  ///< the owner's, one of each thing not done, workers' credit
    std::atomic<bool> cancelled_{false}, failed_{false};
    std::exception_ptr error_;
    Future<void> ending_;
};

/// A function without a result that anybody asks for.
template <class F>
class Spawned final : public Job {
  public:
    Spawned(Scope* owner, const char* called, Origin from, F&& f)
        : Job(owner, called, from), function_(std::move(f)) {}

    void run() noexcept override {
        Worker& worker = *Worker::here();
        Scope* const owner = scope;
        if (!owner->cancelled()) {
            const Running running(worker, this, owner);
            try {
                function_();
            } catch (...) {
                owner->fail(*this, std::current_exception());
            }
        }
        std::destroy_at(this);
        Recycler::release(worker.recycler(), this);
        worker.return_unit(owner);
    }

  private:
    F function_;
};

template <std::invocable F>
void Scope::spawn(const char* name, F f, Order order, Origin place) {
    Worker& worker = this_worker("a task was spawned");
    worker.push(start<Spawned<F>>(worker, this, name, place, std::move(f)), order);
}

template <std::invocable F>
auto Scope::async(const char* name, F f, Order order, Origin place)
    -> Future<std::invoke_result_t<F&>> {
    Worker& worker = this_worker("a task was started");
    auto* step = start<Step<void, F>>(worker, this, name, place, Future<void>(), std::move(f));
    Future<std::invoke_result_t<F&>> result(step);
    worker.push(step, order);
    return result;
}

}  // namespace aureole::tasks
