/* SPDX-License-Identifier: Apache-2.0 */
#include "stencil.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "halo.h"
#include "mixed.h"
#include "stencil_cell.h"
#include "stencil_kernel.h"
#include "straight.h"

/* Exchanges until ranks know whether others can map their memory. */
enum { warm_ups = 6 };

/* What the k-th of all cells begins with: in [0, 1). */
static double first_value(long k) { return mixed_fraction((uint64_t)k); }

static size_t volume(const int sizes[3], int ghosts) {
    size_t cells = 1;
    for (int axis = 0; axis < 3; ++axis) cells *= (size_t)(sizes[axis] + ghosts);
    return cells;
}

/* An array with this rank's cells, and ghosts that nobody has filled. */
static double* begin_array(const struct Halo* halo, enum Memory memory) {
    const size_t bytes = volume(halo->own, 2) * sizeof(double);
    double* const array = memory_take(memory, bytes);
    double* const mirror = memory_take(in_host, bytes);
    memset(mirror, 0xff, bytes); /* not a number */
    const int* const own = halo->own;
    const int* const first = halo->first;
    for (long x = 0; x < own[0]; ++x)
        for (long y = 0; y < own[1]; ++y)
            for (long z = 0; z < own[2]; ++z) {
                const long line = (first[0] + x) * halo->cells[1] + first[1] + y;
                const long at = ((x + 1) * (own[1] + 2) + y + 1) * (own[2] + 2) + z + 1;
                mirror[at] = first_value(line * halo->cells[2] + first[2] + z);
            }
    memory_copy(array, mirror, bytes);
    memory_give(in_host, mirror);
    return array;
}

/* All cells on rank 0. */
static void collect(const struct Halo* halo, const double* array, double* all) {
    struct Requests requests;
    int open = 0, first[3], own[3];
    Handle parts[most_requests];
    for (int rank = 0; mpi.rank == 0 && rank < mpi.ranks; ++rank) {
        halo_part(halo, rank, first, own);
        parts[rank] = block_type(halo->cells, own, first);
        MPI(Irecv, all, 1, parts[rank], rank, 0, halo->comm, request_at(&requests, open++));
    }
    const int sizes[3] = {halo->own[0] + 2, halo->own[1] + 2, halo->own[2] + 2};
    const int inner[3] = {1, 1, 1};
    Handle mine = block_type(sizes, halo->own, inner);
    MPI(Isend, array, 1, mine, 0, 0, halo->comm, request_at(&requests, open++));
    MPI(Waitall, open, &requests, mpi.ignored);
    MPI(Type_free, &mine);
    for (int rank = 0; mpi.rank == 0 && rank < mpi.ranks; ++rank) MPI(Type_free, &parts[rank]);
}

/* The same steps by a loop that knows neither ranks nor ghosts. */
static double* plain_steps(const int cells[3], int steps) {
    const long nx = cells[0], ny = cells[1], nz = cells[2];
    double* from = memory_take(in_host, volume(cells, 0) * sizeof(double));
    double* to = memory_take(in_host, volume(cells, 0) * sizeof(double));
    for (long k = 0; k < nx * ny * nz; ++k) from[k] = first_value(k);
    for (int step = 0; step < steps; ++step) {
        for (long k = 0; k < nx * ny * nz; ++k) {
            const long x = k / (ny * nz), y = k / nz % ny, z = k % nz;
#define AT(i, j, l) from[(((i) + nx) % nx * ny + ((j) + ny) % ny) * nz + ((l) + nz) % nz]
            to[k] = 0.4 * from[k] + 0.1 * ((AT(x, y, z - 1) + AT(x, y, z + 1)) +
                                           (AT(x, y - 1, z) + AT(x, y + 1, z)) +
                                           (AT(x - 1, y, z) + AT(x + 1, y, z)));
#undef AT
        }
        double* const other = from;
        from = to, to = other;
    }
    memory_give(in_host, to);
    return from;
}

/* How many cells differ from those of one rank, and a sum of the bits of all of them. */
static void compare(const struct Halo* halo, const double* array, int steps) {
    double* all = NULL;
    const size_t n = volume(halo->cells, 0);
    if (mpi.rank == 0) all = memory_take(in_host, n * sizeof(double));
    collect(halo, array, all);
    if (mpi.rank != 0) return;
    double* const expected = plain_steps(halo->cells, steps);
    uint64_t sum = 0;
    size_t different = 0;
    for (size_t k = 0; k < n; ++k) {
        uint64_t bits, others;
        memcpy(&bits, &all[k], sizeof bits);
        memcpy(&others, &expected[k], sizeof others);
        different += bits != others;
        sum += mixed(bits ^ mixed(k));
    }
    printf("{\"different\": %zu, \"of\": %zu, \"sum\": \"%016" PRIx64 "\"}\n", different, n, sum);
    fflush(stdout);
    memory_give(in_host, expected);
    memory_give(in_host, all);
}

void stencil_run(enum Memory memory, const int cells[3], int steps, int is_checked) {
    struct Halo halo;
    halo_begin(&halo, cells);
    double* from = begin_array(&halo, memory);
    double* to = begin_array(&halo, memory);
    /* Warms up; nothing of it is used. */
    for (int k = 0; k < warm_ups; ++k) halo_exchange(&halo, to);
    stencil_step(memory, from, to, (const int[3]){1, 1, 1});
    double messages = 0;
    straight_since(memory, 0);
    MPI(Barrier, mpi.world);
    const double start = seconds_now();
    for (int step = 0; step < steps; ++step) {
        const double begin = seconds_now();
        halo_exchange(&halo, from);
        messages += seconds_now() - begin;
        stencil_step(memory, from, to, halo.own);
        double* const other = from;
        from = to, to = other;
    }
    MPI(Barrier, mpi.world);
    /* Means over the ranks, as these do not leave a barrier at the same time. */
    const double seconds = sum_of(seconds_now() - start) / mpi.ranks;
    messages = sum_of(messages) / mpi.ranks;
    const double large = straight_from() < 0 ? 0 : halo_large(&halo, (size_t)straight_from());
    const struct Straight straight = straight_since(memory, large * steps);
    if (mpi.rank == 0) {
        printf("{\"cells\": [%d, %d, %d], \"grid\": [%d, %d, %d], \"steps\": %d, ", cells[0],
               cells[1], cells[2], halo.ranks[0], halo.ranks[1], halo.ranks[2], steps);
        printf("\"seconds\": %.9g, \"exchange\": %.9g, ", seconds, messages);
        printf("\"straight\": %.0f, \"large\": %.0f}\n", straight.sent, straight.of);
        fflush(stdout);
    }
    if (is_checked) compare(&halo, from, steps);
    memory_give(memory, from), memory_give(memory, to);
    halo_end(&halo);
}
