// SPDX-License-Identifier: Apache-2.0
// Compiled to PTX by tools/stencil_ptx.sh, which writes hpcg_kernel.ptx.h. One thread for each cell
// or number; hpcg_kernel.h says what each kernel does.
#include "hpcg_cell.h"

struct Cell {
    long long x, y, z, at, row, slice;
};

static __device__ long long thread() {
    return blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
}

static __device__ Cell cell_at(const int own[3], long long x, long long y, long long z) {
    const long long row = own[2] + 2, slice = (own[1] + 2) * row;
    return {x, y, z, hpcg_index(own, x, y, z), row, slice};
}

/// The k-th of the cells in x, y, z.
static __device__ bool find_cell(const int own[3], Cell& cell) {
    const long long k = thread(), ny = own[1], nz = own[2];
    if (k >= own[0] * ny * nz) return false;
    cell = cell_at(own, k / (ny * nz), k / nz % ny, k % nz);
    return true;
}

static __device__ double diagonal_of(const HpcgWork& work, const Cell& cell) {
    const bool is_marked = cell.x == 0 && cell.y == 0 && cell.z < work.marked;
    return is_marked ? work.a * static_cast<double>(cell.z + 2) : work.a;
}

extern "C" __global__ void aureole_hpcg_multiply(HpcgWork work) {
    Cell cell;
    if (!find_cell(work.own, cell)) return;
    work.to[cell.at] =
        hpcg_product(work.x + cell.at, cell.row, cell.slice, diagonal_of(work, cell));
}

extern "C" __global__ void aureole_hpcg_smooth(HpcgWork work) {
    const long long k = thread();
    const int* const first = work.first;
    const long long ny = (work.own[1] - first[1] + 1) / 2, nz = (work.own[2] - first[2] + 1) / 2;
    if (k >= (work.own[0] - first[0] + 1) / 2 * ny * nz) return;
    const Cell cell = cell_at(work.own, first[0] + k / (ny * nz) * 2, first[1] + k / nz % ny * 2,
                              first[2] + k % nz * 2);
    work.to[cell.at] = hpcg_smoothed(work.to + cell.at, cell.row, cell.slice,
                                     diagonal_of(work, cell), work.x[cell.at]);
}

extern "C" __global__ void aureole_hpcg_coarsen(HpcgWork work) {
    Cell cell;
    if (!find_cell(work.own, cell)) return;
    const int fine[3] = {2 * work.own[0], 2 * work.own[1], 2 * work.own[2]};
    const long long at = hpcg_index(fine, 2 * cell.x, 2 * cell.y, 2 * cell.z);
    work.to[cell.at] = work.x[at] - work.y[at];
}

extern "C" __global__ void aureole_hpcg_refine(HpcgWork work) {
    Cell cell;
    if (!find_cell(work.own, cell)) return;
    const int fine[3] = {2 * work.own[0], 2 * work.own[1], 2 * work.own[2]};
    work.to[hpcg_index(fine, 2 * cell.x, 2 * cell.y, 2 * cell.z)] += work.x[cell.at];
}

extern "C" __global__ void aureole_hpcg_combine(HpcgWork work) {
    const long long k = thread();
    if (k < work.n) work.to[k] = work.a * work.x[k] + work.b * work.y[k];
}

extern "C" __global__ void aureole_hpcg_fill(HpcgWork work) {
    const long long k = thread();
    if (k < work.n) work.to[k] = work.a;
}

/// The sum of all threads' numbers in sum[0].
static __device__ void add_up(double* sum, int n) {
    const int k = static_cast<int>(threadIdx.x);
    for (int half = n / 2; half > 0; half /= 2) {
        __syncthreads();
        if (k < half) sum[k] += sum[k + half];
    }
}

extern "C" __global__ void aureole_hpcg_dot_parts(HpcgWork work) {
    __shared__ double sum[hpcg_dot_threads];
    double own = 0;
    for (long long k = thread(); k < work.n; k += hpcg_dot_blocks * hpcg_dot_threads)
        own += work.x[k] * work.y[k];
    sum[threadIdx.x] = own;
    add_up(sum, hpcg_dot_threads);
    if (threadIdx.x == 0) work.to[blockIdx.x] = sum[0];
}

extern "C" __global__ void aureole_hpcg_dot_sum(HpcgWork work) {
    __shared__ double sum[hpcg_dot_blocks];
    sum[threadIdx.x] = work.x[threadIdx.x];
    add_up(sum, hpcg_dot_blocks);
    if (threadIdx.x == 0) work.to[0] = sum[0];
}
