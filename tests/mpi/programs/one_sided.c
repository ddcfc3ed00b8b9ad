/* SPDX-License-Identifier: Apache-2.0
 * Rank 1 gets what rank 0 has in its window, into device memory; its data come when both have synchronised. Prints
 * "right", or ends with 3. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { most = 50000, to_host = 2, times = 4 };

int main(int arguments, char** words) {
    MPI_Init(&arguments, &words);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    void* const runtime = dlopen("libcudart.so.13", RTLD_NOW | RTLD_GLOBAL);
    if (runtime == NULL) return 5;
    int (*allocate)(void**, size_t) = NULL;
    int (*copy)(void*, const void*, size_t, int) = NULL;
    *(void**)&allocate = dlsym(runtime, "cudaMalloc");
    *(void**)&copy = dlsym(runtime, "cudaMemcpy");
    void* into = NULL;
    unsigned char* const shown = malloc(most);
    unsigned char* const found = malloc(most);
    if (allocate(&into, most) != 0) return 5;
    MPI_Win window;
    MPI_Win_create(shown, rank == 0 ? most : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    for (int k = 0; k < times; ++k) {
        memset(shown, 20 + k, most);
        MPI_Win_fence(0, window);
        if (rank == 1) MPI_Get(into, most, MPI_BYTE, 0, 0, most, MPI_BYTE, window);
        if (rank == 0) usleep(20000); /* it serves no request meanwhile */
        MPI_Win_fence(0, window);
        if (copy(found, into, most, to_host) != 0) return 5;
        if (rank == 1 && memcmp(found, shown, most) != 0) {
            fprintf(stderr, "program: what was got is wrong (%d)\n", k);
            MPI_Abort(MPI_COMM_WORLD, 3);
        }
    }
    MPI_Win_free(&window);
    if (rank == 0) puts("right");
    MPI_Finalize();
    return 0;
}
