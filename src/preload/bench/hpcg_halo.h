/* SPDX-License-Identifier: Apache-2.0
 * The ghosts of HPCG's vectors, which up to 26 neighbours fill: faces, edges and corners. */
#pragma once

#include "mpi_calls.h"

enum { hpcg_neighbours_most = 26 };

/* Where a rank is in the grid of ranks, which ends at its sides. */
struct HpcgPlace {
    int ranks[3], at[3];
};

/* The messages of one level of the grid. */
struct HpcgHalo {
    int n; /* neighbours */
    int rank[hpcg_neighbours_most];
    /* Blocks of an array of own + 2 cells along each axis. */
    Handle sent[hpcg_neighbours_most], received[hpcg_neighbours_most];
    double large; /* messages of one exchange that are long enough to go straight */
};

struct HpcgPlace hpcg_place(void);
/* `straight_from`: bytes; -1: no message goes straight. */
void hpcg_halo_begin(struct HpcgHalo* halo, const struct HpcgPlace* place, const int own[3],
                     long straight_from);
void hpcg_halo_exchange(const struct HpcgHalo* halo, double* array);
void hpcg_halo_end(struct HpcgHalo* halo);
