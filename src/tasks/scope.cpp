// SPDX-License-Identifier: Apache-2.0
#include "tasks/scope.hpp"

#include <stdexcept>
#include <string_view>

#include "tasks/pool.hpp"

namespace aureole::tasks {

std::string describe(const Job& job) {
    const std::string_view file = job.place.file_name();
    return '"' + std::string(job.name) + "\" (" + std::string(file.substr(file.rfind('/') + 1)) +
           ':' + std::to_string(job.place.line()) + ')';
}

Scope::Scope() : pool_(this_worker("a Scope was made").pool), owner_(Worker::here()->job) {}

Scope::~Scope() {
    Worker& worker = *Worker::here();
    worker.return_credit();
    if (count_.load(std::memory_order_acquire) == 1) return;
    cancel();
    wait(worker);
}

void Scope::join() {
    Worker& worker = this_worker("a scope was waited for");
    if (worker.job != owner_ || &worker.pool != &pool_)
        throw core::Error(
            "a task waits for itself",
            "a scope ends after its tasks, and only the task that made it waits for it",
            "Make a Scope for what is to be waited for.");
    wait(worker);
    if (const auto error = std::exchange(error_, nullptr)) std::rethrow_exception(error);
}

void Scope::wait(Worker& worker) {
    const Job* const job = worker.job;
    Scope* const scope = worker.scope;
    waiting_ = &worker;
    worker.return_credit();
    give(1);
    worker.work(ended_);
    worker.job = job;
    worker.scope = scope;
    count_.store(1, std::memory_order_relaxed);
    for (auto* flag : {&ended_, &cancelled_, &failed_})
        flag->store(false, std::memory_order_relaxed);
}

void Scope::take(const Worker& worker, std::int64_t units) {
    if (&worker.pool != &pool_)
        throw std::logic_error("a task used a scope of another pool (its own workers end it)");
    count_.fetch_add(units, std::memory_order_relaxed);
}

void Scope::give(std::int64_t units) {
    if (count_.fetch_sub(units, std::memory_order_acq_rel) != units) return;
    Worker& waiting = *waiting_;  // the owner may destroy *this as soon as it is told
    ended_.store(true);
    waiting.pool.wake(waiting);
}

std::exception_ptr Scope::fail(const Job& job, std::exception_ptr error) noexcept {
    const auto with_place = [&](const std::string& text) {
        error = std::make_exception_ptr(TaskError("task " + describe(job) + " failed: " + text));
    };
    try {
        std::rethrow_exception(error);
    } catch (const TaskError&) {
    } catch (const std::exception& thrown) {
        with_place(thrown.what());
    } catch (...) {
        with_place("it threw something that is no std::exception.");
    }
    fail(error);
    return error;
}

void Scope::fail(std::exception_ptr error) noexcept {
    if (!failed_.exchange(true, std::memory_order_acq_rel)) error_ = std::move(error);
    cancel();
}

}  // namespace aureole::tasks
