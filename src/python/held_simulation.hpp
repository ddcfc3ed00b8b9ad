// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

#include "md/simulation.hpp"
#include "python/convert.hpp"

namespace aureole::python {

/// A simulation as Python holds it, with what it owes to views.
class PySimulation {
  public:
    explicit PySimulation(std::unique_ptr<md::Simulation> sim) : sim_(std::move(sim)) {}

    md::Simulation& get() { return *sim_; }
    /// Device memory within the host's reach until the next change; a GPU's is complete.
    void open() {
        auto& queue = sim_->queue();
        if (queue.backend() != device::Backend::host)
            queue.synchronize();
        else if (!access_)
            access_ = std::make_unique<device::HostAccess>(queue);
    }
    md::Simulation& moving() {
        access_.reset();
        return *sim_;
    }
    /// What the last view of forces shows.
    device::Buffer<core::Vec3d>& force() { return force_; }

  private:
    std::unique_ptr<md::Simulation> sim_;
    device::Buffer<core::Vec3d> force_;
    std::unique_ptr<device::HostAccess> access_;
};

/// Asks Python for signals at a step boundary, where the state is whole.
inline void interrupted() {
    const nb::gil_scoped_acquire held;
    if (PyErr_CheckSignals() != 0) nb::raise_python_error();
}

/// What only simulations of molecules have.
void bind_molecules(nb::class_<PySimulation>& c);

}  // namespace aureole::python
