/* SPDX-License-Identifier: Apache-2.0 */
#include "hpcg_halo.h"

#include "halo.h"

enum { tag = 4 };

struct HpcgPlace hpcg_place(void) {
    struct HpcgPlace place = {{0, 0, 0}, {0, 0, 0}};
    MPI(Dims_create, mpi.ranks, 3, place.ranks);
    const int* const ranks = place.ranks;
    place.at[0] = mpi.rank / (ranks[1] * ranks[2]);
    place.at[1] = mpi.rank / ranks[2] % ranks[1];
    place.at[2] = mpi.rank % ranks[2];
    return place;
}

/* The rank that is `step` further along each axis; -1 if the grid ends before. */
static int rank_at(const struct HpcgPlace* place, const int step[3]) {
    int rank = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const int at = place->at[axis] + step[axis];
        if (at < 0 || at >= place->ranks[axis]) return -1;
        rank = rank * place->ranks[axis] + at;
    }
    return rank;
}

/* Cells beside a neighbour: this rank's own ones, or the ghosts next to them. */
static Handle cells_beside(const int own[3], const int step[3], int is_ghosts) {
    int sizes[3], block[3], starts[3];
    for (int axis = 0; axis < 3; ++axis) {
        sizes[axis] = own[axis] + 2;
        block[axis] = step[axis] == 0 ? own[axis] : 1;
        starts[axis] = step[axis] > 0 ? own[axis] + is_ghosts : 1;
        if (step[axis] < 0) starts[axis] = 1 - is_ghosts;
    }
    return block_type(sizes, block, starts);
}

static double bytes_of(const int own[3], const int step[3]) {
    double bytes = sizeof(double);
    for (int axis = 0; axis < 3; ++axis) bytes *= step[axis] == 0 ? own[axis] : 1;
    return bytes;
}

void hpcg_halo_begin(struct HpcgHalo* halo, const struct HpcgPlace* place, const int own[3],
                     long straight_from) {
    halo->n = 0, halo->large = 0;
    for (int k = 0; k < 27; ++k) {
        const int step[3] = {k / 9 - 1, k / 3 % 3 - 1, k % 3 - 1};
        const int rank = rank_at(place, step);
        if (rank < 0 || rank == mpi.rank) continue;
        halo->rank[halo->n] = rank;
        halo->sent[halo->n] = cells_beside(own, step, 0);
        halo->received[halo->n] = cells_beside(own, step, 1);
        halo->large += straight_from >= 0 && bytes_of(own, step) >= (double)straight_from;
        ++halo->n;
    }
}

void hpcg_halo_exchange(const struct HpcgHalo* halo, double* array) {
    struct Requests all;
    int open = 0;
    for (int k = 0; k < halo->n; ++k)
        MPI(Irecv, array, 1, halo->received[k], halo->rank[k], tag, mpi.world,
            request_at(&all, open++));
    for (int k = 0; k < halo->n; ++k)
        MPI(Isend, array, 1, halo->sent[k], halo->rank[k], tag, mpi.world,
            request_at(&all, open++));
    MPI(Waitall, open, &all, mpi.ignored);
}

void hpcg_halo_end(struct HpcgHalo* halo) {
    for (int k = 0; k < halo->n; ++k) {
        MPI(Type_free, &halo->sent[k]);
        MPI(Type_free, &halo->received[k]);
    }
}
