// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace nanobind {
class module_;
}

namespace aureole::python {

/// Simulations of fluids (amr).
void bind_fluid(nanobind::module_& m);

}  // namespace aureole::python
