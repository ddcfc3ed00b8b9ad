// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace nanobind {
class module_;
}

namespace aureole::python {

/// Makes the exception classes of the module and translates core's errors into them.
void bind_errors(nanobind::module_& m);
void bind_simulation(nanobind::module_& m);

}  // namespace aureole::python
