/* SPDX-License-Identifier: Apache-2.0
 * lists WHERE: messages of a list of blocks, filled by work on the default stream and sent at once; prints how many of
 * 20 are wrong, gaps and rest included. WHERE is
 * here, or elsewhere: the buffer is on another device than the one that is current. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { blocks = 500, bytes = 8000, messages = 20, to_device = 1, to_host = 2, any = 4 };

static int (*allocate)(void**, size_t);
static int (*copy)(void*, const void*, size_t, int);
static int (*copy_later)(void*, const void*, size_t, int, void*);
static int (*set_device)(int);
static int (*finish)(void);
static int lengths[blocks], places[blocks];

static MPI_Datatype list(void) {
    unsigned random = 1;
    int place = 3;
    for (int k = 0; k < blocks; ++k) {
        random = random * 1664525u + 1013904223u;
        places[k] = place;
        lengths[k] = 1 + (random >> 16) % 3;
        place += lengths[k] + 1 + (random >> 20) % 9;
    }
    MPI_Datatype type;
    MPI_Type_indexed(blocks, lengths, places, MPI_CHAR, &type);
    MPI_Type_commit(&type);
    return type;
}

/* A new buffer on a device, filled by a copy that may not have ended, in the order of device 0. */
static char* filled(int device, char with) {
    static char host[bytes];
    void *buffer = NULL, *from = NULL;
    set_device(device);
    if (allocate(&buffer, bytes) != 0) exit(4);
    set_device(0);
    if (allocate(&from, bytes) != 0) exit(4);
    memset(host, with, bytes);
    copy(from, host, bytes, to_device);
    finish();
    copy_later(buffer, from, bytes, any, NULL);
    return buffer;
}

static int is_wrong(const char* buffer, char received, char before) {
    static char host[bytes], right[bytes];
    copy(host, buffer, bytes, to_host);
    memset(right, before, bytes);
    for (int k = 0; k < blocks; ++k) memset(right + places[k], received, (size_t)lengths[k]);
    return memcmp(host, right, bytes) != 0;
}

int main(int arguments, char** words) {
    MPI_Init(&arguments, &words);
    if (arguments != 2) return 2;
    void* const runtime = dlopen("libcudart.so.13", RTLD_NOW);
    if (runtime == NULL) return 5;
    *(void**)&allocate = dlsym(runtime, "cudaMalloc");
    *(void**)&copy = dlsym(runtime, "cudaMemcpy");
    *(void**)&copy_later = dlsym(runtime, "cudaMemcpyAsync");
    *(void**)&set_device = dlsym(runtime, "cudaSetDevice");
    *(void**)&finish = dlsym(runtime, "cudaDeviceSynchronize");
    int wrong = 0, rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype type = list();
    const int device = strcmp(words[1], "elsewhere") == 0;
    for (int k = 0; k < messages; ++k) {
        char* const buffer = filled(device, (char)(rank == 0 ? k + 1 : -k - 1));
        if (rank == 0) MPI_Send(buffer, 1, type, 1, 0, MPI_COMM_WORLD);
        if (rank == 1) MPI_Recv(buffer, 1, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1) wrong += is_wrong(buffer, (char)(k + 1), (char)(-k - 1));
    }
    if (rank == 1) printf("wrong: %d\n", wrong), fflush(stdout);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
