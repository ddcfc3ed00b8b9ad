// SPDX-License-Identifier: Apache-2.0
// Phases of persistent and of partitioned requests, started several times.
#pragma once

#include "p2p.hpp"

namespace twins {

void persistent(Run& run, const Comm& comm);
void partitioned(Run& run, const Comm& comm);

}  // namespace twins
