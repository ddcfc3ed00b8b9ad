// SPDX-License-Identifier: Apache-2.0
#include "comm/timing.hpp"

namespace aureole::comm {

AUREOLE_TIMING_OF(World, )
AUREOLE_TIMING_OF(MpiLibrary, )

}  // namespace aureole::comm
