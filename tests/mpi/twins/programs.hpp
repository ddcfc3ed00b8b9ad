// SPDX-License-Identifier: Apache-2.0
// Random programs: a few phases of random kinds.
#pragma once

#include "comms.hpp"

namespace twins {

/// Does the program; both runs of it do the same.
void do_program(Run& run, const Comms& comms);

}  // namespace twins
