/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "memory.h"

/* Steps of the seven-point stencil on a periodic grid of cells, split over all ranks; rank 0 prints
 * a line of JSON. `is_checked`: compares all cells with those of a plain loop on rank 0. */
void stencil_run(enum Memory memory, const int cells[3], int steps, int is_checked);
