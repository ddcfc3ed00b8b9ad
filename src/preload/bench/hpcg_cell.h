/* SPDX-License-Identifier: Apache-2.0
 * What the kernels of HPCG do with one cell, the same to the bit on hosts and devices: no compiler
 * may contract the products (-ffp-contract=off, -fmad=false).
 *
 * The operator has 26 on its diagonal and -1 for each of the 26 neighbours, so nothing of it is
 * stored. Arrays have a layer of ghosts, which are zero outside the grid; z is contiguous. */
#pragma once

#ifdef __CUDACC__
#define AUREOLE_HPCG_FUNCTION static __device__ inline
#else
#define AUREOLE_HPCG_FUNCTION static inline
#endif

/* Threads of a dot product, each of which adds every so many-th product; sums are the same on hosts
 * and devices, as both add in that order. */
enum { hpcg_dot_blocks = 128, hpcg_dot_threads = 256 };

/* What a kernel works on; each uses a part of it. */
struct HpcgWork {
    double* to;
    const double *x, *y;
    double a, b;  /* factors; `a` is the diagonal of the operator */
    long long n;  /* doubles of an array, ghosts included */
    int own[3];   /* cells of this rank in x, y, z, at the level whose cells are written */
    int first[3]; /* the first cell of a colour, along each axis */
    int marked;   /* cells from (0, 0, 0) on along z whose diagonal is (z + 2) times as large */
};

AUREOLE_HPCG_FUNCTION long long hpcg_index(const int own[3], long long x, long long y,
                                           long long z) {
    return ((x + 1) * (own[1] + 2) + y + 1) * (own[2] + 2) + z + 1;
}

AUREOLE_HPCG_FUNCTION double hpcg_line(const double* at) { return (at[-1] + at[1]) + at[0]; }

AUREOLE_HPCG_FUNCTION double hpcg_plane(const double* at, long long row) {
    return (hpcg_line(at - row) + hpcg_line(at + row)) + hpcg_line(at);
}

/* The sum of the 26 neighbours. */
AUREOLE_HPCG_FUNCTION double hpcg_neighbours(const double* at, long long row, long long slice) {
    const double planes = hpcg_plane(at - slice, row) + hpcg_plane(at + slice, row);
    return (planes + (hpcg_line(at - row) + hpcg_line(at + row))) + (at[-1] + at[1]);
}

/* A row of the operator times a vector. */
AUREOLE_HPCG_FUNCTION double hpcg_product(const double* at, long long row, long long slice,
                                          double diagonal) {
    return diagonal * at[0] - hpcg_neighbours(at, row, slice);
}

/* The value with which a row of the operator times a vector is `right`. */
AUREOLE_HPCG_FUNCTION double hpcg_smoothed(const double* at, long long row, long long slice,
                                           double diagonal, double right) {
    return (right + hpcg_neighbours(at, row, slice)) / diagonal;
}
