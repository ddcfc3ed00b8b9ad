// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <source_location>

namespace aureole::tasks {

class Scope;
class State;

using Origin = std::source_location;

/// Tasks that wait are taken in this order; within one, the last of a worker first.
enum class Order { normal, urgent };

struct Job;

/// What a worker can run, and what can wait for a result.
struct Link {
    virtual void run() noexcept = 0;
    /// The task whose this is, and the state of a future that this is, for reports; or null.
    virtual const Job* job() const { return nullptr; }
    virtual State* state() { return nullptr; }

    Link* next = nullptr;

  protected:
    ~Link() = default;
};

/// A link of a scope, which does not end before this is done.
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
