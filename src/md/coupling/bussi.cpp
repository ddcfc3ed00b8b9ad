// SPDX-License-Identifier: Apache-2.0
#include "md/coupling/bussi.hpp"

namespace aureole::md {

double bussi_factor(const BussiInput& in) { return draw_bussi_factor(in); }

}  // namespace aureole::md
