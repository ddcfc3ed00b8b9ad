/* SPDX-License-Identifier: Apache-2.0
 * One step of the stencil on one rank's cells, where they lie. */
#pragma once

#include "memory.h"

/* The values of `own` cells in x, y, z (with one layer of ghosts around them) after a step. Returns
 * when it is done. */
void stencil_step(enum Memory memory, const double* from, double* to, const int own[3]);
