/* SPDX-License-Identifier: Apache-2.0 */
#include "hpcg_solver.h"

#include <math.h>
#include <string.h>

#include "hpcg_kernel.h"
#include "straight.h"

enum { colours = 8, finest = 0, coarsest = hpcg_levels - 1 };

static double* vector_of(enum Memory memory, long long n) {
    const size_t bytes = (size_t)n * sizeof(double);
    double* const vector = memory_take(memory, bytes);
    double* const zeros = memory_take(in_host, bytes);
    memset(zeros, 0, bytes);
    memory_copy(vector, zeros, bytes);
    memory_give(in_host, zeros);
    return vector;
}

double* hpcg_vector(const struct Hpcg* of) { return vector_of(of->memory, of->level[finest].n); }

static void begin_level(struct Hpcg* of, int k, const int cells[3]) {
    struct HpcgLevel* const level = &of->level[k];
    level->n = 1;
    for (int axis = 0; axis < 3; ++axis) {
        level->own[axis] = cells[axis] >> k;
        level->origin[axis] = level->own[axis] * of->place.at[axis];
        level->n *= level->own[axis] + 2;
    }
    hpcg_halo_begin(&level->halo, &of->place, level->own, straight_from());
    if (k != coarsest) level->product = vector_of(of->memory, level->n);
    if (k == finest) return;
    level->right = vector_of(of->memory, level->n);
    level->solution = vector_of(of->memory, level->n);
}

void hpcg_begin(struct Hpcg* of, enum Memory memory, const int cells[3]) {
    memset(of, 0, sizeof *of);
    for (int axis = 0; axis < 3; ++axis)
        if (cells[axis] < 8 || cells[axis] % 8 != 0) refuse("cells are no multiples of 8");
    of->memory = memory;
    of->place = hpcg_place();
    of->diagonal = 26;
    for (int k = 0; k < hpcg_levels; ++k) begin_level(of, k, cells);
    double** const vectors[] = {&of->right, &of->solution, &of->r, &of->z, &of->p, &of->ap};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; ++k) *vectors[k] = hpcg_vector(of);
    of->parts = vector_of(memory, hpcg_dot_blocks);
    of->mine = vector_of(memory, 1), of->all = vector_of(memory, 1);
}

void hpcg_end(struct Hpcg* of) {
    double* const vectors[] = {of->right, of->solution, of->r,    of->z,  of->p,
                               of->ap,    of->parts,    of->mine, of->all};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; ++k)
        memory_give(of->memory, vectors[k]);
    for (int k = 0; k < hpcg_levels; ++k) {
        struct HpcgLevel* const level = &of->level[k];
        hpcg_halo_end(&level->halo);
        if (k != coarsest) memory_give(of->memory, level->product);
        if (k == finest) continue;
        memory_give(of->memory, level->right);
        memory_give(of->memory, level->solution);
    }
}

void hpcg_combined(const struct Hpcg* of, double* to, double a, const double* x, double b,
                   const double* y) {
    const struct HpcgWork work = {
        .to = to, .x = x, .y = y, .a = a, .b = b, .n = of->level[finest].n};
    hpcg_kernel(of->memory, hpcg_combine, &work);
}

double hpcg_dot(struct Hpcg* of, const double* x, const double* y) {
    const struct HpcgWork parts = {.to = of->parts, .x = x, .y = y, .n = of->level[finest].n};
    const struct HpcgWork sum = {.to = of->mine, .x = of->parts};
    hpcg_kernel(of->memory, hpcg_dot_parts, &parts);
    hpcg_kernel(of->memory, hpcg_dot_sum, &sum);
    device_wait();
    const double start = seconds_now();
    MPI(Allreduce, of->mine, of->all, 1, mpi.of_double, mpi.sum, mpi.world);
    of->reduction += seconds_now() - start;
    double found = 0;
    memory_copy(&found, of->all, sizeof found);
    return found;
}

static void exchange(struct Hpcg* of, int k, double* x) {
    device_wait(); /* MPI sends what is there when it is called */
    const double start = seconds_now();
    hpcg_halo_exchange(&of->level[k].halo, x);
    of->exchange += seconds_now() - start;
    of->large += of->level[k].halo.large;
}

/* What the kernels want to know of a level. */
static struct HpcgWork work_on(const struct Hpcg* of, int k) {
    const struct HpcgLevel* const level = &of->level[k];
    struct HpcgWork work = {.a = 26, .n = level->n};
    if (k == finest) work.a = of->diagonal, work.marked = of->marked;
    for (int axis = 0; axis < 3; ++axis) work.own[axis] = level->own[axis];
    return work;
}

static void multiplied(struct Hpcg* of, int k, double* x, double* y) {
    struct HpcgWork work = work_on(of, k);
    exchange(of, k, x);
    work.to = y, work.x = x;
    hpcg_kernel(of->memory, hpcg_multiply, &work);
}

void hpcg_operator(struct Hpcg* of, double* x, double* y) { multiplied(of, finest, x, y); }

/* A symmetric sweep of Gauss-Seidel: all colours and back again. */
static void smoothed(struct Hpcg* of, int k, const double* right, double* x) {
    struct HpcgWork work = work_on(of, k);
    work.to = x, work.x = right;
    if (of->sweeps_in_order) {
        exchange(of, k, x);
        hpcg_sweep_in_order(&work, 0);
        hpcg_sweep_in_order(&work, 1);
        return;
    }
    for (int turn = 0; turn < 2 * colours; ++turn) {
        const int colour = turn < colours ? turn : 2 * colours - 1 - turn;
        if (turn == 0 || of->fills_each_colour) exchange(of, k, x);
        /* Colours are those of the whole grid, whichever rank has a cell. */
        for (int axis = 0; axis < 3; ++axis)
            work.first[axis] = ((colour >> (2 - axis)) + of->level[k].origin[axis]) % 2;
        hpcg_kernel(of->memory, hpcg_smooth, &work);
    }
}

static void cycle(struct Hpcg* of, int k, const double* right, double* x) {
    struct HpcgWork zero = work_on(of, k);
    zero.to = x, zero.a = 0;
    hpcg_kernel(of->memory, hpcg_fill, &zero);
    smoothed(of, k, right, x);
    if (k == coarsest) return;
    struct HpcgLevel *const fine = &of->level[k], *const coarse = &of->level[k + 1];
    multiplied(of, k, x, fine->product);
    struct HpcgWork work = work_on(of, k + 1);
    work.to = coarse->right, work.x = right, work.y = fine->product;
    hpcg_kernel(of->memory, hpcg_coarsen, &work);
    cycle(of, k + 1, coarse->right, coarse->solution);
    work.to = x, work.x = coarse->solution;
    hpcg_kernel(of->memory, hpcg_refine, &work);
    smoothed(of, k, right, x);
}

void hpcg_precondition(struct Hpcg* of, const double* r, double* x) { cycle(of, finest, r, x); }

int hpcg_solve(struct Hpcg* of, const struct HpcgAim* aim) {
    hpcg_combined(of, of->p, 1, of->solution, 0, of->solution);
    hpcg_operator(of, of->p, of->ap);
    hpcg_combined(of, of->r, 1, of->right, -1, of->ap);
    const double first = sqrt(hpcg_dot(of, of->r, of->r));
    double norm = first, rz = 0;
    if (aim->norms != NULL) aim->norms[0] = norm;
    int done = 0;
    while (done < aim->most && norm > aim->tolerance * first) {
        if (aim->preconditions)
            hpcg_precondition(of, of->r, of->z);
        else
            hpcg_combined(of, of->z, 1, of->r, 0, of->r);
        const double before = rz;
        rz = hpcg_dot(of, of->r, of->z);
        hpcg_combined(of, of->p, 1, of->z, done == 0 ? 0 : rz / before, of->p);
        hpcg_operator(of, of->p, of->ap);
        const double alpha = rz / hpcg_dot(of, of->p, of->ap);
        hpcg_combined(of, of->solution, 1, of->solution, alpha, of->p);
        hpcg_combined(of, of->r, 1, of->r, -alpha, of->ap);
        norm = sqrt(hpcg_dot(of, of->r, of->r));
        ++done;
        if (aim->norms != NULL) aim->norms[done] = norm;
    }
    return done;
}
