/* SPDX-License-Identifier: Apache-2.0
 * A short program with device memory: blocking, non-blocking, strided, persistent, collective. Prints "right" on rank 0,
 * or ends with 3 where a result is wrong, with 4 where one of its own calls of the runtime fails. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { to_device = 1, to_host = 2, n = 3000 };
static int (*allocate)(void**, size_t);
static int (*copy)(void*, const void*, size_t, int);

static void check(int error, const char* what) {
    if (error == 0) return;
    fprintf(stderr, "program: %s failed with %d\n", what, error);
    MPI_Abort(MPI_COMM_WORLD, 4);
}
static void is_right(int is, const char* what) {
    if (is) return;
    fprintf(stderr, "program: %s is wrong\n", what);
    MPI_Abort(MPI_COMM_WORLD, 3);
}
static double* device(double first) {
    static double host[n];
    void* made = NULL;
    check(allocate(&made, sizeof host), "cudaMalloc");
    for (int k = 0; k < n; ++k) host[k] = first + k;
    check(copy(made, host, sizeof host, to_device), "cudaMemcpy");
    return made;
}
static const double* host(const double* from) {
    static double host[n];
    check(copy(host, from, sizeof host, to_host), "cudaMemcpy");
    return host;
}

int main(int arguments, char** words) {
    MPI_Init(&arguments, &words);
    void* const runtime = dlopen("libcudart.so.13", RTLD_NOW);
    if (runtime == NULL) return 5;
    *(void**)&allocate = dlsym(runtime, "cudaMalloc");
    *(void**)&copy = dlsym(runtime, "cudaMemcpy");
    int rank = 0, size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int next = (rank + 1) % size, last = (rank + size - 1) % size;
    double *const from = device(1000.0 * rank), *const into = device(-1);

    MPI_Request open[2];
    MPI_Irecv(into, n, MPI_DOUBLE, last, 1, MPI_COMM_WORLD, &open[0]);
    MPI_Isend(from, n, MPI_DOUBLE, next, 1, MPI_COMM_WORLD, &open[1]);
    MPI_Waitall(2, open, MPI_STATUSES_IGNORE);
    is_right(host(into)[7] == 1000.0 * last + 7, "Isend and Irecv");

    MPI_Datatype strided;
    MPI_Type_vector(n / 10, 1, 10, MPI_DOUBLE, &strided);
    MPI_Type_commit(&strided);
    if (rank == 0) MPI_Send(from, 1, strided, next, 2, MPI_COMM_WORLD);
    if (rank == 1 % size) MPI_Recv(into, n / 10, MPI_DOUBLE, last, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    is_right(rank != 1 || host(into)[5] == 50, "a vector");
    MPI_Type_free(&strided);

    MPI_Send_init(from, 10, MPI_DOUBLE, next, 3, MPI_COMM_WORLD, &open[0]);
    MPI_Recv_init(into, 10, MPI_DOUBLE, last, 3, MPI_COMM_WORLD, &open[1]);
    for (int round = 0; round < 2; ++round) {
        MPI_Startall(2, open);
        MPI_Waitall(2, open, MPI_STATUSES_IGNORE);
    }
    is_right(host(into)[9] == 1000.0 * last + 9, "persistent requests");
    MPI_Request_free(&open[0]);
    MPI_Request_free(&open[1]);

    MPI_Allreduce(from, into, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    is_right(host(into)[3] == size * 3 + 1000.0 * size * (size - 1) / 2, "Allreduce");
    MPI_Bcast(into, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) puts("right");
    MPI_Finalize();
    return 0;
}
