/* SPDX-License-Identifier: Apache-2.0
 * The system of equations that HPCG solves, and what HPCG tests before it measures. */
#pragma once

#include "hpcg_solver.h"

/* The right-hand side for which each value of the solution is 1; the solution is zero. */
void hpcg_known(struct Hpcg* of);
/* The root mean square of what the solution lacks to 1. */
double hpcg_error(const struct Hpcg* of);

/* |x'Ay - y'Ax| / (2 |x| |A| |y| epsilon) for two vectors of random numbers, and the same with the
 * preconditioner in place of the operator A; |A| is 52. HPCG allows 1, with squares of the norms in
 * place of norms. */
struct HpcgSymmetry {
    double operator_itself, preconditioner;
};
struct HpcgSymmetry hpcg_symmetry(struct Hpcg* of);

/* Iterations to 1e-12 with a diagonal that is 1e6 times as large, with nine other values besides;
 * HPCG allows 12, and 2 with the preconditioner. The system is the usual one again afterwards. */
struct HpcgSpread {
    int plain, preconditioned;
};
struct HpcgSpread hpcg_spread(struct Hpcg* of);

/* Of so many iterations on all ranks, as HPCG counts them. */
double hpcg_flops(const struct Hpcg* of, int iterations);
