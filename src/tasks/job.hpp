// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <source_location>

namespace aureole::tasks {

class Scope;
class State;

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

}  // namespace aureole::tasks
