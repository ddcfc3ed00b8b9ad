// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <atomic>
#include <thread>

namespace aureole::python {

/// The right to use a simulation: one thread has it at a time, in the process that made the
/// simulation. Read and changed with Python's lock held.
class Ownership {
  public:
    /// Returns when this thread may use the simulation. A thread that is in the midst of a short
    /// call is waited for.
    /// @throws core::InputError in a forked child, and during a run or a minimisation of another
    /// thread
    void require() const;
    /// Keeps other threads out until the right is given back, as often as it was taken. `running`:
    /// for as long as a run or a minimisation takes; other threads are refused instead of kept
    /// waiting.
    void take(bool running);
    void give_back();

    /// Whether the present run is to end when it next asks for signals. Any thread may call this,
    /// also one that may not use the simulation.
    void ask_to_stop(bool asked) { stop_ = asked; }
    bool is_asked_to_stop() const { return stop_; }

  private:
    pid_t process_ = getpid();
    std::thread::id owner_;
    int holds_ = 0;
    bool running_ = false;
    std::atomic<bool> stop_ = false;
};

/// Keeps other threads out while Python's lock may be given away.
class Hold {
  public:
    explicit Hold(Ownership& of, bool running = false) : ownership_(of) { of.take(running); }
    ~Hold() { ownership_.give_back(); }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

  private:
    Ownership& ownership_;
};

/// Asks Python for signals at a step boundary, where the state is whole.
void interrupted();

}  // namespace aureole::python
