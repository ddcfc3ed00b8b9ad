/* SPDX-License-Identifier: Apache-2.0
 * small KIND TIMES WHAT...: TIMES small messages from rank 0's device memory to rank 1's, each checked; KIND is cuda or
 * hip. Prints on each rank how many copies its processor made, and "right" on rank 1. WHAT:
 *   plain   sizes from 1 to 4,000 bytes at all offsets of two buffers, one of 3 MB; no other byte may change
 *   short   32 bytes of one buffer
 *   again   buffers that are freed every few messages, so that their addresses are used again
 *   many    300 buffers in turn, TIMES / 20 times
 *   kept    one persistent request over memory that is freed and allocated anew at the same address
 *   pool, managed, strided    memory and types that the driver has to copy
 *   blocking, legacy    what is sent is written by work on such a stream that may be pending, and what has come is
 *           overwritten by it later */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most = 4000, large = 3 << 20, many = 300, to_device = 1, to_host = 2, on_device = 3 };
static int (*allocate)(void**, size_t), (*release)(void*), (*finish)(void);
static int (*managed)(void**, size_t, unsigned), (*from_pool)(void**, size_t, void*);
static int (*copy)(void*, const void*, size_t, int), (*copy_on)(void*, const void*, size_t, int, void*);
static int (*make_stream)(void**, unsigned);
static int rank;
static unsigned char image[large + 64], got[large + 64];

static void fail(const char* what, long where) {
    printf("rank %d: %s (%ld)\n", rank, what, where), fflush(stdout);
    MPI_Abort(MPI_COMM_WORLD, 3);
}
static void check(int error, const char* what) {
    if (error != 0) fail(what, error);
}

static void* find(void* runtime, const char* kind, const char* name) {
    char whole[64];
    snprintf(whole, sizeof whole, "%s%s", kind, name);
    void* const found = dlsym(runtime, whole);
    if (found == NULL) fail(whole, 0);
    return found;
}

static void open_runtime(const char* kind) {
    void* const runtime = dlopen(strcmp(kind, "hip") == 0 ? "libamdhip64.so.6" : "libcudart.so.13", RTLD_NOW);
    if (runtime == NULL) fail("no runtime", 0);
    *(void**)&allocate = find(runtime, kind, "Malloc");
    *(void**)&release = find(runtime, kind, "Free");
    *(void**)&finish = find(runtime, kind, "DeviceSynchronize");
    *(void**)&managed = find(runtime, kind, "MallocManaged");
    *(void**)&from_pool = find(runtime, kind, "MallocAsync");
    *(void**)&copy = find(runtime, kind, "Memcpy");
    *(void**)&copy_on = find(runtime, kind, "MemcpyAsync");
    *(void**)&make_stream = find(runtime, kind, "StreamCreateWithFlags");
}

/* Byte i of message k. */
static unsigned char byte(int k, long i) { return (unsigned char)(k * 37 + i * 11 + (i >> 8) + 1); }

static unsigned char* memory(size_t bytes) {
    void* made = NULL;
    check(allocate(&made, bytes), "no memory");
    return made;
}

/* Sends n bytes at an offset of a buffer whose bytes are all known, and looks at the whole buffer afterwards. */
static void message(int k, unsigned char* buffer, long bytes, long offset, int n, MPI_Datatype type, int count) {
    if (rank == 0) {
        for (int i = 0; i < n; ++i) image[i] = byte(k, i);
        check(copy(buffer + offset, image, (size_t)n, to_device), "copy");
        MPI_Send(buffer + offset, count, type, 1, k & 1023, MPI_COMM_WORLD);
        return;
    }
    memset(image, k & 255, (size_t)bytes);
    check(copy(buffer, image, (size_t)bytes, to_device), "copy");
    finish();
    MPI_Recv(buffer + offset, count, type, 0, k & 1023, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (type == MPI_BYTE)
        for (int i = 0; i < n; ++i) image[offset + i] = byte(k, i);
    else /* every other byte */
        for (int i = 0; i < n; i += 2) image[offset + i] = byte(k, i);
    check(copy(got, buffer, (size_t)bytes, to_host), "copy");
    for (long i = 0; i < bytes; ++i)
        if (got[i] != image[i]) fail("a wrong byte", i);
}

static void plain(int times) {
    unsigned char* const small = memory(2 * most);
    unsigned char* const wide = memory(large);
    for (int k = 0; k < times; ++k) {
        const int n = 1 + k * 613 % most;
        message(k, small, 2 * most, k * 7 % most, n, MPI_BYTE, n);
        const long at = k % 3 == 0 ? (1 << 20) - n / 2 : (long)(k * 104729L % (large - most));
        if (k % 8 == 0) message(k, wide, large, at, n, MPI_BYTE, n);
        const int few = 1 + k % 64;
        message(k, small, 2 * most, k * 3 % most, few, MPI_BYTE, few);
    }
}

static void again(int times) {
    unsigned char* kept[3] = {0};
    for (int k = 0; k < times; ++k) {
        unsigned char** const buffer = &kept[k / 5 % 3];
        const long bytes = 64 + k / 5 % 7 * 1000;
        if (k % 5 == 0) {
            if (*buffer != NULL) release(*buffer);
            *buffer = memory((size_t)(64 + k / 5 % 7 * 1000));
        }
        message(k, *buffer, bytes, k % 32, 32, MPI_BYTE, 32);
    }
}

static void in_turn(int times) {
    static unsigned char* buffers[many];
    for (int k = 0; k < many; ++k) buffers[k] = memory(256);
    for (int k = 0; k < times * many; ++k) message(k, buffers[k % many], 256, k % 100, 100, MPI_BYTE, 100);
}

/* The same request, address and size each time, and another allocation. */
static void kept(int times) {
    unsigned char* buffer = memory(64);
    MPI_Request open;
    if (rank == 0)
        MPI_Send_init(buffer, 64, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &open);
    else
        MPI_Recv_init(buffer, 64, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &open);
    for (int k = 0; k < times; ++k) {
        for (int i = 0; i < 64; ++i) image[i] = byte(k, i);
        if (rank == 0) check(copy(buffer, image, 64, to_device), "copy");
        finish();
        MPI_Start(&open);
        MPI_Wait(&open, MPI_STATUS_IGNORE);
        if (rank == 1) check(copy(got, buffer, 64, to_host), "copy");
        if (rank == 1 && memcmp(got, image, 64) != 0) fail("a wrong message", k);
        if (k % 4 != 3) continue;
        release(buffer);
        if (memory(64) != buffer) fail("another address", k);
    }
    MPI_Request_free(&open);
}

/* Work of the program before each message, and behind it, on a stream that copies wait for. */
static void on_stream(const char* what, int times) {
    void* stream = NULL;
    if (strcmp(what, "blocking") == 0) check(make_stream(&stream, 0), "no stream");
    unsigned char* const source = memory(most);
    unsigned char* const buffer = memory(most);
    for (int k = 0; k < times; ++k) {
        const int n = 1 + k % 200;
        for (int i = 0; i < n; ++i) image[i] = byte(rank == 0 ? k : k + 1, i);
        check(copy(source, image, (size_t)n, to_device), "copy");
        finish();
        /* Each of them starts late by chance: all of them together are never done at once. */
        for (int again = 0; again < 8 && (k % 2 == 0 || rank == 1); ++again)
            check(copy_on(buffer, source, (size_t)n, on_device, stream), "copy");
        if (k % 2 == 1 && rank == 0) check(copy(buffer, source, (size_t)n, on_device), "copy"), finish();
        if (rank == 0) {
            MPI_Send(buffer, n, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
            continue;
        }
        MPI_Recv(buffer, n, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* after the work before it */
        finish();
        check(copy(got, buffer, (size_t)n, to_host), "copy");
        for (int i = 0; i < n; ++i)
            if (got[i] != byte(k, i)) fail("a wrong byte", k);
    }
}

/* Messages in one buffer. */
static void one_buffer(const char* what, int times) {
    void* buffer = NULL;
    MPI_Datatype strided = MPI_BYTE;
    if (strcmp(what, "pool") == 0) check(from_pool(&buffer, most, NULL), "no pool");
    if (strcmp(what, "managed") == 0) check(managed(&buffer, most, 1), "no managed memory");
    if (buffer == NULL) buffer = memory(most);
    if (strcmp(what, "strided") == 0) MPI_Type_vector(16, 1, 2, MPI_BYTE, &strided), MPI_Type_commit(&strided);
    for (int k = 0; k < times; ++k)
        message(k, buffer, most, k % 32, strided == MPI_BYTE ? 32 : 31, strided, strided == MPI_BYTE ? 32 : 1);
    if (strided != MPI_BYTE) MPI_Type_free(&strided);
}

static void run(const char* what, int times) {
    if (strcmp(what, "plain") == 0)
        plain(times);
    else if (strcmp(what, "again") == 0)
        again(times);
    else if (strcmp(what, "many") == 0)
        in_turn(times / 20);
    else if (strcmp(what, "kept") == 0)
        kept(times);
    else if (strcmp(what, "blocking") == 0 || strcmp(what, "legacy") == 0)
        on_stream(what, times);
    else
        one_buffer(what, times);
}

int main(int arguments, char** words) {
    MPI_Init(&arguments, &words);
    if (arguments < 4) return 2;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    open_runtime(words[1]);
    for (int k = 3; k < arguments; ++k) {
        run(words[k], atoi(words[2]));
        MPI_Barrier(MPI_COMM_WORLD);
    }
    long (*loads)(void) = NULL, (*stores)(void) = NULL;
    *(void**)&loads = dlsym(RTLD_DEFAULT, "aureole_mpi_small_loads");
    *(void**)&stores = dlsym(RTLD_DEFAULT, "aureole_mpi_small_stores");
    if (loads != NULL && stores != NULL) printf("rank %d: %ld loads, %ld stores\n", rank, loads(), stores());
    if (rank == 1) printf("right\n");
    fflush(stdout);
    MPI_Finalize();
    return 0;
}
