/* SPDX-License-Identifier: Apache-2.0 */
#include "halo.h"

enum { lower, higher };

Handle block_type(const int sizes[3], const int block[3], const int starts[3]) {
    Handle type = 0;
    MPI(Type_create_subarray, 3, sizes, block, starts, mpi.order_c, mpi.of_double, &type);
    MPI(Type_commit, &type);
    return type;
}

void halo_part(const struct Halo* halo, int rank, int first[3], int own[3]) {
    int at[3];
    MPI(Cart_coords, halo->comm, rank, 3, at);
    for (int axis = 0; axis < 3; ++axis) {
        const long cells = halo->cells[axis], ranks = halo->ranks[axis];
        first[axis] = (int)(cells * at[axis] / ranks);
        own[axis] = (int)(cells * (at[axis] + 1) / ranks) - first[axis];
    }
}

/* The layer of cells at `index` along an axis, without edges. */
static Handle face(const struct Halo* halo, int axis, int index) {
    int sizes[3], block[3], starts[3];
    for (int k = 0; k < 3; ++k) {
        sizes[k] = halo->own[k] + 2;
        block[k] = k == axis ? 1 : halo->own[k];
        starts[k] = k == axis ? index : 1;
    }
    return block_type(sizes, block, starts);
}

void halo_begin(struct Halo* halo, const int cells[3]) {
    const int periodic[3] = {1, 1, 1};
    for (int axis = 0; axis < 3; ++axis) halo->cells[axis] = cells[axis], halo->ranks[axis] = 0;
    MPI(Dims_create, mpi.ranks, 3, halo->ranks);
    for (int axis = 0; axis < 3; ++axis)
        if (halo->cells[axis] < halo->ranks[axis]) refuse("fewer cells than ranks along an axis");
    halo->comm = 0;
    MPI(Cart_create, mpi.world, 3, halo->ranks, periodic, 0, &halo->comm);
    halo_part(halo, mpi.rank, halo->first, halo->own);
    for (int axis = 0; axis < 3; ++axis) {
        const int last = halo->own[axis];
        int* const neighbour = halo->neighbour[axis];
        MPI(Cart_shift, halo->comm, axis, 1, &neighbour[lower], &neighbour[higher]);
        halo->sent[axis][lower] = face(halo, axis, 1);
        halo->sent[axis][higher] = face(halo, axis, last);
        halo->received[axis][lower] = face(halo, axis, 0);
        halo->received[axis][higher] = face(halo, axis, last + 1);
    }
}

void halo_exchange(const struct Halo* halo, double* array) {
    struct Requests all;
    int open = 0;
    /* Both neighbours may be the same rank, so tags tell from which side a face was sent. */
    for (int axis = 0; axis < 3; ++axis)
        for (int side = lower; side <= higher; ++side)
            MPI(Irecv, array, 1, halo->received[axis][side], halo->neighbour[axis][side],
                2 * axis + 1 - side, halo->comm, request_at(&all, open++));
    for (int axis = 0; axis < 3; ++axis)
        for (int side = lower; side <= higher; ++side)
            MPI(Isend, array, 1, halo->sent[axis][side], halo->neighbour[axis][side],
                2 * axis + side, halo->comm, request_at(&all, open++));
    MPI(Waitall, open, &all, mpi.ignored);
}

double halo_large(const struct Halo* halo, size_t bytes) {
    double large = 0;
    for (int axis = 0; axis < 3; ++axis) {
        size_t face_bytes = sizeof(double);
        for (int k = 0; k < 3; ++k) face_bytes *= k == axis ? 1 : (size_t)halo->own[k];
        for (int side = lower; side <= higher; ++side)
            large += face_bytes >= bytes && halo->neighbour[axis][side] != mpi.rank;
    }
    return large;
}

void halo_end(struct Halo* halo) {
    for (int axis = 0; axis < 3; ++axis)
        for (int side = lower; side <= higher; ++side) {
            MPI(Type_free, &halo->sent[axis][side]);
            MPI(Type_free, &halo->received[axis][side]);
        }
    MPI(Comm_free, &halo->comm);
}
