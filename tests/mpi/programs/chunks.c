/* SPDX-License-Identifier: Apache-2.0
 * Messages in chunks between device memory: chunks WHAT TIMES BYTES. Each message is compared with what its sender must
 * have sent; prints "right" on rank 0, or ends with 3. */
#include <dlfcn.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { to_device = 1, to_host = 2, most = 1 << 22, blocks = 700 };
static int (*allocate)(void**, size_t);
static int (*copy)(void*, const void*, size_t, int);
static unsigned char wanted[most], found[most];
static int rank, other;

static void stop(const char* why, long number) {
    fprintf(stderr, "program: rank %d: %s (%ld)\n", rank, why, number);
    MPI_Abort(MPI_COMM_WORLD, 3);
}
static char* device(size_t n) {
    void* made = NULL;
    if (allocate(&made, n) != 0) stop("no device memory", (long)n);
    return made;
}
static unsigned char byte_of(size_t k, long message) {
    return (unsigned char)(k * 7 + (size_t)message * 13 + k / 251);
}
static void fill(void* at, size_t n, long message) {
    for (size_t k = 0; k < n; ++k) wanted[k] = byte_of(k, message);
    if (copy(at, wanted, n, to_device) != 0) stop("cudaMemcpy", 0);
}
static void check(const void* at, size_t n, long message) {
    for (size_t k = 0; k < n; ++k) wanted[k] = byte_of(k, message);
    if (copy(found, at, n, to_host) != 0) stop("cudaMemcpy", 0);
    if (memcmp(wanted, found, n) != 0) stop("a message is wrong", message);
}

/* Rank 0 sends, rank 1 receives; nothing is copied by the program, for counts. */
static void one_way(long times, size_t n) {
    char* const at = device(n);
    for (long k = 0; k < times; ++k) {
        if (rank == 0) MPI_Send(at, (int)n, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
        if (rank == 1) MPI_Recv(at, (int)n, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}
/* Receives are posted, then both ranks send to each other by a blocking call. */
static void both_ways(long times, size_t n) {
    char *const from = device(n), *const into = device(n);
    for (long k = 0; k < times; ++k) {
        MPI_Request request;
        fill(from, n, 2 * k + rank);
        MPI_Irecv(into, (int)n, MPI_BYTE, other, 1, MPI_COMM_WORLD, &request);
        MPI_Send(from, (int)n, MPI_BYTE, other, 1, MPI_COMM_WORLD);
        fill(from, n, 99);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        check(into, n, 2 * k + other);
    }
}
/* Rank 0 starts a send and goes to a call that waits for rank 1, which receives first. */
static void waits(long times, size_t n) {
    char* const at = device(n);
    MPI_Comm made;
    int word = 0;
    for (long k = 0; k < times; ++k) {
        MPI_Request request;
        if (rank == 0) {
            fill(at, n, k);
            MPI_Isend(at, (int)n, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &request);
        } else {
            MPI_Recv(at, (int)n, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            check(at, n, k);
        }
        if (k % 4 == 0) MPI_Barrier(MPI_COMM_WORLD);
        if (k % 4 == 1) MPI_Comm_dup(MPI_COMM_WORLD, &made), MPI_Comm_free(&made);
        if (k % 4 == 2 && rank == 0) MPI_Recv(&word, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (k % 4 == 2 && rank == 1) MPI_Send(&word, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
        if (k % 4 == 3 && rank == 0) MPI_Probe(1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (k % 4 == 3 && rank == 1) MPI_Send(&word, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
        if (k % 4 == 3 && rank == 0) MPI_Recv(&word, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}
/* Rank 1 has posted a receive and is in a barrier, while rank 0 sends and fills its buffer again. */
static void in_barrier(long times, size_t n) {
    char* const at = device(n);
    for (long k = 0; k < times; ++k) {
        MPI_Request request;
        if (rank == 1) MPI_Irecv(at, (int)n, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &request);
        if (rank == 0) {
            fill(at, n, k);
            MPI_Send(at, (int)n, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
            fill(at, n, 99);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 1) MPI_Wait(&request, MPI_STATUS_IGNORE), check(at, n, k);
    }
}
/* Every second byte (a vector), and a list of blocks, on both sides or on one. */
static void types(long times, size_t n) {
    MPI_Datatype vector, list;
    static int lengths[blocks], places[blocks];
    int place = 0, bytes = 0;
    for (int k = 0; k < blocks; ++k) {
        lengths[k] = 1 + k % 37, places[k] = place;
        place += lengths[k] + 1 + k % 5, bytes += lengths[k];
    }
    MPI_Type_vector((int)n / 2, 1, 2, MPI_BYTE, &vector);
    MPI_Type_indexed(blocks, lengths, places, MPI_BYTE, &list);
    MPI_Type_commit(&vector), MPI_Type_commit(&list);
    const size_t span = n > (size_t)place ? n : (size_t)place;
    char* const at = device(span);
    for (long k = 0; k < times; ++k) {
        const int sends_list = k % 2, takes_gaps = k / 2 % 2;
        const int count = sends_list ? bytes : (int)n / 2;
        MPI_Datatype type = sends_list ? list : vector;
        if (rank == 0) fill(at, span, k), MPI_Send(at, 1, type, 1, 1, MPI_COMM_WORLD);
        if (rank != 1) continue;
        MPI_Status status;
        int came = 0;
        memset(found, 0xEE, span), copy(at, found, span, to_device);
        MPI_Recv(at, takes_gaps ? 1 : count, takes_gaps ? type : MPI_BYTE, 0, 1, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_BYTE, &came);
        if (came != count) stop("a count is wrong", came);
        memset(wanted, 0xEE, span);
        size_t next = 0; /* in the order in which bytes travel */
        for (int b = 0; b < (sends_list ? blocks : (int)n / 2); ++b)
            for (int within = 0; within < (sends_list ? lengths[b] : 1); ++within, ++next) {
                const size_t from = (size_t)(sends_list ? places[b] + within : 2 * b);
                wanted[takes_gaps ? from : next] = byte_of(from, k);
            }
        copy(found, at, span, to_host);
        if (memcmp(wanted, found, span) != 0) stop("a message of a derived type is wrong", k);
    }
    MPI_Type_free(&vector), MPI_Type_free(&list);
}
/* Messages shorter than their buffers, into memory of the host; and requests that are freed. */
static void short_ones(long times, size_t n) {
    char* const at = device(n);
    for (long k = 0; k < times; ++k) {
        const size_t bytes = n - 100 * (size_t)k;
        if (rank == 0) {
            MPI_Request request;
            fill(at, bytes, k);
            if (k % 2) MPI_Send(at, (int)bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
            if (k % 2 == 0) MPI_Isend(at, (int)bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &request);
            if (k % 2 == 0) MPI_Request_free(&request);
            MPI_Barrier(MPI_COMM_WORLD);
        } else {
            MPI_Status status;
            int came = 0;
            memset(found, 0xEE, n);
            MPI_Recv(found, (int)n, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            MPI_Get_count(&status, MPI_BYTE, &came);
            if (came != (int)bytes) stop("a count is wrong", came);
            for (size_t b = 0; b < n; ++b)
                if (found[b] != (b < bytes ? byte_of(b, k) : 0xEE)) stop("a short message is wrong", k);
            MPI_Barrier(MPI_COMM_WORLD);
        }
    }
}
/* The same size comes by slots that are used again; each is probed, and its size told rightly. */
static void probes(long times, size_t n) {
    char* const at = device(n);
    for (long k = 0; k < times; ++k) {
        const size_t bytes = n - 64 * (size_t)k;
        if (rank == 0) fill(at, bytes, k), MPI_Send(at, (int)bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
        if (rank != 1) continue;
        MPI_Status status;
        int came = 0;
        MPI_Probe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_BYTE, &came);
        if (came != (int)bytes) stop("a probe tells another size", came);
        MPI_Recv(at, (int)n, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        check(at, bytes, k);
    }
    if (rank == 0) { /* data that are as long as a header */
        static char plain[2464];
        MPI_Send(plain, sizeof plain, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Status status;
        int came = 0;
        MPI_Probe(0, 1, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_BYTE, &came);
        if (came != 2464) stop("data are taken for a header", came);
        MPI_Recv(found, most, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}
/* More messages than there are slots are sent before the first one is received: some go as a whole. */
static void many(long times, size_t n) {
    enum { at_most = 100 };
    char *const from = device(n), *into[at_most];
    MPI_Request requests[at_most];
    for (long k = 0; k < times; ++k) {
        into[k] = device(n);
        MPI_Irecv(into[k], (int)n, MPI_BYTE, other, (int)k, MPI_COMM_WORLD, &requests[k]);
    }
    for (long k = 0; k < times; ++k) {
        fill(from, n, 2 * k + rank);
        MPI_Send(from, (int)n, MPI_BYTE, other, (int)k, MPI_COMM_WORLD);
    }
    for (long k = times - 1; k >= 0; --k) MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
    for (long k = 0; k < times; ++k) check(into[k], n, 2 * k + other);
}
/* Rank 1 dies in the middle. */
static void killed(long times, size_t n) {
    for (long k = 0;; ++k) {
        if (rank == 1 && k == times) raise(SIGKILL);
        both_ways(1, n);
    }
}

int main(int arguments, char** words) {
    MPI_Init(&arguments, &words);
    if (arguments < 4) return 2;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    const char* const what = words[1];
    const long times = atol(words[2]);
    const size_t n = (size_t)atol(words[3]);
    void* const runtime = dlopen("libcudart.so.13", RTLD_NOW | RTLD_GLOBAL);
    if (runtime == NULL) return 5;
    *(void**)&allocate = dlsym(runtime, "cudaMalloc");
    *(void**)&copy = dlsym(runtime, "cudaMemcpy");
    if (strcmp(what, "one-way") == 0) one_way(times, n);
    if (strcmp(what, "both-ways") == 0) both_ways(times, n);
    if (strcmp(what, "waits") == 0) waits(times, n);
    if (strcmp(what, "in-barrier") == 0) in_barrier(times, n);
    if (strcmp(what, "types") == 0) types(times, n);
    if (strcmp(what, "short") == 0) short_ones(times, n);
    if (strcmp(what, "probes") == 0) probes(times, n);
    if (strcmp(what, "many") == 0) many(times, n);
    if (strcmp(what, "killed") == 0) killed(times, n);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) puts("right");
    MPI_Finalize();
    return 0;
}
