// SPDX-License-Identifier: Apache-2.0
// The kernel that copies lists of runs. tools/gen_ptx.py compiles it to copy_runs_ptx.gen.cpp.
#include "drivers/copy_runs.kernel.hpp"

extern "C" __global__ void aureole_copy_runs(const aureole::drivers::RunCopy copy) {
    const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const std::int64_t threads = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    aureole::drivers::copy_runs(copy, thread, threads, copy.bytes / copy.unit);
}
