// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "md/simulation/simulation.hpp"
#include "python/held.hpp"

namespace aureole::python {

/// A simulation of particles as Python holds it, with the state of its views.
class PySimulation : public Held<md::Simulation> {
  public:
    using Held::Held;

    /// Device memory within the host's reach until the next change; a GPU's is complete.
    void open() {
        auto& queue = get().queue();
        if (queue.backend() != device::Backend::host)
            queue.synchronize();
        else if (!views_->access)
            views_->access = std::make_unique<device::HostAccess>(queue);
    }
    /// Device memory belongs to kernels again, for copies of columns.
    md::Simulation& reading() {
        auto& sim = get();
        views_->access.reset();
        return sim;
    }
    /// Device memory belongs to kernels again, for calls that change or compute something.
    /// @throws core::InputError within a callback of a minimisation
    md::Simulation& moving();
    /// The forces that the last view of forces shows.
    device::Buffer<core::Vec3d>& force() { return views_->force; }

  private:
    friend class CallbackInStep;
    struct Views {
        device::Buffer<core::Vec3d> force;
        std::unique_ptr<device::HostAccess> access;
    };
    OfProcess<Views> views_{new Views};
    bool in_step_ = false;  ///< a callback of a minimisation is called
};

/// A callback that is called in the midst of a step: it may read particles, but change and compute
/// nothing.
class CallbackInStep {
  public:
    explicit CallbackInStep(PySimulation& sim) : sim_(sim) { sim_.in_step_ = true; }
    ~CallbackInStep() { sim_.in_step_ = false; }
    CallbackInStep(const CallbackInStep&) = delete;
    CallbackInStep& operator=(const CallbackInStep&) = delete;

  private:
    PySimulation& sim_;
};

/// Arrays of particles, copied and shown.
void bind_columns(nb::class_<PySimulation>& c);
/// Methods that only simulations of molecules have.
void bind_molecules(nb::class_<PySimulation>& c);

}  // namespace aureole::python
