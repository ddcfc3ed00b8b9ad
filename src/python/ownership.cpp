// SPDX-License-Identifier: Apache-2.0
#include "python/ownership.hpp"

#include <nanobind/nanobind.h>

#include <chrono>

#include "core/error.hpp"

namespace aureole::python {

namespace nb = nanobind;

void Ownership::require() const {
    if (getpid() != process_)
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

void Ownership::take(bool running) {
    require();
    owner_ = std::this_thread::get_id();
    ++holds_;
    running_ = running_ || running;
}

void Ownership::give_back() {
    if (--holds_ == 0) running_ = false;
}

void interrupted() {
    const nb::gil_scoped_acquire held;
    if (PyErr_CheckSignals() != 0) nb::raise_python_error();
}

}  // namespace aureole::python
