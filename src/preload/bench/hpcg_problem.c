/* SPDX-License-Identifier: Apache-2.0 */
#include "hpcg_problem.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "hpcg_cell.h"
#include "mixed.h"

static const double norm_of_operator = 2 * 26, spread_factor = 1e6, spread_tolerance = 1e-12;
enum { spread_rows = 9, spread_most = 50 };

/* One of the finest level's cells, where it lies among those of all ranks. */
struct Cell {
    const int* cells; /* of all ranks */
    int at[3];
    int marked; /* cells with another diagonal in hpcg_spread */
};

/* They all belong to the first rank. */
static int marked_cells(const struct Hpcg* of) {
    const int line = of->level[0].own[2];
    return line < spread_rows ? line : spread_rows;
}

static int all_cells(const struct Hpcg* of, int level, int axis) {
    return of->level[level].own[axis] * of->place.ranks[axis];
}

/* Gives each of this rank's cells its value. */
static void set(const struct Hpcg* of, double* vector, double (*value)(const struct Cell*)) {
    const struct HpcgLevel* const level = &of->level[0];
    const size_t bytes = (size_t)level->n * sizeof(double);
    const int* const own = level->own;
    const int cells[3] = {all_cells(of, 0, 0), all_cells(of, 0, 1), all_cells(of, 0, 2)};
    const int marked = marked_cells(of);
    double* const mirror = memory_take(in_host, bytes);
    memset(mirror, 0, bytes);
    for (int x = 0; x < own[0]; ++x)
        for (int y = 0; y < own[1]; ++y)
            for (int z = 0; z < own[2]; ++z) {
                const int* const origin = level->origin;
                const struct Cell cell = {
                    cells, {origin[0] + x, origin[1] + y, origin[2] + z}, marked};
                mirror[hpcg_index(own, x, y, z)] = value(&cell);
            }
    memory_copy(vector, mirror, bytes);
    memory_give(in_host, mirror);
}

static double zero_of(const struct Cell* cell) { return (void)cell, 0; }

/* A row of the operator, times ones. */
static double right_of(const struct Cell* cell) {
    double row = 1;
    for (int axis = 0; axis < 3; ++axis) {
        const int at = cell->at[axis];
        row *= 1 + (at > 0) + (at < cell->cells[axis] - 1);
    }
    return 26 - (row - 1);
}

/* The same right-hand side, scaled as the diagonal is. */
static double spread_right_of(const struct Cell* cell) {
    const int* const at = cell->at;
    const int is_marked = at[0] == 0 && at[1] == 0 && at[2] < cell->marked;
    return right_of(cell) * spread_factor * (is_marked ? at[2] + 2 : 1);
}

static double random_of(const struct Cell* cell, int which) {
    uint64_t index = 0;
    for (int axis = 0; axis < 3; ++axis)
        index = index * (uint64_t)cell->cells[axis] + (uint64_t)cell->at[axis];
    return mixed_fraction(2 * index + (uint64_t)which);
}
static double x_of(const struct Cell* cell) { return random_of(cell, 0); }
static double y_of(const struct Cell* cell) { return random_of(cell, 1); }

void hpcg_known(struct Hpcg* of) {
    set(of, of->right, right_of);
    set(of, of->solution, zero_of);
}

double hpcg_error(const struct Hpcg* of) {
    const struct HpcgLevel* const level = &of->level[0];
    const int* const own = level->own;
    const size_t bytes = (size_t)level->n * sizeof(double);
    double* const mirror = memory_take(in_host, bytes);
    memory_copy(mirror, of->solution, bytes);
    double squares = 0;
    for (int x = 0; x < own[0]; ++x)
        for (int y = 0; y < own[1]; ++y)
            for (int z = 0; z < own[2]; ++z) {
                const double lacks = mirror[hpcg_index(own, x, y, z)] - 1;
                squares += lacks * lacks;
            }
    memory_give(in_host, mirror);
    const double cells = (double)own[0] * own[1] * own[2];
    return sqrt(sum_of(squares) / sum_of(cells));
}

struct HpcgSymmetry hpcg_symmetry(struct Hpcg* of) {
    struct HpcgSymmetry found;
    double *const x = hpcg_vector(of), *const y = hpcg_vector(of);
    set(of, x, x_of), set(of, y, y_of);
    const double norms = sqrt(hpcg_dot(of, x, x)) * sqrt(hpcg_dot(of, y, y));
    const double unit = 2 * norms * norm_of_operator * DBL_EPSILON;
    /* By a copy, as the operator fills ghosts. */
    hpcg_combined(of, of->p, 1, y, 0, y);
    hpcg_operator(of, of->p, of->ap);
    const double x_y = hpcg_dot(of, x, of->ap);
    hpcg_combined(of, of->p, 1, x, 0, x);
    hpcg_operator(of, of->p, of->ap);
    found.operator_itself = fabs(x_y - hpcg_dot(of, y, of->ap)) / unit;
    hpcg_precondition(of, y, of->z);
    const double x_my = hpcg_dot(of, x, of->z);
    hpcg_precondition(of, x, of->z);
    found.preconditioner = fabs(x_my - hpcg_dot(of, y, of->z)) / unit;
    memory_give(of->memory, x), memory_give(of->memory, y);
    return found;
}

struct HpcgSpread hpcg_spread(struct Hpcg* of) {
    struct HpcgSpread found;
    struct HpcgAim aim = {spread_most, spread_tolerance, 0, NULL};
    const int* const at = of->place.at;
    const double usual = of->diagonal;
    of->diagonal *= spread_factor;
    of->marked = at[0] == 0 && at[1] == 0 && at[2] == 0 ? marked_cells(of) : 0;
    set(of, of->right, spread_right_of);
    set(of, of->solution, zero_of);
    found.plain = hpcg_solve(of, &aim);
    set(of, of->solution, zero_of);
    aim.preconditions = 1;
    found.preconditioned = hpcg_solve(of, &aim);
    of->diagonal = usual, of->marked = 0;
    hpcg_known(of);
    return found;
}

/* Entries of the operator at a level that are not zero. */
static double entries(const struct Hpcg* of, int level) {
    double found = 1;
    for (int axis = 0; axis < 3; ++axis) found *= 3.0 * all_cells(of, level, axis) - 2;
    return found;
}

double hpcg_flops(const struct Hpcg* of, int iterations) {
    const double rows = (double)all_cells(of, 0, 0) * all_cells(of, 0, 1) * all_cells(of, 0, 2);
    const double n = iterations;
    double flops = 2 * (3 * n + 1) * 2 * rows; /* dot products, and sums of vectors */
    flops += (n + 1) * 2 * entries(of, 0);     /* the operator */
    for (int level = 0; level < hpcg_levels - 1; ++level)
        flops += n * (4 + 2 + 4) * entries(of, level); /* two sweeps and a residual */
    return flops + n * 4 * entries(of, hpcg_levels - 1);
}
