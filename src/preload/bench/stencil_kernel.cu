// SPDX-License-Identifier: Apache-2.0
// Compiled to PTX by tools/stencil_ptx.sh, which writes stencil_kernel.ptx.h.
#include "stencil_cell.h"

/// One step of nx x ny x nz cells with one layer of ghosts on each side; one thread for each cell.
extern "C" __global__ void aureole_stencil(const double* from, double* to, int nx, int ny, int nz) {
    const long long k = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
    const long long row = nz + 2, slice = (ny + 2) * row;
    if (k >= static_cast<long long>(nx) * ny * nz) return;
    const long long x = k / (static_cast<long long>(ny) * nz), y = k / nz % ny, z = k % nz;
    const long long at = (x + 1) * slice + (y + 1) * row + z + 1;
    to[at] = AUREOLE_STENCIL_CELL(from, at, row, slice);
}
