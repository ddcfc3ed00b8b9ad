/* SPDX-License-Identifier: Apache-2.0
 * streams KIND BYTES: buffers are filled by work on a stream and sent at once; prints how many of 50 messages are
 * wrong. KIND is legacy, blocking (cudaStreamCreate) or apart (cudaStreamNonBlocking). More than 1,000 bytes are
 * received into device memory. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { small = 1000, most = 100000, messages = 50, on_device = 3, to_device = 1, to_host = 2, not_blocking = 1 };
static char host[most], got[most];

int main(int arguments, char** words) {
    MPI_Init(&arguments, &words);
    if (arguments != 3) return 2;
    const int n = atoi(words[2]);
    if (n < 1 || n > most) return 2;
    void* const runtime = dlopen("libcudart.so.13", RTLD_NOW);
    if (runtime == NULL) return 5;
    int (*allocate)(void**, size_t) = NULL;
    int (*copy)(void*, const void*, size_t, int) = NULL;
    int (*copy_on)(void*, const void*, size_t, int, void*) = NULL;
    int (*make_stream)(void**, unsigned) = NULL;
    int (*finish)(void) = NULL;
    *(void**)&allocate = dlsym(runtime, "cudaMalloc");
    *(void**)&copy = dlsym(runtime, "cudaMemcpy");
    *(void**)&copy_on = dlsym(runtime, "cudaMemcpyAsync");
    *(void**)&make_stream = dlsym(runtime, "cudaStreamCreateWithFlags");
    *(void**)&finish = dlsym(runtime, "cudaDeviceSynchronize");
    void *from = NULL, *buffer = NULL, *stream = NULL;
    if (allocate(&from, most) != 0 || allocate(&buffer, most) != 0) return 4;
    if (strcmp(words[1], "legacy") != 0) make_stream(&stream, strcmp(words[1], "apart") == 0 ? not_blocking : 0);
    int wrong = 0, rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int k = 0; k < messages; ++k) {
        memset(host, k + 1, (size_t)n);
        if (rank == 0) {
            copy(from, host, (size_t)n, to_device);
            finish();
            copy_on(buffer, from, (size_t)n, on_device, stream);
            MPI_Send(buffer, n, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
        } else if (rank == 1) {
            MPI_Recv(n > small ? buffer : got, n, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (n > small) copy(got, buffer, (size_t)n, to_host);
            wrong += memcmp(host, got, (size_t)n) != 0;
        }
    }
    if (rank == 1) printf("wrong: %d\n", wrong), fflush(stdout);
    MPI_Finalize();
    return 0;
}
