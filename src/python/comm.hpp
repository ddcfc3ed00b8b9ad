// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace nanobind {
class module_;
}

namespace aureole::python {

/// Ranks of one node, and MPI libraries.
void bind_comm(nanobind::module_& m);

}  // namespace aureole::python
