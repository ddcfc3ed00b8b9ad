// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <exception>
#include <initializer_list>
#include <new>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "tasks/waiters.hpp"
#include "tasks/worker.hpp"

namespace aureole::tasks {

/// State of a result. Held by futures, and until it is finished by the maker of the result.
class State : public Job {
  public:
    State(Scope* owner, const char* called, Origin from) : Job(owner, called, from) {}
    virtual ~State() = default;
    State* state() override { return this; }

    bool ready() const { return waiters_.closed(); }
    bool failed() const { return waiters_.failed(); }
    const std::exception_ptr& error() const { return error_; }
    /// False if it is ready already.
    bool add(Link* link) { return waiters_.add(link); }
    const Link* waiting() const { return waiters_.waiting(); }

    void hold() { holders_.add(); }
    void drop(Recycler* mine) {
        if (!holders_.drop()) return;
        this->~State();
        Recycler::release(mine, this);
    }
    /// Whether only the maker of the result holds it: nobody can wait for it then.
    bool alone() const { return holders_.alone(); }

    /// Sets the error with which the state will be finished; a state that is ready keeps its own.
    void set_error(std::exception_ptr error) {
        if (!ready()) error_ = std::move(error);
    }
    /// Makes the state ready and lets the waiting links go on; does nothing if it is ready.
    void close(Worker& worker) {
        if (waiters_.closed()) return;
        using Outcome = Waiters<Link>::Outcome;
        worker.release(waiters_.close(error_ ? Outcome::error : Outcome::value));
    }
    /// Closes the state for the maker of the result, which is done with the state then.
    void finish(Worker& worker) {
        Scope* const owner = scope;
        if (!alone()) close(worker);
        drop(worker.recycler());
        if (owner) worker.return_unit(owner);
    }
    void run() noexcept override { finish(*Worker::here()); }
    /// Blocks the calling thread, which must not be a worker.
    void await();

  private:
    Waiters<Link> waiters_;
    Holders<> holders_{2};
    std::exception_ptr error_;
};

/// Finishes a list of states. All but the last let their continuations wait in the worker's deque,
/// where others find them; in the middle of a task, which is no place for others, so does the last.
void finish_all(Worker& worker, State* list, bool in_task = false);

struct Nothing {};

/// A state with the place of its value.
template <class T>
class StateOf : public State {
  public:
    using State::State;
    using Value = std::conditional_t<std::is_void_v<T>, Nothing, T>;
    std::optional<Value> value;
};
template <>
class StateOf<void> : public State {
  public:
    using State::State;
};

template <class T>
class Future;

template <class T, class F>
auto continued(Future<T> before, const char* name, F f, Origin place);

template <class T, class F>
struct ResultOf {
    using type = std::invoke_result_t<F&, const T&>;
};
template <class F>
struct ResultOf<void, F> {
    using type = std::invoke_result_t<F&>;
};
/// The type that f(value) returns, or f() for a future of nothing.
template <class T, class F>
using Result = typename ResultOf<T, F>::type;

/// A result that will be there. Cheap to copy; a default-made Future<void> is ready. Any future is
/// one of nothing as well.
template <class T>
class [[nodiscard]] Future {
  public:
    Future() = default;
    /// Takes over one hold of the state.
    explicit Future(StateOf<T>* state) : state_(state) {}
    Future(const Future& other) : state_(other.state_) {
        if (state_) state_->hold();
    }
    Future(Future&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
    template <class U>
    requires(std::is_void_v<T> && !std::is_void_v<U>) Future(const Future<U>& other)
        : state_(other.shared()) {
        if (state_) state_->hold();
    }
    Future& operator=(Future other) noexcept {
        std::swap(state_, other.state_);
        return *this;
    }
    ~Future() { reset(); }

    bool ready() const { return !state_ || state_->ready(); }

    /// f(value), or f(), once this is ready, on the worker that makes it so; right away if it is.
    /// An error of this one, or of f, is the result's. Belongs to the scope of the calling task,
    /// and has its name if it has no other.
    template <class F>
    auto then(const char* name, F f, Origin place = Origin::current()) && {
        return continued(std::move(*this), name, std::move(f), place);
    }
    template <class F>
    auto then(const char* name, F f, Origin place = Origin::current()) const& {
        return continued(*this, name, std::move(f), place);
    }
    template <class F>
    auto then(F f, Origin place = Origin::current()) && {
        return continued(std::move(*this), nullptr, std::move(f), place);
    }
    template <class F>
    auto then(F f, Origin place = Origin::current()) const& {
        return continued(*this, nullptr, std::move(f), place);
    }

    /// The value, or the error. Waits for it outside of workers only.
    T get() const;

    // For the parts of this layer.
    auto shared() const { return state_; }
    bool failed() const { return state_ && state_->failed(); }
    const std::exception_ptr& error() const { return state_->error(); }

  private:
    void reset() {
        if (!state_) return;
        Worker* worker = Worker::here();
        state_->drop(worker ? worker->recycler() : nullptr);
    }

    using Held = std::conditional_t<std::is_void_v<T>, State, StateOf<T>>;
    Held* state_ = nullptr;
};

template <class T>
T Future<T>::get() const {
    if (state_) {
        if (!state_->ready()) state_->await();
        if (state_->failed()) std::rethrow_exception(state_->error());
    }
    if constexpr (!std::is_void_v<T>) return *state_->value;
}

/// Makes an object in the worker's recycled memory.
template <class Made, class... Args>
Made* make(Worker& worker, Args&&... args) {
    static_assert(alignof(Made) <= 64);
    void* memory = Recycler::allocate(worker.recycler(), sizeof(Made), Recycler::Kind::link);
    try {
        return new (memory) Made(std::forward<Args>(args)...);
    } catch (...) {
        new (memory) Nothing*(nullptr);  // its virtual functions may be set
        Recycler::release(worker.recycler(), memory);
        throw;
    }
}

[[noreturn]] void no_worker(const char* what);
/// The calling thread's worker; throws std::logic_error where there is none.
inline Worker& this_worker(const char* what) {
    Worker* const worker = Worker::here();
    if (!worker) no_worker(what);
    return *worker;
}
std::exception_ptr cancelled_error();
bool is_cancelled(Scope* scope);
std::exception_ptr failure(Scope* scope, const Job& job, std::exception_ptr error);

/// A thing that `scope` waits for, in recycled memory.
template <class Made, class... Args>
Made* start(Worker& worker, Scope* scope, Args&&... args) {
    worker.take_unit(scope);
    try {
        return make<Made>(worker, scope, std::forward<Args>(args)...);
    } catch (...) {
        worker.return_unit(scope);
        throw;
    }
}

/// A function and its result; it runs when its argument is ready.
template <class T, class F>
class Step final : public StateOf<Result<T, F>> {
  public:
    Step(Scope* owner, const char* called, Origin from, Future<T> argument, F&& f)
        : StateOf<Result<T, F>>(owner, called, from), before_(std::move(argument)) {
        new (&function_) F(std::move(f));
    }
    ~Step() override {}  // the function was destroyed when it had run

    void run() noexcept override {
        Worker& worker = *Worker::here();
        if (before_.failed())
            fail(before_.error());
        else if (is_cancelled(this->scope))
            this->set_error(cancelled_error());
        else
            call(worker);
        std::destroy_at(&function_);
        before_ = Future<T>();
        this->finish(worker);
    }

  private:
    Result<T, F> apply() {
        if constexpr (std::is_void_v<T>)
            return function_();
        else
            return function_(std::as_const(*before_.shared()->value));
    }

    void fail(std::exception_ptr error) noexcept {
        this->set_error(failure(this->scope, *this, std::move(error)));
    }

    void call(Worker& worker) noexcept {
        const Running running(worker, this, this->scope);
        try {
            if constexpr (std::is_void_v<Result<T, F>>)
                apply();
            else
                this->value.emplace(apply());
        } catch (...) {
            fail(std::current_exception());
        }
    }

    Future<T> before_;
    union {
        F function_;
    };
};

template <class T, class F>
auto continued(Future<T> before, const char* name, F f, Origin place) {
    Worker& worker = this_worker("then() was called");
    State* const state = before.shared();
    if (!name) name = worker.job ? worker.job->name : "root";
    auto* step =
        start<Step<T, F>>(worker, worker.scope, name, place, std::move(before), std::move(f));
    Future<Result<T, F>> result(step);
    if (!state || !state->add(step)) worker.release(step);
    return result;
}

/// Ready when all are; fails with the first error.
Future<void> when_all(std::span<const Future<void>> futures, Origin place = Origin::current());
inline Future<void> when_all(std::initializer_list<Future<void>> futures,
                             Origin place = Origin::current()) {
    return when_all(std::span(futures.begin(), futures.size()), place);
}

}  // namespace aureole::tasks
