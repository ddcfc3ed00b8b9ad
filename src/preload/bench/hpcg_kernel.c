/* SPDX-License-Identifier: Apache-2.0 */
#include "hpcg_kernel.h"

#include "hpcg_kernel.ptx.h"

enum { threads = 256, dot_lanes = hpcg_dot_blocks * hpcg_dot_threads };

static long long row_of(const struct HpcgWork* work) { return work->own[2] + 2; }
static long long slice_of(const struct HpcgWork* work) { return (work->own[1] + 2) * row_of(work); }

/* How many of the cells of a line along z are marked. */
static int marked_in(const struct HpcgWork* work, int x, int y) {
    return x == 0 && y == 0 ? work->marked : 0;
}

static void multiply(const struct HpcgWork* work) {
    const long long row = row_of(work), slice = slice_of(work);
    const double a = work->a;
    for (int x = 0; x < work->own[0]; ++x)
        for (int y = 0; y < work->own[1]; ++y) {
            const long long at = hpcg_index(work->own, x, y, 0);
            const double* const from = work->x + at;
            double* const restrict to = work->to + at;
            for (int z = 0; z < work->own[2]; ++z) to[z] = hpcg_product(from + z, row, slice, a);
            for (int z = 0; z < marked_in(work, x, y); ++z)
                to[z] = hpcg_product(from + z, row, slice, a * (z + 2));
        }
}

static void smooth(const struct HpcgWork* work) {
    const long long row = row_of(work), slice = slice_of(work);
    const int* const first = work->first;
    for (int x = first[0]; x < work->own[0]; x += 2)
        for (int y = first[1]; y < work->own[1]; y += 2) {
            const long long at = hpcg_index(work->own, x, y, 0);
            const double* const right = work->x + at;
            double* const to = work->to + at;
            const int marked = marked_in(work, x, y);
            for (int z = first[2]; z < work->own[2]; z += 2) {
                const double diagonal = z < marked ? work->a * (z + 2) : work->a;
                to[z] = hpcg_smoothed(to + z, row, slice, diagonal, right[z]);
            }
        }
}

void hpcg_sweep_in_order(const struct HpcgWork* work, int is_backwards) {
    const long long row = row_of(work), slice = slice_of(work);
    const int* const own = work->own;
    const int lines = own[0] * own[1];
    for (int turn = 0; turn < lines * own[2]; ++turn) {
        const int k = is_backwards ? lines * own[2] - 1 - turn : turn;
        const int x = k / own[2] / own[1], y = k / own[2] % own[1], z = k % own[2];
        const long long at = hpcg_index(own, x, y, z);
        double* const to = work->to + at;
        const double diagonal = z < marked_in(work, x, y) ? work->a * (z + 2) : work->a;
        *to = hpcg_smoothed(to, row, slice, diagonal, work->x[at]);
    }
}

static void coarsen(const struct HpcgWork* work) {
    const int fine[3] = {2 * work->own[0], 2 * work->own[1], 2 * work->own[2]};
    for (int x = 0; x < work->own[0]; ++x)
        for (int y = 0; y < work->own[1]; ++y)
            for (int z = 0; z < work->own[2]; ++z) {
                const long long at = hpcg_index(fine, 2 * x, 2 * y, 2 * z);
                work->to[hpcg_index(work->own, x, y, z)] = work->x[at] - work->y[at];
            }
}

static void refine(const struct HpcgWork* work) {
    const int fine[3] = {2 * work->own[0], 2 * work->own[1], 2 * work->own[2]};
    for (int x = 0; x < work->own[0]; ++x)
        for (int y = 0; y < work->own[1]; ++y)
            for (int z = 0; z < work->own[2]; ++z)
                work->to[hpcg_index(fine, 2 * x, 2 * y, 2 * z)] +=
                    work->x[hpcg_index(work->own, x, y, z)];
}

static void combine(const struct HpcgWork* work) {
    for (long long k = 0; k < work->n; ++k)
        work->to[k] = work->a * work->x[k] + work->b * work->y[k];
}

static void fill(const struct HpcgWork* work) {
    for (long long k = 0; k < work->n; ++k) work->to[k] = work->a;
}

/* In the order of the threads of a block. */
static double add_up(double* sum, int n) {
    for (int half = n / 2; half > 0; half /= 2)
        for (int k = 0; k < half; ++k) sum[k] += sum[k + half];
    return sum[0];
}

static void dot_parts(const struct HpcgWork* work) {
    static double lane[dot_lanes];
    for (int k = 0; k < dot_lanes; ++k) lane[k] = 0;
    for (long long begin = 0; begin < work->n; begin += dot_lanes) {
        const long long left = work->n - begin;
        const int n = left < dot_lanes ? (int)left : dot_lanes;
        const double *const x = work->x + begin, *const y = work->y + begin;
        for (int k = 0; k < n; ++k) lane[k] += x[k] * y[k];
    }
    for (int block = 0; block < hpcg_dot_blocks; ++block)
        work->to[block] = add_up(lane + block * hpcg_dot_threads, hpcg_dot_threads);
}

static void dot_sum(const struct HpcgWork* work) {
    double sum[hpcg_dot_blocks];
    for (int k = 0; k < hpcg_dot_blocks; ++k) sum[k] = work->x[k];
    work->to[0] = add_up(sum, hpcg_dot_blocks);
}

/* How the driver double runs a kernel: on the host, by addresses that it may touch. */
static void emulate(void (*run)(const struct HpcgWork*), void** parameters) {
    struct HpcgWork work = *(const struct HpcgWork*)parameters[0];
    work.to = devices.host(work.to);
    work.x = devices.host(work.x);
    work.y = devices.host(work.y);
    run(&work);
}

#define SHOWN __attribute__((visibility("default")))
#define EMULATED(name)                                                                             \
    SHOWN void aureole_emulated_aureole_hpcg_##name(void** parameters, unsigned b, unsigned t) {   \
        (void)b, (void)t;                                                                          \
        emulate(name, parameters);                                                                 \
    }                                                                                              \
    SHOWN unsigned long aureole_emulated_aureole_hpcg_##name##_sizes[] = {sizeof(struct HpcgWork), \
                                                                          0};
EMULATED(multiply)
EMULATED(smooth)
EMULATED(coarsen)
EMULATED(refine)
EMULATED(combine)
EMULATED(fill)
EMULATED(dot_parts)
EMULATED(dot_sum)

static long long cells_of(const struct HpcgWork* work) {
    return (long long)work->own[0] * work->own[1] * work->own[2];
}
static long long coloured_of(const struct HpcgWork* work) {
    long long cells = 1;
    for (int axis = 0; axis < 3; ++axis) cells *= (work->own[axis] - work->first[axis] + 1) / 2;
    return cells;
}
static long long numbers_of(const struct HpcgWork* work) { return work->n; }
static long long lanes_of(const struct HpcgWork* work) { return (void)work, dot_lanes; }
static long long parts_of(const struct HpcgWork* work) { return (void)work, hpcg_dot_blocks; }

static const struct {
    const char* name;
    void (*run)(const struct HpcgWork*);
    long long (*threads)(const struct HpcgWork*);
    int block;
} kernels[hpcg_kernels] = {
    [hpcg_multiply] = {"aureole_hpcg_multiply", multiply, cells_of, threads},
    [hpcg_smooth] = {"aureole_hpcg_smooth", smooth, coloured_of, threads},
    [hpcg_coarsen] = {"aureole_hpcg_coarsen", coarsen, cells_of, threads},
    [hpcg_refine] = {"aureole_hpcg_refine", refine, cells_of, threads},
    [hpcg_combine] = {"aureole_hpcg_combine", combine, numbers_of, threads},
    [hpcg_fill] = {"aureole_hpcg_fill", fill, numbers_of, threads},
    [hpcg_dot_parts] = {"aureole_hpcg_dot_parts", dot_parts, lanes_of, hpcg_dot_threads},
    [hpcg_dot_sum] = {"aureole_hpcg_dot_sum", dot_sum, parts_of, hpcg_dot_blocks},
};

void hpcg_kernel(enum Memory memory, enum HpcgKernel which, const struct HpcgWork* work) {
    if (memory == in_host) return kernels[which].run(work);
    static void* loaded[hpcg_kernels];
    if (loaded[which] == NULL) loaded[which] = kernel_load(aureole_hpcg_ptx, kernels[which].name);
    const long long n = kernels[which].threads(work), block = kernels[which].block;
    struct HpcgWork own = *work;
    void* parameters[] = {&own};
    if (n > 0)
        kernel_run(loaded[which], (unsigned)((n + block - 1) / block), (unsigned)block, parameters);
}
