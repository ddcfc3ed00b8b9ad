// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "device/backend.hpp"
#include "device/loop.hpp"

// Declared for every source, defined in batch.cuh, as the launches of launch.hpp are.
namespace aureole::device::gpu {

template <class F>
void launch_batch(detail::QueueState& queue, const char* name, std::span<const Loop<F>> loops);

}  // namespace aureole::device::gpu
