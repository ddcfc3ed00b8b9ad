/* SPDX-License-Identifier: Apache-2.0
 * Large collective calls: straight_collectives device|mixed|host [NUMBERS]. Results are compared with what all ranks'
 * data give, sums to the bit: in the order of the ranks (but not with AUREOLE_MPI_MAPPED_FROM, or on hosts). `mixed`: odd ranks have their buffers on the host. Prints
 * "right" on rank 0, or ends with 3. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { to_device = 1, to_host = 2 };
static int (*allocate)(void**, size_t);
static int (*copy)(void*, const void*, size_t, int);
static MPI_Comm comm;
static int rank, size, on_device, is_summed; /* is_summed: in the order of the ranks */
static size_t n;                  /* numbers in a block */
static double *in, *out;          /* of a call: room for a block of each rank */
static double *mine, *expected, *told; /* on the host */

static void stop(const char* call, long where) {
    fprintf(stderr, "program: rank %d of %d: %s is wrong (%ld)\n", rank, size, call, where);
    MPI_Abort(MPI_COMM_WORLD, 3);
}
static double* room(size_t numbers) {
    void* made = NULL;
    if (!on_device) return calloc(numbers, sizeof(double));
    if (allocate(&made, numbers * sizeof(double)) != 0) stop("cudaMalloc", 0);
    return made;
}
static void put(double* to, const double* from, size_t numbers) {
    if (on_device)
        copy(to, from, numbers * sizeof(double), to_device);
    else
        memcpy(to, from, numbers * sizeof(double));
}
/* Sums of such numbers depend on their order in the last bits. */
static double value(int of, size_t k) {
    const unsigned long mixed = (of * 2654435761ul + k * 40503ul + 12345) % 1000003ul;
    return (double)mixed / 1000003.0 * (k % 3 == 0 ? 1e-3 : 1.0);
}
static void begin(void) {
    for (size_t k = 0; k < n * size; ++k) mine[k] = value(rank, k), expected[k] = told[k] = -1.0;
    put(in, mine, n * size), put(out, expected, n * size);
}
/* Compares the first numbers of `at`; what lies behind them must be as it was (`rest`). */
static void end(const char* call, const double* at, size_t numbers) {
    if (on_device)
        copy(told, at, n * size * sizeof(double), to_host);
    else
        memcpy(told, at, n * size * sizeof(double));
    for (size_t k = 0; k < numbers; ++k)
        if (memcmp(told + k, expected + k, sizeof(double)) != 0) stop(call, (long)k);
    for (size_t k = numbers; k < n * size; ++k)
        if (at == out && told[k] != -1.0) stop(call, (long)k);
}
static double sum(size_t k) {
    double all = value(size - 1, k);
    for (int of = size - 2; of >= 0; --of) all = value(of, k) + all;
    return all;
}
/* x -> a x + b, one after the other: numbers in pairs; does not commute. */
static void compose(void* first, void* then, int* pairs, MPI_Datatype* type) {
    (void)type;
    double *f = first, *g = then;
    for (int k = 0; k < *pairs; ++k) {
        g[2 * k + 1] = f[2 * k] * g[2 * k + 1] + f[2 * k + 1];
        g[2 * k] = f[2 * k] * g[2 * k];
    }
}

static void moves(void) {
    for (int root = 0; root < size; ++root) {
        begin();
        for (size_t k = 0; k < n; ++k) expected[k] = value(root, k);
        MPI_Bcast(rank == root ? in : out, (int)n, MPI_DOUBLE, root, comm);
        if (rank != root) end("MPI_Bcast", out, n);

        for (int in_place = 0; in_place < 2; ++in_place) {
            begin();
            for (size_t k = 0; k < n * size; ++k) expected[k] = value((int)(k / n), k % n);
            if (rank == root && in_place) put(out + root * n, mine, n);
            const void* from = rank == root && in_place ? MPI_IN_PLACE : in;
            MPI_Gather(from, (int)n, MPI_DOUBLE, out, (int)n, MPI_DOUBLE, root, comm);
            if (rank == root) end("MPI_Gather", out, n * size);

            begin();
            for (size_t k = 0; k < n; ++k) expected[k] = value(root, rank * n + k);
            void* to = rank == root && in_place ? MPI_IN_PLACE : out;
            MPI_Scatter(in, (int)n, MPI_DOUBLE, to, (int)n, MPI_DOUBLE, root, comm);
            if (to == out) end("MPI_Scatter", out, n);
        }
    }
    for (int in_place = 0; in_place < 2; ++in_place) {
        begin();
        for (size_t k = 0; k < n * size; ++k) expected[k] = value((int)(k / n), k % n);
        if (in_place) put(out + rank * n, mine, n);
        const void* from = in_place ? MPI_IN_PLACE : in;
        MPI_Allgather(from, (int)n, MPI_DOUBLE, out, (int)n, MPI_DOUBLE, comm);
        end("MPI_Allgather", out, n * size);
    }
    /* The last rank has nothing; blocks in the order of the ranks from behind. */
    int counts[64], places[64];
    for (int of = 0; of < size; ++of) counts[of] = of == size - 1 ? 0 : (int)n - of, places[of] = (size - 1 - of) * (int)n;
    begin();
    for (int of = 0; of < size; ++of)
        for (int k = 0; k < counts[of]; ++k) expected[places[of] + k] = value(of, (size_t)k);
    MPI_Allgatherv(in, counts[rank], MPI_DOUBLE, out, counts, places, MPI_DOUBLE, comm);
    end("MPI_Allgatherv", out, n * size);

    begin();
    for (size_t k = 0; k < n * size; ++k) expected[k] = value((int)(k / n), rank * n + k % n);
    MPI_Alltoall(in, (int)n, MPI_DOUBLE, out, (int)n, MPI_DOUBLE, comm);
    end("MPI_Alltoall", out, n * size);
    begin();
    put(out, mine, n * size);
    for (size_t k = 0; k < n * size; ++k) expected[k] = value((int)(k / n), rank * n + k % n);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, (int)n, MPI_DOUBLE, comm);
    end("MPI_Alltoall in place", out, n * size);

    /* Every second number, from one rank's buffer to dense ones. */
    MPI_Datatype second;
    MPI_Type_vector((int)n / 2, 1, 2, MPI_DOUBLE, &second);
    MPI_Type_commit(&second);
    begin();
    for (size_t k = 0; k < n / 2; ++k) expected[k] = value(0, 2 * k);
    if (rank == 0) MPI_Bcast(in, 1, second, 0, comm);
    if (rank != 0) MPI_Bcast(out, (int)n / 2, MPI_DOUBLE, 0, comm), end("MPI_Bcast of a vector", out, n / 2);
    MPI_Type_free(&second);
}

static void reductions(void) {
    for (int in_place = 0; in_place < 2; ++in_place) {
        begin();
        if (in_place) put(out, mine, n);
        for (size_t k = 0; k < n; ++k) expected[k] = sum(k);
        MPI_Allreduce(in_place ? MPI_IN_PLACE : in, out, (int)n, MPI_DOUBLE, MPI_SUM, comm);
        if (is_summed) end("MPI_Allreduce", out, n);
        for (int root = 0; root < size; ++root) {
            begin();
            if (in_place && rank == root) put(out, mine, n);
            for (size_t k = 0; k < n; ++k) expected[k] = sum(k);
            MPI_Reduce(in_place && rank == root ? MPI_IN_PLACE : in, out, (int)n, MPI_DOUBLE, MPI_SUM, root, comm);
            if (rank == root && is_summed) end("MPI_Reduce", out, n);
            if (rank != root) end("MPI_Reduce elsewhere", out, 0);
        }
    }
    begin();
    for (size_t k = 0; k < n; ++k) expected[k] = sum(rank * n + k);
    MPI_Reduce_scatter_block(in, out, (int)n, MPI_DOUBLE, MPI_SUM, comm);
    if (is_summed) end("MPI_Reduce_scatter_block", out, n);
    int counts[64], before = 0;
    for (int of = 0; of < size; ++of) counts[of] = of == 0 ? 0 : (int)n - of;
    for (int of = 0; of < rank; ++of) before += counts[of];
    begin();
    for (int k = 0; k < counts[rank]; ++k) expected[k] = sum((size_t)(before + k));
    MPI_Reduce_scatter(in, out, counts, MPI_DOUBLE, MPI_SUM, comm);
    if (is_summed) end("MPI_Reduce_scatter", out, (size_t)counts[rank]);

    MPI_Datatype pair;
    MPI_Op op;
    MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
    MPI_Type_commit(&pair);
    MPI_Op_create(compose, 0, &op);
    begin();
    for (size_t k = 0; k < n; ++k) expected[k] = value(size - 1, k);
    for (int of = size - 2, pairs = (int)(n / 2); of >= 0; --of) {
        for (size_t k = 0; k < n; ++k) told[k] = value(of, k);
        compose(told, expected, &pairs, &pair);
    }
    MPI_Allreduce(in, out, (int)n / 2, pair, op, comm);
    if (is_summed) end("MPI_Allreduce of pairs", out, n / 2 * 2);
    MPI_Op_free(&op), MPI_Type_free(&pair);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    void* const library = dlopen("libcudart.so.13", RTLD_NOW);
    allocate = (int (*)(void**, size_t))dlsym(library, "cudaMalloc");
    copy = (int (*)(void*, const void*, size_t, int))dlsym(library, "cudaMemcpy");
    n = argc > 2 ? (size_t)atol(argv[2]) : 80001;
    int world = 0;
    MPI_Comm reversed;
    MPI_Comm_rank(MPI_COMM_WORLD, &world);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -world, &reversed);
    on_device = strcmp(argv[1], "device") == 0 || (strcmp(argv[1], "mixed") == 0 && world % 2 == 0);
    is_summed = strcmp(argv[1], "host") != 0 && getenv("AUREOLE_MPI_MAPPED_FROM") == NULL;
    for (int k = 0; k < 4; ++k) {
        comm = k % 2 == 0 ? MPI_COMM_WORLD : reversed;
        MPI_Comm_rank(comm, &rank), MPI_Comm_size(comm, &size);
        if (in == NULL) {
            in = room(n * size), out = room(n * size), mine = calloc(n * size, sizeof *mine);
            expected = calloc(n * size, sizeof *expected), told = calloc(n * size, sizeof *told);
        }
        moves();
        reductions();
    }
    MPI_Comm_free(&reversed);
    if (world == 0) puts("right");
    MPI_Finalize();
    return 0;
}
