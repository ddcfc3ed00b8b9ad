// SPDX-License-Identifier: Apache-2.0
// The kernels of hpcg_kernel.cu, compiled for the host, one device thread after the other: what the
// driver double runs in place of the host's version of them, in a program that lacks that version.
#include <setjmp.h>
#include <ucontext.h>

// NOLINTBEGIN: words of CUDA
#define __global__
#define __device__
#define __shared__ static

struct Index {
    unsigned x;
};
static Index blockIdx, blockDim, threadIdx;
static void __syncthreads();

#include "hpcg_kernel.cu"
// NOLINTEND

extern "C" {
#include "memory.h"
}

namespace {

using Kernel = void (*)(HpcgWork);

// Threads are started once, and then run a kernel after the other. They change places by jumps, as
// swapcontext calls the system twice.
constexpr unsigned most_threads = 256, stack_bytes = 1 << 16;
alignas(64) char stacks[most_threads][stack_bytes];
ucontext_t starts[most_threads], never;
jmp_buf threads_at[most_threads], scheduler;
bool has_started[most_threads], has_ended[most_threads];
Kernel running;
HpcgWork work_of_all;

void give_way() {
    if (_setjmp(threads_at[threadIdx.x]) == 0) _longjmp(scheduler, 1);
}

void one_thread() {
    for (;;) {
        running(work_of_all);
        has_ended[threadIdx.x] = true;
        give_way();
    }
}

/// Until the thread's next barrier, or its end.
void resume(unsigned k) {
    if (_setjmp(scheduler) != 0) return;
    if (has_started[k]) _longjmp(threads_at[k], 1);
    has_started[k] = true;
    getcontext(&starts[k]);
    starts[k].uc_stack.ss_sp = stacks[k];
    starts[k].uc_stack.ss_size = stack_bytes;
    makecontext(&starts[k], one_thread, 0);
    swapcontext(&never, &starts[k]);
}

void run_block() {
    for (bool& each : has_ended) each = false;
    for (unsigned left = blockDim.x; left > 0;)
        for (threadIdx.x = 0; threadIdx.x < blockDim.x; ++threadIdx.x) {
            if (has_ended[threadIdx.x]) continue;
            resume(threadIdx.x);
            left -= has_ended[threadIdx.x];
        }
}

/// Kernels without barriers need no stacks of their own.
void play(Kernel kernel, bool has_barriers, void** parameters, unsigned blocks, unsigned threads) {
    work_of_all = *static_cast<const HpcgWork*>(parameters[0]);
    work_of_all.to = static_cast<double*>(devices.host(work_of_all.to));
    work_of_all.x = static_cast<const double*>(devices.host(work_of_all.x));
    work_of_all.y = static_cast<const double*>(devices.host(work_of_all.y));
    running = kernel;
    blockDim.x = threads;
    for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x)
        if (has_barriers)
            run_block();
        else
            for (threadIdx.x = 0; threadIdx.x < threads; ++threadIdx.x) kernel(work_of_all);
}

}  // namespace

static void __syncthreads() { give_way(); }

#define SHOWN extern "C" __attribute__((visibility("default")))
#define PLAYED(name, has_barriers)                                                      \
    SHOWN void aureole_emulated_aureole_hpcg_##name(void** parameters, unsigned blocks, \
                                                    unsigned threads) {                 \
        play(aureole_hpcg_##name, has_barriers, parameters, blocks, threads);           \
    }                                                                                   \
    SHOWN unsigned long aureole_emulated_aureole_hpcg_##name##_sizes[2];                \
    unsigned long aureole_emulated_aureole_hpcg_##name##_sizes[2] = {sizeof(HpcgWork), 0};
PLAYED(multiply, false)
PLAYED(smooth, false)
PLAYED(coarsen, false)
PLAYED(refine, false)
PLAYED(combine, false)
PLAYED(fill, false)
PLAYED(dot_parts, true)
PLAYED(dot_sum, true)
