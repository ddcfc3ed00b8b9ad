// SPDX-License-Identifier: Apache-2.0
// Several threads of a rank, each with messages on a communicator of its own.
#pragma once

#include "comms.hpp"

namespace twins {

void several_threads(Run& run, const Comms& comms);

}  // namespace twins
