// SPDX-License-Identifier: Apache-2.0
#include "python/held_simulation.hpp"

#include <chrono>

namespace aureole::python {

void Ownership::require() const {
    if (forked())
        throw core::InputError("the simulation belongs to the process that created it",
                               "this process was forked from it and has none of its threads",
                               "Create the simulation in the new process, or start processes with "
                               "the method 'spawn'.");
    while (holds_ > 0 && owner_ != std::this_thread::get_id()) {
        if (running_)
            throw core::InputError("the simulation is in use by another thread",
                                   "a run or a minimisation is in progress there",
                                   "Wait until it ends, or use a Callback in that run.");
        const nb::gil_scoped_release released;
        std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
}

void Ownership::require_whole_step() const {
    if (in_step_)
        throw core::InputError("a callback of minimize cannot use the simulation",
                               "it is called in the middle of a step",
                               "Only read positions, or minimise in pieces with max_steps.");
}

void Hold::take(Ownership& of, bool running) {
    of.require();
    of.owner_ = std::this_thread::get_id();
    ++of.holds_;
    of.running_ = of.running_ || running;
}

void Hold::give_back(Ownership& of) {
    if (--of.holds_ > 0) return;
    of.running_ = false;
}

}  // namespace aureole::python
