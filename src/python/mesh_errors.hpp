// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

namespace aureole::python {

void bind_mesh_errors(nanobind::module_& m);

}  // namespace aureole::python
