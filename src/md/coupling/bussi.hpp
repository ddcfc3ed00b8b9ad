// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/coupling/bussi.kernel.hpp"

namespace aureole::md {

/// draw_bussi_factor for host code.
double bussi_factor(const BussiInput& in);

}  // namespace aureole::md
