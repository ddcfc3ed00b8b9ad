/* SPDX-License-Identifier: Apache-2.0
 * The kernels of HPCG, each on the arrays of one rank, where they lie. */
#pragma once

#include "hpcg_cell.h"
#include "memory.h"

enum HpcgKernel {
    hpcg_multiply,  /* to = operator (diagonal a) times x; the ghosts of x are filled */
    hpcg_smooth,    /* new values of one colour in `to`, right-hand side x */
    hpcg_coarsen,   /* to, coarse: x - y, fine, at every second cell */
    hpcg_refine,    /* to, fine, at every second cell: x, coarse, is added; `own` is coarse */
    hpcg_combine,   /* to = a x + b y */
    hpcg_fill,      /* to = a */
    hpcg_dot_parts, /* to: partial sums of x times y, one for each block */
    hpcg_dot_sum,   /* to: the sum of those in x */
    hpcg_kernels
};

/* Host memory: does it. Otherwise it is done in the order of calls, and device_wait waits for it.
 */
void hpcg_kernel(enum Memory memory, enum HpcgKernel which, const struct HpcgWork* work);

/* A sweep of Gauss-Seidel over all cells in their order, or in the opposite one, as HPCG's
 * reference does it: each uses new values of those before it. Host memory; otherwise as
 * hpcg_smooth. */
void hpcg_sweep_in_order(const struct HpcgWork* work, int is_backwards);
