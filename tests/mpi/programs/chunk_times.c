/* SPDX-License-Identifier: Apache-2.0
 * Times of messages in chunks, on two ranks: chunk_times [BYTES [ROUNDS]]. Rank 0 prints medians in microseconds, of
 * one copy from the device, of a message of host memory, of one of device memory in each form of call, of the time in
 * which MPI_Isend returns, and of a computation with and without a message under way. The message takes half of the
 * time from there and back. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { to_device = 1, to_host = 2, most_rounds = 99 };
static int (*allocate)(void**, size_t);
static int (*allocate_pinned)(void**, size_t);
static int (*copy)(void*, const void*, size_t, int);
static int rank;
static double times[most_rounds];
static volatile double sink;

static int compare(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return x < y ? -1 : x > y;
}
static double median(int n) {
    qsort(times, (size_t)n, sizeof *times, compare);
    return times[n / 2] * 1e6;
}
static void compute(long turns) {
    double sum = 0;
    for (long k = 0; k < turns; ++k) sum += 1.0 / (double)(k + 1);
    sink = sum;
}
/* Half of a round trip. */
static double trip(char* at, int n, int rounds) {
    for (int k = -2; k < rounds; ++k) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double begin = MPI_Wtime();
        if (rank == 0) {
            MPI_Send(at, n, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
            MPI_Recv(at, n, MPI_BYTE, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(at, n, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(at, n, MPI_BYTE, 0, 2, MPI_COMM_WORLD);
        }
        if (k >= 0) times[k] = (MPI_Wtime() - begin) / 2;
    }
    return median(rounds);
}
/* Rank 0 sends and computes meanwhile: the time in which MPI_Isend returns, that of the computation, and all of it. */
static void overlapped(char* at, int n, int rounds, long turns, double result[3]) {
    static double parts[3][most_rounds];
    for (int k = -2; k < rounds; ++k) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double begin = MPI_Wtime();
        if (rank == 0) {
            MPI_Request request;
            MPI_Isend(at, n, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &request);
            const double sent = MPI_Wtime();
            compute(turns);
            const double computed = MPI_Wtime();
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            if (k >= 0) {
                parts[0][k] = sent - begin, parts[1][k] = computed - sent, parts[2][k] = MPI_Wtime() - begin;
            }
        } else {
            MPI_Recv(at, n, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    for (int part = 0; part < 3; ++part) {
        memcpy(times, parts[part], sizeof times);
        result[part] = median(rounds);
    }
}

int main(int n, char** words) {
    const int bytes = n > 1 ? atoi(words[1]) : 64 << 20;
    int rounds = n > 2 ? atoi(words[2]) : 9;
    if (rounds > most_rounds) rounds = most_rounds;
    MPI_Init(&n, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    void* const runtime = dlopen("libcudart.so.13", RTLD_NOW);
    if (runtime == NULL) return 2;
    allocate = (int (*)(void**, size_t))dlsym(runtime, "cudaMalloc");
    allocate_pinned = (int (*)(void**, size_t))dlsym(runtime, "cudaMallocHost");
    copy = (int (*)(void*, const void*, size_t, int))dlsym(runtime, "cudaMemcpy");
    void *device = NULL, *host = NULL;
    if (allocate(&device, (size_t)bytes) != 0 || allocate_pinned(&host, (size_t)bytes) != 0) return 3;
    memset(host, 1, (size_t)bytes);
    for (int k = -2; k < rounds; ++k) {
        const double begin = MPI_Wtime();
        copy(host, device, (size_t)bytes, to_host);
        if (k >= 0) times[k] = MPI_Wtime() - begin;
    }
    const double copied = median(rounds), by_host = trip(host, bytes, rounds), by_device = trip(device, bytes, rounds);
    long turns = 1 << 16;
    double alone = 0;
    while (rank == 0 && alone < 1.2 * by_device) {
        turns *= 2;
        for (int k = 0; k < 5; ++k) {
            const double begin = MPI_Wtime();
            compute(turns);
            times[k] = MPI_Wtime() - begin;
        }
        alone = median(5);
    }
    double result[3];
    overlapped(device, bytes, rounds, turns, result);
    if (rank == 0)
        printf("%d bytes: copy %.1f, host message %.1f, device message %.1f (%.2f of the slower one's speed); "
               "MPI_Isend returns in %.1f; computation alone %.1f, beside %.1f (%.2f), with MPI_Isend and MPI_Wait %.1f\n",
               bytes, copied, by_host, by_device, (copied > by_host ? copied : by_host) / by_device, result[0], alone,
               result[1], result[1] / alone, result[2]);
    MPI_Finalize();
    return 0;
}
