// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/held_simulation.hpp"

namespace aureole::python {

/// External forces and stages from leaf files.
void bind_leaves(nb::module_& m, nb::class_<PySimulation>& c);

}  // namespace aureole::python
