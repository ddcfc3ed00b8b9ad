// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <source_location>

namespace aureole::tasks {

class Scope;
class State;

using Origin = std::source_location;

/// Urgent tasks are taken before normal ones; within one order, the last of a worker first.
enum class Order { normal, urgent };

struct Job;

/// Work that a worker can run, and that can wait for a result.
struct Link {
    virtual void run() noexcept = 0;
    /// The task of this link, and the state of a future if this link is one, for reports; or null.
    virtual const Job* job() const { return nullptr; }
    virtual State* state() { return nullptr; }

    Link* next = nullptr;

  protected:
    ~Link() = default;
};

/// A link of a scope; the scope does not end before the job is done.
struct Job : Link {
    Job(Scope* owner, const char* called, Origin from) : scope(owner), name(called), place(from) {}
    const Job* job() const override { return this; }

    Scope* scope;
    const char* name;
    Origin place;

  protected:
    ~Job() = default;
};

}  // namespace aureole::tasks
