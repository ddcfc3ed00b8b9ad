// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <exception>
#include <memory>
#include <new>
#include <utility>

#include "tasks/scope.hpp"
#include "tasks/waiters.hpp"

namespace aureole::tasks {

/// State of what is to be done. Held by futures, and until it is done by whoever does it.
class State : public Job {
  public:
    using Job::Job;
    virtual ~State() = default;
    State* state() override { return this; }
    void run() noexcept override { finish(*Worker::here()); }

    bool ready() const { return waiters_.closed(); }
    bool failed() const { return waiters_.failed(); }
    const std::exception_ptr& error() const { return error_; }
    /// False if it is ready already.
    bool add(Job* job) { return waiters_.add(job); }
    const Job* waiting() const { return waiters_.waiting(); }

    void hold() { holders_.add(); }
    void drop(device::Recycler* mine) {
        if (!holders_.drop()) return;
        this->~State();
        device::Recycler::release(mine, this);
    }

    /// Sets the error with which the state will be finished; a state that is ready keeps its own.
    void set_error(std::exception_ptr error) {
        if (!ready()) error_ = std::move(error);
    }
    /// Makes the state ready and returns the jobs that waited; none if it was ready.
    Job* close() { return ready() ? nullptr : waiters_.close(error_ != nullptr); }
    /// Closes the state for whoever did the work, who is done with the state then. If nobody else
    /// holds it, nobody can wait for it.
    void finish(Worker& worker) {
        Scope* const owner = scope;
        if (!holders_.alone()) worker.release(close());
        drop(worker.recycler());
        worker.return_unit(owner);
    }

  private:
    Waiters<Job> waiters_;
    Holders<> holders_{2};
    std::exception_ptr error_;
};

/// Finishes a list of states. All but the last let their continuations wait in the worker's deque,
/// where others find them; in the middle of a task, which is no place for others, so does the last.
void finish_all(Worker& worker, State* list, bool in_task = false);

/// Something that will be done, or fail. Cheap to copy; a default-made one is ready.
class [[nodiscard]] Future {
  public:
    Future() = default;
    /// Takes over one hold of the state.
    explicit Future(State* state) : state_(state) {}
    Future(const Future& other) : state_(other.state_) {
        if (state_) state_->hold();
    }
    Future(Future&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
    Future& operator=(Future other) noexcept {
        std::swap(state_, other.state_);
        return *this;
    }
    ~Future() {
        if (state_) state_->drop(Worker::recycler_here());
    }

    bool ready() const { return !state_ || state_->ready(); }

    /// Calls f() once this is ready, on the worker that makes it so; right away if it is. An error
    /// of this one, or of f, is the result's. Belongs to the scope of the calling task, and has its
    /// name.
    template <std::invocable F>
    Future then(F f, Origin place = Origin::current()) &&;

    // For the parts of this layer.
    bool failed() const { return state_ && state_->failed(); }
    const std::exception_ptr& error() const { return state_->error(); }

  private:
    State* state_ = nullptr;
};

/// A function that is called when a future is ready.
template <class F>
class Step final : public State {
  public:
    Step(Scope* owner, const char* called, Origin from, Future before, F&& f)
        : State(owner, called, from), before_(std::move(before)) {
        new (&function_) F(std::move(f));
    }
    ~Step() override {}  // the function was destroyed when it had run

    void run() noexcept override;

  private:
    Future before_;
    union {
        F function_;
    };
};

/// Sets the error of a step whose function is not called.
void refuse(State& step, const Future& before) noexcept;

template <class F>
void Step<F>::run() noexcept {
    Worker& worker = *Worker::here();
    if (before_.failed() || scope->cancelled()) [[unlikely]] {
        refuse(*this, before_);
    } else {
        worker.begin(this);
        try {
            function_();
        } catch (...) {
            set_error(scope->fail(*this, std::current_exception()));
        }
    }
    std::destroy_at(&function_);
    before_ = {};
    finish(worker);
}

template <std::invocable F>
Future Future::then(F f, Origin place) && {
    Worker& worker = this_worker("then() was called");
    State* const before = state_;
    auto* const step = start<Step<F>>(worker, worker.scope, worker.job_name(), place,
                                      std::move(*this), std::move(f));
    Future result(step);
    if (!before || !before->add(step)) worker.release(step);
    return result;
}

}  // namespace aureole::tasks
