/* SPDX-License-Identifier: Apache-2.0 */
#include "stencil_kernel.h"

#include "stencil_cell.h"
#include "stencil_kernel.ptx.h"

static void step_on_host(const double* from, double* to, const int own[3]) {
    const long row = own[2] + 2, slice = (own[1] + 2) * row;
    for (long x = 1; x <= own[0]; ++x)
        for (long y = 1; y <= own[1]; ++y)
            for (long at = x * slice + y * row + 1; at <= x * slice + y * row + own[2]; ++at)
                to[at] = AUREOLE_STENCIL_CELL(from, at, row, slice);
}

/* How the driver double runs the kernel: on the host, by addresses that it may touch. */
__attribute__((visibility("default"))) void aureole_emulated_aureole_stencil(void** parameters,
                                                                             unsigned blocks,
                                                                             unsigned threads) {
    (void)blocks, (void)threads;
    const int own[3] = {*(int*)parameters[2], *(int*)parameters[3], *(int*)parameters[4]};
    step_on_host(devices.host(*(void**)parameters[0]), devices.host(*(void**)parameters[1]), own);
}
__attribute__((visibility("default"))) unsigned long aureole_emulated_aureole_stencil_sizes[] = {
    sizeof(void*), sizeof(void*), sizeof(int), sizeof(int), sizeof(int), 0};

void stencil_step(enum Memory memory, const double* from, double* to, const int own[3]) {
    if (memory == in_host) return step_on_host(from, to, own);
    static void* kernel = NULL;
    if (kernel == NULL) kernel = kernel_load(aureole_stencil_ptx, "aureole_stencil");
    enum { threads = 256 };
    const long cells = (long)own[0] * own[1] * own[2];
    int size[3] = {own[0], own[1], own[2]};
    void* parameters[] = {&from, &to, &size[0], &size[1], &size[2]};
    kernel_run(kernel, (unsigned)((cells + threads - 1) / threads), threads, parameters);
    device_wait();
}
