/* SPDX-License-Identifier: Apache-2.0 */
#include "hpcg.h"

#include <stdio.h>

#include "hpcg_problem.h"
#include "straight.h"

/* Exchanges until ranks know whether others can map their memory, and iterations after them. */
enum { warm_ups = 6, warm_iterations = 2, most_needed = 10 };

static void warm_up(struct Hpcg* of) {
    const struct HpcgAim aim = {warm_iterations, 0, 1, NULL};
    hpcg_known(of);
    for (int k = 0; k < warm_ups; ++k) hpcg_halo_exchange(&of->level[0].halo, of->p);
    hpcg_solve(of, &aim);
    hpcg_known(of);
    of->exchange = of->reduction = of->large = 0;
    straight_since(of->memory, 0);
}

static void print_numbers(const struct Hpcg* of, int iterations, double seconds) {
    const double exchange = sum_of(of->exchange) / mpi.ranks;
    const double reduction = sum_of(of->reduction) / mpi.ranks;
    const struct Straight straight = straight_since(of->memory, of->large);
    const int *const own = of->level[0].own, *const ranks = of->place.ranks;
    if (mpi.rank != 0) return;
    printf("{\"cells\": [%d, %d, %d], \"grid\": [%d, %d, %d], \"iterations\": %d, ", own[0], own[1],
           own[2], ranks[0], ranks[1], ranks[2], iterations);
    printf("\"seconds\": %.9g, \"exchange\": %.9g, \"reduction\": %.9g, \"flops\": %.17g, ",
           seconds, exchange, reduction, hpcg_flops(of, iterations));
    printf("\"straight\": %.0f, \"large\": %.0f}\n", straight.sent, straight.of);
    fflush(stdout);
}

static void print_checks(struct Hpcg* of, const double* norms, int iterations) {
    const double error = hpcg_error(of);
    const struct HpcgSymmetry symmetry = hpcg_symmetry(of);
    const struct HpcgSpread spread = hpcg_spread(of);
    if (mpi.rank != 0) return;
    printf("{\"residuals\": [");
    for (int k = 0; k <= iterations; ++k) printf("%s%.17g", k == 0 ? "" : ", ", norms[k]);
    printf("], \"error\": %.9g, \"symmetry\": [%.9g, %.9g], \"spread\": [%d, %d]}\n", error,
           symmetry.operator_itself, symmetry.preconditioner, spread.plain, spread.preconditioned);
    fflush(stdout);
}

/* By memory of the host, as the other order is not for devices. */
static void print_rating(const struct HpcgChoice* choice) {
    struct Hpcg of;
    double* const norms = memory_take(in_host, (size_t)(choice->iterations + 1) * sizeof *norms);
    struct HpcgAim aim = {choice->iterations, 0, 1, norms};
    hpcg_begin(&of, in_host, choice->cells);
    of.sweeps_in_order = 1;
    hpcg_known(&of);
    const int done = hpcg_solve(&of, &aim);
    aim = (struct HpcgAim){most_needed * done, norms[done] / norms[0], 1, NULL};
    of.sweeps_in_order = 0;
    hpcg_known(&of);
    const int needed = hpcg_solve(&of, &aim);
    if (mpi.rank == 0) printf("{\"in_order\": %d, \"needed\": %d, ", done, needed);
    if (mpi.rank == 0) printf("\"reached\": %.9g}\n", norms[done] / norms[0]);
    fflush(stdout);
    memory_give(in_host, norms);
    hpcg_end(&of);
}

void hpcg_run(enum Memory memory, const struct HpcgChoice* choice) {
    struct Hpcg of;
    if (choice->sweeps_in_order && memory != in_host) refuse("devices sweep by colours");
    hpcg_begin(&of, memory, choice->cells);
    of.fills_each_colour = choice->fills_each_colour;
    of.sweeps_in_order = choice->sweeps_in_order;
    double* const norms = memory_take(in_host, (size_t)(choice->iterations + 1) * sizeof *norms);
    const struct HpcgAim aim = {choice->iterations, 0, 1, norms};
    warm_up(&of);
    MPI(Barrier, mpi.world);
    const double start = seconds_now();
    const int done = hpcg_solve(&of, &aim);
    MPI(Barrier, mpi.world);
    /* A mean over the ranks, as these do not leave a barrier at the same time. */
    print_numbers(&of, done, sum_of(seconds_now() - start) / mpi.ranks);
    if (choice->is_checked) print_checks(&of, norms, done);
    if (choice->is_rated) print_rating(choice);
    memory_give(in_host, norms);
    hpcg_end(&of);
}
