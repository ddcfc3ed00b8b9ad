/* SPDX-License-Identifier: Apache-2.0
 * The new value of a cell, the same to the bit on hosts and devices: no compiler may contract the
 * products (-ffp-contract=off, -fmad=false). Conduction of heat, with 0.1 of each of the six
 * neighbours: stable, and its weights add up to one. */
#pragma once

#define AUREOLE_STENCIL_CELL(from, at, row, slice)                                                \
    (0.4 * (from)[at] +                                                                           \
     0.1 * (((from)[(at)-1] + (from)[(at) + 1]) + ((from)[(at) - (row)] + (from)[(at) + (row)]) + \
            ((from)[(at) - (slice)] + (from)[(at) + (slice)])))
