/* SPDX-License-Identifier: Apache-2.0
 * A periodic grid of cells, split over a Cartesian grid of ranks; each has a layer of ghosts around
 * its own cells, which the six neighbours fill. */
#pragma once

#include "mpi_calls.h"

struct Halo {
    Handle comm;
    int cells[3];         /* of all ranks, in x, y, z */
    int ranks[3];         /* of the grid */
    int first[3], own[3]; /* the first of this rank's cells among all, and their number */
    int neighbour[3][2];  /* rank on the lower and on the higher side of each axis */
    Handle sent[3][2], received[3][2]; /* faces in an array of own + 2 cells along each axis */
};

/* Refuses grids with fewer cells than ranks along an axis. */
void halo_begin(struct Halo* halo, const int cells[3]);
/* Fills the ghosts of an array, but not those of edges and corners. */
void halo_exchange(const struct Halo* halo, double* array);
void halo_end(struct Halo* halo);
/* Faces of so many bytes or more that an exchange sends to other ranks. */
double halo_large(const struct Halo* halo, size_t bytes);

/* Where a rank's cells lie among all. */
void halo_part(const struct Halo* halo, int rank, int first[3], int own[3]);
/* A block of an array of doubles. */
Handle block_type(const int sizes[3], const int block[3], const int starts[3]);
