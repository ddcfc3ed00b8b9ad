// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

#include "tasks/future.hpp"
#include "tasks/scope.hpp"

namespace aureole::tasks {

template <class T>
class Task;

/// A coroutine: its link resumes it on a worker. Job's data are those of the task that it is part
/// of, which is the outermost coroutine.
class Coroutine : public Job {
  public:
    Coroutine() : Job(nullptr, "", Origin::current()) {}
    void run() noexcept override {
        const Running running(*Worker::here(), task, task->scope);
        self.resume();
    }
    const Job* job() const override { return task; }

    static void* operator new(std::size_t bytes) {
        Worker* worker = Worker::here();
        return Recycler::allocate(worker ? worker->recycler() : nullptr, bytes,
                                  Recycler::Kind::frame);
    }
    static void operator delete(void* frame) noexcept {
        Worker* worker = Worker::here();
        Recycler::release(worker ? worker->recycler() : nullptr, frame);
    }

    template <class T>
    struct Awaited {
        bool await_ready() const { return future.ready(); }
        bool await_suspend(std::coroutine_handle<>) { return future.shared()->add(&by); }
        T await_resume() {
            if (by.task->scope->cancelled()) std::rethrow_exception(cancelled_error());
            return future.get();
        }
        Future<T> future;
        Coroutine& by;
    };
    template <class T>
    Awaited<T> await_transform(Future<T> future) {
        return {std::move(future), *this};
    }

    template <class T>
    struct Called {
        bool await_ready() const { return false; }
        /// The inner coroutine begins at once. Whoever comes second to `met_`, it at its end or
        /// the outer one here, lets the outer one go on: no tail calls, no stack that grows.
        bool await_suspend(std::coroutine_handle<>) {
            Coroutine& inner = *task.coroutine();
            inner.task = by.task;
            inner.outer = &by;
            inner.self.resume();
            return !inner.met_.exchange(true, std::memory_order_acq_rel);
        }
        T await_resume() { return task.result(); }
        Task<T> task;
        Coroutine& by;
    };
    template <class T>
    Called<T> await_transform(Task<T> inner) {
        return {std::move(inner), *this};
    }

    struct End {
        bool await_ready() const noexcept { return false; }
        template <class Promise>
        void await_suspend(std::coroutine_handle<Promise> handle) noexcept {
            Coroutine& ended = handle.promise();
            if (!ended.outer)
                ended.end_task();
            else if (ended.met_.exchange(true, std::memory_order_acq_rel))
                ended.outer->self.resume();
        }
        void await_resume() const noexcept {}
    };
    std::suspend_always initial_suspend() const noexcept { return {}; }
    End final_suspend() const noexcept { return {}; }
    void unhandled_exception() noexcept { error = std::current_exception(); }

    std::coroutine_handle<> self;
    Job* task = this;
    Coroutine* outer = nullptr;  ///< that awaits this one
    State* result = nullptr;     ///< of a task that was started by async()
    std::exception_ptr error;

  private:
    virtual void put_result() = 0;
    void end_task() noexcept;

    std::atomic<bool> met_{false};
};

template <class T>
struct Promise final : Coroutine {
    Promise() { self = std::coroutine_handle<Promise>::from_promise(*this); }
    Task<T> get_return_object() { return Task<T>(this); }
    template <class U>
    void return_value(U&& result_value) {
        value.emplace(std::forward<U>(result_value));
    }
    void put_result() override {
        if (result) static_cast<StateOf<T>*>(result)->value = std::move(value);
    }
    std::optional<T> value;
};
template <>
struct Promise<void> final : Coroutine {
    Promise() { self = std::coroutine_handle<Promise>::from_promise(*this); }
    Task<void> get_return_object();
    void return_void() const noexcept {}
    void put_result() override {}
};

/// A coroutine that awaits futures and other tasks: co_await suspends it, not the thread. It begins
/// when it is awaited, or when a scope is given it. What it refers to must outlive it: give it
/// parameters by value.
template <class T>
class [[nodiscard]] Task {
  public:
    using promise_type = Promise<T>;
    explicit Task(promise_type* promise) : promise_(promise) {}
    Task(Task&& other) noexcept : promise_(std::exchange(other.promise_, nullptr)) {}
    Task& operator=(Task&&) = delete;
    ~Task() {
        if (promise_) promise_->self.destroy();
    }

    // For the parts of this layer.
    promise_type* coroutine() const { return promise_; }
    promise_type* release() { return std::exchange(promise_, nullptr); }
    T result() {
        if (promise_->error) std::rethrow_exception(promise_->error);
        if constexpr (!std::is_void_v<T>) return std::move(*promise_->value);
    }

  private:
    promise_type* promise_;
};

inline Task<void> Promise<void>::get_return_object() { return Task<void>(this); }

/// Gives a coroutine to a scope.
void start_coroutine(Worker& worker, Scope* scope, const char* name, Origin place,
                     Coroutine* coroutine);

template <class T>
Future<T> Scope::async(const char* name, Task<T> coroutine, Origin place) {
    Worker& worker = this_worker("a coroutine was started");
    auto* state = make<StateOf<T>>(worker, nullptr, name, place);
    Future<T> result(state);
    coroutine.coroutine()->result = state;
    start_coroutine(worker, this, name, place, coroutine.release());
    return result;
}

}  // namespace aureole::tasks
