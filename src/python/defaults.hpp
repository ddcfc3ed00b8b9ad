// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/stl/string.h>

#include "python/held_simulation.hpp"

namespace aureole::python {

nb::dict spec_defaults();
/// Limits of numbers that specs check before the engine does.
nb::dict limits();

}  // namespace aureole::python
