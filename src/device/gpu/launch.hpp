// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "device/backend.hpp"
#include "device/block.hpp"
#include "device/loop.hpp"
#include "device/wide_team.hpp"

// Declared for every source, defined in launch.cuh, batch.cuh and block_launch.cuh for .cu files:
// those instantiate them for the functors of their folder, and so ordinary sources can launch
// kernels.

namespace aureole::device::gpu {

template <class F>
void launch_for(detail::QueueState& queue, const char* name, std::int64_t n, const F& f);

template <class T, class F, class Op>
void launch_reduce(detail::QueueState& queue, const char* name, std::int64_t n, const T& identity,
                   const F& f, const Op& op, T* out);

template <class F>
void launch_team(detail::QueueState& queue, const char* name, const TeamPolicy& policy, const F& f);

template <class F>
void launch_batch(detail::QueueState& queue, const char* name, std::span<const Loop<F>> loops);

template <class F>
void launch_blocks(detail::QueueState& queue, const char* name, const BlockGrid& grid, const F& f);

}  // namespace aureole::device::gpu
