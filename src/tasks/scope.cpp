// SPDX-License-Identifier: Apache-2.0
#include "tasks/scope.hpp"

#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "tasks/pool.hpp"

namespace aureole::tasks {

namespace {

/// The end of a scope. It is in no report of what waits, and is never failed from outside: scopes
/// are a tree, so in a ring of waiting tasks there is a future of another kind.
class Ending final : public StateOf<void> {
  public:
    using StateOf::StateOf;
    State* state() override { return nullptr; }
};

struct Outsider : Link {
    void run() noexcept override {
        const std::lock_guard lock(mutex);
        done = true;
        changed.notify_one();
    }
    std::mutex mutex;
    std::condition_variable changed;
    bool done = false;
};

struct Joiner : Link {
    explicit Joiner(Worker& waiting) : worker(waiting) {}
    void run() noexcept override {
        Worker& waiting = worker;
        waiting.pool.leaving.fetch_add(1);
        done.store(true);  // *this may be gone from now on
        waiting.pool.wake(waiting);
    }
    Worker& worker;
    std::atomic<bool> done{false};
};

/// All futures of a list.
class All final : public StateOf<void> {
  public:
    struct Input : Link {
        void run() noexcept override { all->arrived(*Worker::here(), of); }
        const Job* job() const override { return all; }
        All* all;
        Future<void> of;
    };

    static All* make(Worker& worker, std::size_t count, const char* called, Origin from) {
        worker.take_unit(worker.scope);
        void* memory = Recycler::allocate(worker.recycler(), sizeof(All) + count * sizeof(Input),
                                          Recycler::Kind::link);
        return new (memory) All(worker.scope, count, called, from);
    }
    ~All() override { std::destroy_n(inputs(), count_); }

    void await(Worker& worker, std::span<const Future<void>> futures) {
        for (std::size_t k = 0; k < count_; ++k) {
            Input* input = inputs() + k;
            input->all = this;
            input->of = futures[k];
            if (!input->of.shared() || !input->of.shared()->add(input)) input->run();
        }
        arrived(worker, {});
    }

  private:
    All(Scope* owner, std::size_t count, const char* called, Origin from)
        : StateOf(owner, called, from), count_(count), left_(count + 1) {
        std::uninitialized_default_construct_n(inputs(), count_);
    }
    Input* inputs() { return reinterpret_cast<Input*>(this + 1); }
    void arrived(Worker& worker, const Future<void>& input) {
        if (input.failed() && !failed_.exchange(true, std::memory_order_acq_rel))
            set_error(scope->fail(*this, input.error()));
        if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1) finish(worker);
    }

    const std::size_t count_;
    std::atomic<std::size_t> left_;  ///< inputs, and await() itself
    std::atomic<bool> failed_{false};
};

}  // namespace

void no_worker(const char* what) {
    throw std::logic_error(std::string(what) +
                           " outside of a run (nothing would own it). Do so in Pool::run.");
}

std::exception_ptr cancelled_error() {
    static const auto* const error = new std::exception_ptr(std::make_exception_ptr(Cancelled(
        "the task was not run", "another one of its scope failed", "See the scope's error.")));
    return *error;
}

bool is_cancelled(Scope* scope) { return scope->cancelled(); }

std::exception_ptr failure(Scope* scope, const Job& job, std::exception_ptr error) {
    return scope->fail(job, std::move(error));
}

void State::await() {
    if (Worker::here())
        throw core::Error(
            "a task waits for itself or its like",
            "get() of a future that is not ready blocks the worker that has to make it ready",
            "Use co_await or then().");
    Outsider outsider;
    if (!add(&outsider)) return;
    std::unique_lock lock(outsider.mutex);
    outsider.changed.wait(lock, [&] { return outsider.done; });
}

void finish_all(Worker& worker, State* list, bool in_task) {
    const int depth = worker.depth;
    while (State* const state = list) {
        list = static_cast<State*>(state->next);
        worker.depth = list || in_task ? Worker::most_deep : depth;
        state->finish(worker);
    }
    worker.depth = depth;
}

Future<void> when_all(std::span<const Future<void>> futures, Origin place) {
    Worker& worker = this_worker("when_all() was called");
    All* all = All::make(worker, futures.size(), worker.job ? worker.job->name : "root", place);
    Future<void> result(all);
    all->await(worker, futures);
    return result;
}

Scope::Scope() : owner_(this_worker("a Scope was made").job) {}

Scope::~Scope() {
    Worker::here()->return_credit();
    if (count_.load(std::memory_order_acquire) == 1 && ending_.ready()) return;
    cancel();
    wait();
}

Future<void> Scope::all() {
    Worker& worker = this_worker("a scope was waited for");
    if (worker.job != owner_)
        throw core::Error(
            "a task waits for itself",
            "a scope ends after its tasks, and only the task that made it waits for it",
            "Make a Scope for what is to be waited for.");
    if (!ending_.ready()) return ending_;
    const char* name = owner_ ? owner_->name : "root";
    ending_ = Future<void>(make<Ending>(worker, nullptr, name, Origin::current()));
    Future<void> ending = ending_;
    worker.return_credit();
    give(1);
    return ending;
}

void Scope::join() {
    const Future<void> ending = all();
    wait();
    ending.get();
}

/// Runs tasks until the scope has ended.
void Scope::wait() {
    Worker& worker = *Worker::here();
    if (ending_.ready() && count_.load(std::memory_order_acquire) != 1) {
        ending_ = Future<void>(make<Ending>(worker, nullptr, "scope", Origin::current()));
        worker.return_credit();
        give(1);
    }
    Joiner joiner(worker);
    const Future<void> ending = ending_;
    if (!ending.shared() || !ending.shared()->add(&joiner)) return;
    const Job* const job = worker.job;
    Scope* const scope = worker.scope;
    worker.work(joiner.done);
    worker.job = job;
    worker.scope = scope;
    worker.pool.leaving.fetch_sub(1);
}

/// Nothing is left, and the owner waits: it may end the scope's life as soon as it is told.
void Scope::end() {
    State* const ending = ending_.shared();
    ending->set_error(std::exchange(error_, nullptr));
    failed_.store(false, std::memory_order_relaxed);
    cancelled_.store(false, std::memory_order_relaxed);
    count_.store(1, std::memory_order_relaxed);
    finish_all(*Worker::here(), ending, true);
}

void Scope::take(std::int64_t units) {
    if (count_.fetch_add(units, std::memory_order_relaxed) > 0) return;
    count_.fetch_sub(units, std::memory_order_relaxed);
    throw std::logic_error(
        "a task was started in a scope that has ended (all() was called). "
        "Start it before, or in the scope's own tasks.");
}

void Scope::give(std::int64_t units) {
    if (count_.fetch_sub(units, std::memory_order_acq_rel) == units) end();
}

std::exception_ptr Scope::fail(const Job& job, std::exception_ptr error) noexcept {
    const auto with_place = [&](const std::string& text) {
        return std::make_exception_ptr(
            TaskError("task " + describe(job) + " failed: " + text, job.name, job.place, error));
    };
    try {
        std::rethrow_exception(error);
    } catch (const TaskError&) {
    } catch (const Cancelled&) {
        if (cancelled()) return error;
    } catch (const std::exception& thrown) {
        error = with_place(thrown.what());
    } catch (...) {
        error = with_place("it threw something that is no std::exception.");
    }
    fail(error);
    return error;
}

void Scope::fail(std::exception_ptr error) noexcept {
    if (!failed_.exchange(true, std::memory_order_acq_rel)) error_ = std::move(error);
    cancel();
}

void start_coroutine(Worker& worker, Scope* scope, const char* name, Origin place,
                     Coroutine* coroutine) {
    coroutine->scope = scope;
    coroutine->name = name;
    coroutine->place = place;
    worker.take_unit(scope);
    worker.push(coroutine);
}

void Scope::spawn(const char* name, Task<void> coroutine, Origin place) {
    start_coroutine(this_worker("a coroutine was spawned"), this, name, place, coroutine.release());
}

void Coroutine::end_task() noexcept {
    Worker& worker = *Worker::here();
    Scope* const owner = scope;
    State* const to = result;
    if (error) {
        std::exception_ptr thrown = owner->fail(*this, error);
        if (to) to->set_error(std::move(thrown));
    } else {
        put_result();
    }
    self.destroy();
    if (to) to->finish(worker);
    worker.return_unit(owner);
}

}  // namespace aureole::tasks
