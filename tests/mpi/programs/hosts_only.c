/* SPDX-License-Identifier: Apache-2.0
 * Rank 0 sends device memory if it has a device, the others receive into host memory, several times; prints "right". */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { n = 50000, times = 3 };
static int data[n], got[n];

int main(int arguments, char** words) {
    MPI_Init(&arguments, &words);
    int rank = 0, size = 0;
    for (int k = 0; k < n; ++k) data[k] = 3 * k + 1;
    void* from = data;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    void* const runtime = rank == 0 ? dlopen("libcudart.so.13", RTLD_NOW) : NULL;
    if (runtime != NULL) {
        int (*allocate)(void**, size_t) = NULL;
        int (*copy)(void*, const void*, size_t, int) = NULL;
        *(void**)&allocate = dlsym(runtime, "cudaMalloc");
        *(void**)&copy = dlsym(runtime, "cudaMemcpy");
        if (allocate(&from, sizeof data) != 0) /* the runtime is here, a device is not */
            from = data;
        else if (copy(from, data, sizeof data, 1) != 0)
            return 4;
    }
    for (int k = 0; k < times; ++k) {
        for (int to = 1; to < size; ++to)
            if (rank == 0) MPI_Send(from, n, MPI_INT, to, 1, MPI_COMM_WORLD);
        memset(got, 0, sizeof got);
        if (rank != 0) MPI_Recv(got, n, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank != 0 && memcmp(got, data, sizeof data) != 0) MPI_Abort(MPI_COMM_WORLD, 3);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) puts("right");
    MPI_Finalize();
    return 0;
}
