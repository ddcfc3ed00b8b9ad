// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <memory>
#include <thread>
#include <utility>

#include "md/simulation.hpp"
#include "python/convert.hpp"
#include "python/ranks.hpp"

namespace aureole::python {

/// Who may use a simulation: one thread at a time, in the process that made it. Read and changed
/// with Python's lock held.
class Ownership {
  public:
    /// Returns when this thread may use the simulation. A thread that is in the midst of a short
    /// call is waited for.
    /// @throws core::InputError in a forked child, and during a run or a minimisation of another
    /// thread
    void require() const;
    bool forked() const { return getpid() != process_; }
    /// @throws core::InputError within a callback of a minimisation
    void require_whole_step() const;

  private:
    friend class Hold;
    friend class CallbackInStep;
    pid_t process_ = getpid();
    std::thread::id owner_;
    int holds_ = 0;
    bool running_ = false;  ///< for long: others are refused instead of kept waiting
    bool in_step_ = false;  ///< a callback of a minimisation is called
};

/// A simulation as Python holds it, with the state of its views.
class PySimulation {
  public:
    /// `ranks`: whose world the simulation uses, if any.
    PySimulation(std::unique_ptr<md::Simulation> sim, Ranks* ranks)
        : ranks_(ranks != nullptr ? nb::find(*ranks) : nb::object()),
          held_(new Held{std::move(sim), {}, nullptr}) {}
    /// A forked child has none of the threads that a destructor would wait for.
    ~PySimulation() {
        if (ownership_.forked()) (void)held_.release();
    }

    md::Simulation& get() {
        ownership_.require();
        return *held_->sim;
    }
    /// Device memory within the host's reach until the next change; a GPU's is complete.
    void open() {
        auto& queue = get().queue();
        if (queue.backend() != device::Backend::host)
            queue.synchronize();
        else if (!held_->access)
            held_->access = std::make_unique<device::HostAccess>(queue);
    }
    /// Device memory belongs to kernels again, for copies of columns.
    md::Simulation& reading() {
        ownership_.require();
        held_->access.reset();
        return *held_->sim;
    }
    /// The same, for what changes or computes.
    md::Simulation& moving() {
        ownership_.require_whole_step();
        return reading();
    }
    /// What the last view of forces shows.
    device::Buffer<core::Vec3d>& force() { return held_->force; }
    Ownership& ownership() { return ownership_; }

  private:
    struct Held {
        std::unique_ptr<md::Simulation> sim;
        device::Buffer<core::Vec3d> force;
        std::unique_ptr<device::HostAccess> access;
    };
    nb::object ranks_;
    std::unique_ptr<Held> held_;
    Ownership ownership_;
};

/// Keeps other threads out while Python's lock may be given away.
class Hold {
  public:
    /// `running`: for as long as a run or a minimisation takes.
    explicit Hold(PySimulation& sim, bool running = false) : ownership_(sim.ownership()) {
        take(ownership_, running);
    }
    ~Hold() { give_back(ownership_); }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

    static void take(Ownership& of, bool running);
    static void give_back(Ownership& of);

  private:
    Ownership& ownership_;
};

/// A callback that is called in the midst of a step: it may read particles, but change and compute
/// nothing.
class CallbackInStep {
  public:
    explicit CallbackInStep(PySimulation& sim) : ownership_(sim.ownership()) {
        ownership_.in_step_ = true;
    }
    ~CallbackInStep() { ownership_.in_step_ = false; }
    CallbackInStep(const CallbackInStep&) = delete;
    CallbackInStep& operator=(const CallbackInStep&) = delete;

  private:
    Ownership& ownership_;
};

/// Asks Python for signals at a step boundary, where the state is whole.
inline void interrupted() {
    const nb::gil_scoped_acquire held;
    if (PyErr_CheckSignals() != 0) nb::raise_python_error();
}

/// Arrays of particles, copied and shown.
void bind_columns(nb::class_<PySimulation>& c);
/// What only simulations of molecules have.
void bind_molecules(nb::class_<PySimulation>& c);

}  // namespace aureole::python
