/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "memory.h"

struct HpcgChoice {
    int cells[3]; /* of each rank */
    int iterations;
    int fills_each_colour; /* struct Hpcg's */
    int sweeps_in_order;   /* likewise */
    int is_checked;
    int is_rated;
};

/* Solves the system with the known solution; rank 0 prints a line of JSON. `is_checked`: and
 * another one with all residuals, the error of the solution and what HPCG tests. `is_rated`: and
 * one that tells how many iterations the sweeps by colours need for the residual that sweeps in
 * order of the cells have after `iterations`. */
void hpcg_run(enum Memory memory, const struct HpcgChoice* choice);
