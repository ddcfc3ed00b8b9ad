/* SPDX-License-Identifier: Apache-2.0
 * streams KIND: buffers are filled by work on a stream and sent at once; prints how many of 50 messages are wrong.
 * KIND is legacy, blocking (cudaStreamCreate) or apart (cudaStreamNonBlocking). */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { n = 1000, messages = 50, on_device = 3, to_device = 1, not_blocking = 1 };

int main(int arguments, char** words) {
    MPI_Init(&arguments, &words);
    if (arguments != 2) return 2;
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
    if (allocate(&from, n) != 0 || allocate(&buffer, n) != 0) return 4;
    if (strcmp(words[1], "legacy") != 0) make_stream(&stream, strcmp(words[1], "apart") == 0 ? not_blocking : 0);
    int wrong = 0, rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int k = 0; k < messages; ++k) {
        char host[n], got[n];
        memset(host, k + 1, n);
        if (rank == 0) {
            copy(from, host, n, to_device);
            finish();
            copy_on(buffer, from, n, on_device, stream);
            MPI_Send(buffer, n, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
        } else if (rank == 1) {
            MPI_Recv(got, n, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            wrong += memcmp(host, got, n) != 0;
        }
    }
    if (rank == 1) printf("wrong: %d\n", wrong), fflush(stdout);
    MPI_Finalize();
    return 0;
}
