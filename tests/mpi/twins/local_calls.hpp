// SPDX-License-Identifier: Apache-2.0
// Calls without messages: pack and unpack, and calls with wrong arguments.
#pragma once

#include "run.hpp"

namespace twins {

void packing(Run& run, const Comm& comm);
void wrong_arguments(Run& run, const Comm& comm);

}  // namespace twins
