// SPDX-License-Identifier: Apache-2.0
#include "python/held_simulation.hpp"

namespace aureole::python {

md::Simulation& PySimulation::moving() {
    if (in_step_)
        throw core::InputError("a callback of minimize cannot use the simulation",
                               "it is called in the middle of a step",
                               "Only read positions, or minimise in pieces with max_steps.");
    return reading();
}

}  // namespace aureole::python
