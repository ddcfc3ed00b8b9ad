// SPDX-License-Identifier: Apache-2.0
#include "tasks/future.hpp"

namespace aureole::tasks {

void finish_all(Worker& worker, State* list, bool in_task) {
    const int depth = worker.depth;
    while (State* const state = list) {
        list = static_cast<State*>(state->next);
        worker.depth = list || in_task ? Worker::most_deep : depth;
        state->finish(worker);
    }
    worker.depth = depth;
}

void refuse(State& step, const Future& before) noexcept {
    static const auto cancelled = std::make_exception_ptr(core::Error(
        "the task was not run", "another one of its scope failed", "See the scope's error."));
    Scope& scope = *step.scope;
    if (before.failed() && !scope.cancelled())
        step.set_error(scope.fail(step, before.error()));
    else
        step.set_error(before.failed() ? before.error() : cancelled);
}

}  // namespace aureole::tasks
