// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace costs {

/// Handles, mappings and copies from them, in two processes on one device. Has to come before the
/// first call of `cuda()`, as a process that forks afterwards leaves its child without a driver.
void mappings(const std::vector<std::size_t>& sizes);

/// Loads and stores of the processor, where it reaches device memory.
void small_copies();

}  // namespace costs
