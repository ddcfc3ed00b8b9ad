/* SPDX-License-Identifier: Apache-2.0
 * Sends device memory around a ring until it is killed; says "begun" when all ranks do. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

int main(int arguments, char** words) {
    MPI_Init(&arguments, &words);
    void* const runtime = dlopen("libcudart.so.13", RTLD_NOW);
    int (*allocate)(void**, size_t) = NULL;
    if (runtime == NULL) return 5;
    *(void**)&allocate = dlsym(runtime, "cudaMalloc");
    int rank = 0, size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    enum { n = 100000 };
    void *from = NULL, *into = NULL;
    if (allocate(&from, n) != 0 || allocate(&into, n) != 0) return 4;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) puts("begun"), fflush(stdout);
    for (;;) {
        MPI_Request open[2];
        MPI_Irecv(into, n, MPI_BYTE, (rank + 1) % size, 1, MPI_COMM_WORLD, &open[0]);
        MPI_Isend(from, n, MPI_BYTE, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &open[1]);
        MPI_Waitall(2, open, MPI_STATUSES_IGNORE);
        MPI_Allreduce(MPI_IN_PLACE, into, 100, MPI_CHAR, MPI_MAX, MPI_COMM_WORLD);
    }
}
