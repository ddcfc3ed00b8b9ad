// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <memory>
#include <utility>

#include "python/convert.hpp"
#include "python/ownership.hpp"
#include "python/ranks.hpp"

namespace aureole::python {

/// Deletes nothing in a forked child, which has none of the threads that a destructor would wait
/// for.
struct DeleteUnlessForked {
    pid_t process = getpid();
    template <class T>
    void operator()(T* object) const {
        if (getpid() == process) delete object;
    }
};
/// Pointer to an object that a process owns, and children forked from it do not.
template <class T>
using OfProcess = std::unique_ptr<T, DeleteUnlessForked>;

/// A simulation of any kind as Python holds it.
template <class Simulation>
class Held {
  public:
    /// `ranks`: whose world the simulation uses, if any.
    Held(std::unique_ptr<Simulation> simulation, Ranks* ranks)
        : ranks_(ranks != nullptr ? nb::find(*ranks) : nb::object()),
          simulation_(simulation.release()) {}

    /// @throws core::InputError where this thread or process may not use it
    Simulation& get() {
        ownership_.require();
        return *simulation_;
    }
    Ownership& ownership() { return ownership_; }

  private:
    nb::object ranks_;
    OfProcess<Simulation> simulation_;
    Ownership ownership_;
};

/// Calls sim.run(arguments..., interrupted), which ends early where another thread asks for it.
template <class Simulation, class... Arguments>
void run_held(Simulation& sim, Ownership& ownership, Arguments... arguments) {
    struct Stop {};
    const Hold hold(ownership, true);
    const nb::gil_scoped_release released;
    try {
        sim.run(arguments..., [&] {
            interrupted();
            if (ownership.is_asked_to_stop()) throw Stop();
        });
    } catch (const Stop&) {  // between two steps, on all ranks
    }
}

/// Binds the hold of a run in Python on a simulation, from its first step to its last observer.
template <class Simulation>
void bind_hold(nb::class_<Simulation>& c) {
    c.def(
        "hold", [](Simulation& self, bool running) { self.ownership().take(running); },
        nb::arg("running"));
    c.def("give_back", [](Simulation& self) { self.ownership().give_back(); });
    c.def(
        "ask_to_stop", [](Simulation& self, bool asked) { self.ownership().ask_to_stop(asked); },
        nb::arg("asked"));
}

}  // namespace aureole::python
