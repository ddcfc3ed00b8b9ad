/* SPDX-License-Identifier: Apache-2.0
 * Large messages from device to device: straight WHAT TIMES [BYTES [SECONDS]]. Each message's bytes are compared where
 * WHAT is not one that is counted; prints "right" on rank 0, or ends with 3. SECONDS: cycles end early after so long. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { to_device = 1, to_host = 2, most = 1 << 23 };
static int (*allocate)(void**, size_t);
static int (*release)(void*);
static int (*copy)(void*, const void*, size_t, int);
static int (*use_device)(int);
static int (*device_memory)(size_t*, size_t*);
static long (*mappings)(void); /* of the driver double; NULL on a real device, as the next one */
static long (*live_bytes)(int);
static unsigned char sent[most], received[most], early_buffer[most];
static int rank, size;

static void stop(const char* why, long number) {
    fprintf(stderr, "program: rank %d: %s (%ld)\n", rank, why, number);
    MPI_Abort(MPI_COMM_WORLD, 3);
}
static void* device(size_t n) {
    void* made = NULL;
    if (allocate(&made, n) != 0) stop("no device memory", (long)n);
    return made;
}
static void fill(void* at, size_t n, long message) {
    for (size_t k = 0; k < n; ++k) sent[k] = (unsigned char)(k * 7 + (size_t)message * 13 + k / 251);
    if (copy(at, sent, n, to_device) != 0) stop("cudaMemcpy", 0);
}
static void check(const void* at, size_t n, long message) {
    for (size_t k = 0; k < n; ++k) sent[k] = (unsigned char)(k * 7 + (size_t)message * 13 + k / 251);
    if (copy(received, at, n, to_host) != 0) stop("cudaMemcpy", 0);
    if (memcmp(sent, received, n) != 0) stop("a message is wrong", message);
}

/* Rank 0 sends one buffer again and again. */
static void one_buffer(long times, size_t n) {
    void* const at = device(n);
    for (long k = 0; k < times; ++k) {
        if (rank == 0) MPI_Send(at, (int)n, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
        if (rank == 1) MPI_Recv(at, (int)n, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}
/* Both ranks send to each other at once, from the middle of an allocation; checked. */
static void exchange(long times, size_t n) {
    void *const from = (char*)device(n + 512) + 512, *const into = device(n + 8);
    for (long k = 0; k < times; ++k) {
        fill(from, n, 2 * k + rank);
        MPI_Status status;
        int came = 0;
        MPI_Sendrecv(from, (int)n, MPI_BYTE, 1 - rank, 1, into, (int)n + 8, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_BYTE, &came);
        if (came != (int)n) stop("a count is wrong", came);
        check(into, n, 2 * k + 1 - rank);
    }
}
/* Bytes in use on all devices by this process, or on a real device by all processes. */
static long in_use(void) {
    size_t unused = 0, all = 0;
    if (live_bytes != NULL) return live_bytes(0) + live_bytes(1);
    MPI_Barrier(MPI_COMM_WORLD); /* the other rank has freed what it had */
    if (device_memory(&unused, &all) != 0) stop("cudaMemGetInfo", 0);
    MPI_Barrier(MPI_COMM_WORLD);
    return (long)(all - unused);
}
/* Buffers of random sizes are allocated, sent and freed; addresses come again. */
static void cycles(long times, size_t largest, double seconds) {
    /* A real driver keeps memory that was freed in pieces of its own, for each process. */
    const long slack = live_bytes != NULL ? 0 : 2 * (32L << 20);
    const double latest = MPI_Wtime() + seconds;
    unsigned state = 1;
    long before = 0, k = 0;
    for (; k < times; ++k) {
        int is_late = seconds > 0 && MPI_Wtime() > latest;
        if (k % 100 == 0 && seconds > 0) MPI_Bcast(&is_late, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (k % 100 == 0 && is_late) break;
        state = state * 1664525u + 1013904223u;
        const size_t n = 8 + (size_t)(state >> 8) % (state % 7 == 0 ? largest - 8 : largest / 64 - 8);
        void* const at = device(n);
        for (long again = 0; again <= (long)(state >> 20) % 3; ++again) { /* mapped from the second time on */
            if (rank == 0) {
                fill(at, n, k + again);
                MPI_Send(at, (int)n, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
            } else if (rank == 1) {
                MPI_Recv(at, (int)n, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                check(at, n, k + again);
            }
        }
        if (release(at) != 0) stop("cudaFree", k);
        if (k == times / 10) before = in_use();
        if (mappings != NULL && mappings() > 16) stop("mappings of freed memory are left", mappings());
    }
    const int is_compared = k > times / 10;
    const long more = is_compared ? in_use() - before : 0;
    if (more > (long)largest + slack) stop("device memory has grown", more);
    const int is_double = mappings != NULL;
    if (is_double && before > 64 << 20) stop("buffers of ours are not used again", before); /* one of 32 MiB is enough */
    if (rank != 0 || seconds <= 0) return;
    printf("{\"cycles\": %ld, \"mappings are counted\": %s, ", k, mappings ? "true" : "false");
    if (is_compared) printf("\"grown\": %ld}\n", more);
    if (!is_compared) printf("\"grown\": null}\n");
}
/* A receive whose buffer is too small: MPI's error, and what fits is there. */
static void too_small(long times, size_t n) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    void* const at = device(n);
    for (long k = 0; k < times; ++k) {
        if (rank == 0) fill(at, n, k), MPI_Send(at, (int)n, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
        if (rank == 1) {
            int kind = 0;
            const int room = k % 2 ? (int)n / 2 : 100; /* the second has no room for a header either */
            MPI_Error_class(MPI_Recv(at, room, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE), &kind);
            if (kind != MPI_ERR_TRUNCATE) stop("this is not MPI_ERR_TRUNCATE", kind);
        }
    }
}
/* A message is received, and the next one is sent, before the request of the first one is completed. */
static void in_turn(long times, size_t n) {
    void *const one = device(n), *const other = device(n);
    int word = 0;
    for (long k = 0; k < times; ++k) {
        MPI_Request requests[2];
        if (rank == 0) {
            fill(one, n, 2 * k), fill(other, n, 2 * k + 1);
            MPI_Isend(one, (int)n, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &requests[0]);
            MPI_Recv(&word, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Isend(other, (int)n, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &requests[1]);
            MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
            MPI_Send(&word, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
            MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
        } else if (rank == 1) {
            MPI_Recv(one, (int)n, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            check(one, n, 2 * k);
            MPI_Send(&word, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
            MPI_Recv(&word, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Recv(other, (int)n, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            check(other, n, 2 * k + 1);
        }
    }
}
/* A persistent receive gets a large message and a small one in turn; between them, a probe finds a large one. */
static void persistent(long times, size_t n) {
    void *const at = device(n), *const into = device(n);
    MPI_Request request = MPI_REQUEST_NULL;
    if (rank == 1) MPI_Recv_init(into, (int)n, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &request);
    for (long k = 0; k < times; ++k)
        for (int part = 0; part < 3; ++part) {
            const size_t bytes = part == 2 ? 8 : n;
            const int tag = part == 1 ? 2 : 1;
            int came = 0;
            MPI_Status status;
            if (rank == 0) fill(at, bytes, k + part), MPI_Send(at, (int)bytes, MPI_BYTE, 1, tag, MPI_COMM_WORLD);
            if (rank != 1) continue;
            if (tag == 1) MPI_Start(&request), MPI_Wait(&request, &status);
            if (tag == 2) MPI_Probe(0, tag, MPI_COMM_WORLD, &status);
            MPI_Get_count(&status, MPI_BYTE, &came);
            if (came != (int)bytes) stop("a count is wrong", came);
            if (tag == 2) MPI_Recv(into, (int)n, MPI_BYTE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            check(into, bytes, k + part);
        }
    if (rank == 1) MPI_Request_free(&request);
}
/* Both ranks send by persistent requests, completed in different ways. */
static void started(long times, size_t n) {
    void *const from = device(n), *const into = device(n);
    MPI_Request requests[2];
    MPI_Send_init(from, (int)n, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(into, (int)n, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD, &requests[1]);
    for (long k = 0; k < times; ++k) {
        int done[2] = {0, 0}, indices[2], n_done = 0, came = 0;
        MPI_Status statuses[2];
        fill(from, n, 2 * k + rank);
        if (k % 2 == 0) MPI_Startall(2, requests);
        if (k % 2 == 1) MPI_Start(&requests[1]), MPI_Start(&requests[0]);
        if (k % 5 == 0) MPI_Waitall(2, requests, statuses);
        if (k % 5 == 1) MPI_Wait(&requests[0], &statuses[0]), MPI_Wait(&requests[1], &statuses[1]);
        while (k % 5 == 2 && !(done[0] && done[1]))
            for (int which = 0; which < 2; ++which)
                if (!done[which]) MPI_Test(&requests[which], &done[which], &statuses[which]);
        for (int left = 2; k % 5 == 3 && left > 0; left -= n_done)
            MPI_Waitsome(2, requests, &n_done, indices, MPI_STATUSES_IGNORE);
        for (int left = 2; k % 5 == 4 && left > 0; --left) MPI_Waitany(2, requests, indices, MPI_STATUS_IGNORE);
        if (k % 5 < 3) MPI_Get_count(&statuses[1], MPI_BYTE, &came);
        if (k % 5 < 3 && came != (int)n) stop("a count is wrong", came);
        check(into, n, 2 * k + 1 - rank);
    }
    MPI_Request_free(&requests[0]), MPI_Request_free(&requests[1]);
}
/* Receives are posted, all is sent, and sends are completed first: nobody fetches before. */
static void many(long times, size_t n) {
    enum { at_most = 64 };
    void *from[at_most], *into[at_most];
    MPI_Request sends[at_most], receives[at_most];
    exchange(4, n);
    for (long k = 0; k < times; ++k) from[k] = device(n), into[k] = device(n);
    for (long k = 0; k < times; ++k) {
        fill(from[k], n, 2 * k + rank);
        MPI_Irecv(into[k], (int)n, MPI_BYTE, 1 - rank, (int)k, MPI_COMM_WORLD, &receives[k]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (long k = 0; k < times; ++k)
        MPI_Isend(from[k], (int)n, MPI_BYTE, 1 - rank, (int)k, MPI_COMM_WORLD, &sends[k]);
    MPI_Waitall((int)times, sends, MPI_STATUSES_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Waitall((int)times, receives, MPI_STATUSES_IGNORE);
    for (long k = 0; k < times; ++k) check(into[k], n, 2 * k + 1 - rank);
}
/* A message that is too long is there before its receive: the error is that of MPI_Wait. */
static void late_error(long times, size_t n) {
    void* const at = device(n);
    exchange(4, n);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (long k = 0; k < times; ++k) {
        MPI_Request request;
        if (rank == 0) MPI_Isend(at, (int)n, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &request);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 1) {
            MPI_Status status;
            int kind = 0;
            MPI_Probe(0, 1, MPI_COMM_WORLD, &status);
            if (MPI_Irecv(at, (int)n / 2, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &request) != 0) stop("MPI_Irecv fails", k);
            MPI_Error_class(MPI_Wait(&request, MPI_STATUS_IGNORE), &kind);
            if (kind != MPI_ERR_TRUNCATE) stop("this is not MPI_ERR_TRUNCATE", kind);
        } else if (rank == 0) {
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
    }
}
/* Receives on another device than the one that offers were tried with. */
static void other_device(long times, size_t n) {
    void* const first = device(n);
    exchange(4, n);
    if (rank == 1 && use_device(1) != 0) stop("no second device", 0);
    void* const at = rank == 1 ? device(n) : first;
    for (long k = 0; k < times; ++k) {
        if (rank == 0) fill(at, n, k), MPI_Send(at, (int)n, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
        if (rank == 1) MPI_Recv(at, (int)n, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE), check(at, n, k);
    }
}
/* A matched probe takes a large message out; the next probe finds one that is as long as its header. */
static void probed_twice(long times, size_t n) {
    void* const at = device(n);
    static unsigned char small[256];
    exchange(4, n);
    for (long k = 0; k < times; ++k) {
        MPI_Request requests[2];
        if (rank == 0) {
            fill(at, n, k);
            MPI_Isend(at, (int)n, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &requests[0]);
            MPI_Isend(small, 256, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &requests[1]);
            MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        } else if (rank == 1) {
            MPI_Message message;
            MPI_Status status;
            int came = 0;
            MPI_Mprobe(0, 1, MPI_COMM_WORLD, &message, &status);
            MPI_Get_count(&status, MPI_BYTE, &came);
            if (came != (int)n) stop("the first size is wrong", came);
            MPI_Probe(0, 1, MPI_COMM_WORLD, &status);
            MPI_Get_count(&status, MPI_BYTE, &came);
            if (came != 256) stop("the second size is wrong", came);
            MPI_Mrecv(at, (int)n, MPI_BYTE, &message, MPI_STATUS_IGNORE), check(at, n, k);
            MPI_Recv(small, 256, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
}
/* Bytes of the program that are what a header is (preload/page.hpp), but for the sender's token, which are 16 bytes. */
static void alike(long times, size_t n) {
    void* const at = device(n);
    for (long k = 0; k < times; ++k) {
        MPI_Request request;
        if (rank == 0) fill(at, n, k), MPI_Isend(at, (int)n, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &request);
        for (int serial = 1; serial <= (int)k + 1; ++serial) {
            int words[64] = {0}, came[64];
            words[4] = 0, words[5] = 0, words[6] = serial; /* from rank 0, slot 0 */
            if (rank == 0) MPI_Send(words, 64, MPI_INT, 1, 2, MPI_COMM_WORLD);
            if (rank == 1) MPI_Recv(came, 64, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (rank == 1 && memcmp(words, came, sizeof words) != 0) stop("data are taken for a header", serial);
        }
        if (rank == 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (rank == 1) MPI_Recv(at, (int)n, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE), check(at, n, k);
    }
}
/* Rank 0 fills its buffer again as soon as a send has returned, whose receiver was waiting: nothing is moved before. */
static void reused(long times, size_t n) {
    void* const at = device(n);
    int word = 0;
    for (long k = 0; k < times; ++k) {
        if (rank == 0) {
            fill(at, n, k);
            MPI_Recv(&word, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            usleep(200);
            MPI_Send(at, (int)n, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
        } else if (rank == 1) {
            MPI_Send(&word, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
            MPI_Recv(at, (int)n, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            check(at, n, k);
        }
    }
}
/* A receive into memory of the host that was posted before the program had loaded a driver. */
static MPI_Request early;
static void received_early(long times, size_t of_exchange, size_t n) {
    exchange(times, of_exchange);
    void* const at = device(n);
    fill(at, n, 1);
    if (rank == 0) MPI_Send(at, (int)n, MPI_BYTE, 1, 9, MPI_COMM_WORLD);
    if (rank == 1) MPI_Wait(&early, MPI_STATUS_IGNORE);
    if (rank == 1 && memcmp(sent, early_buffer, n) != 0) stop("the early receive is wrong", 0);
}
/* A process that forks goes on; its child ends at once. */
static void forked(long times, size_t n) {
    for (int k = 0; k < 2; ++k) {
        exchange(times / 2, n);
        const pid_t child = fork();
        if (child == 0) _exit(0);
        int status = 0;
        if (waitpid(child, &status, 0) != child || status != 0) stop("a child", status);
    }
    exchange(2, n);
}
/* Probes, and buffers in memory of the host. */
static void probed(long times, size_t n) {
    void* const at = device(n);
    for (long k = 0; k < times; ++k) {
        if (rank == 0) fill(at, n, k), MPI_Send(at, (int)n, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
        if (rank != 1) continue;
        MPI_Status status;
        int came = 0;
        if (k % 2) MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Message message = MPI_MESSAGE_NULL;
        if (k % 2 == 0) MPI_Mprobe(0, 1, MPI_COMM_WORLD, &message, &status);
        MPI_Get_count(&status, MPI_BYTE, &came);
        if (came != (int)n) stop("a probe tells another size", came);
        memset(received, 0, n);
        if (k % 2) MPI_Recv(received, came, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &status);
        if (k % 2 == 0) MPI_Mrecv(received, came, MPI_BYTE, &message, &status);
        MPI_Get_count(&status, MPI_BYTE, &came);
        for (size_t b = 0; b < n; ++b) sent[b] = (unsigned char)(b * 7 + (size_t)k * 13 + b / 251);
        if (came != (int)n || memcmp(sent, received, n) != 0) stop("a message to the host is wrong", k);
        if (k == 0) copy(at, received, 8, to_device), MPI_Send(at, 8, MPI_BYTE, 0, 2, MPI_COMM_WORLD);
    }
    if (rank == 0) MPI_Recv(at, 8, MPI_BYTE, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* A receive that is too small fails while a large one is open, whose header may be there already. */
static void pending(long times, size_t n) {
    void* const at = device(n);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (long k = 0; k < times; ++k) {
        MPI_Request open[2];
        MPI_Status of[2];
        unsigned char small[64] = {0};
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) {
            fill(at, n, k);
            MPI_Isend(at, (int)n, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &open[0]);
            MPI_Isend(small, 64, MPI_BYTE, 1, 2, MPI_COMM_WORLD, &open[1]);
            MPI_Waitall(2, open, MPI_STATUSES_IGNORE);
            continue;
        }
        const int first = k % 2; /* which of them is looked at first */
        MPI_Irecv(at, (int)n, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &open[first]);
        MPI_Irecv(small, 16, MPI_BYTE, 0, 2, MPI_COMM_WORLD, &open[1 - first]);
        usleep((useconds_t)(k % 5 * 20));
        MPI_Waitall(2, open, of);
        if (open[1 - first] != MPI_REQUEST_NULL && MPI_Wait(&open[1 - first], &of[0]) == 0) stop("no truncation", k);
        if (open[first] != MPI_REQUEST_NULL && MPI_Wait(&open[first], &of[1]) != 0) stop("a message is lost", k);
        check(at, n, k);
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int arguments, char** words) {
    MPI_Init(&arguments, &words);
    if (arguments < 3) return 2;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const char* const what = words[1];
    const long times = atol(words[2]);
    const size_t n = arguments > 3 ? (size_t)atol(words[3]) : 1 << 20;
    const size_t early_n = strcmp(what, "early-small") == 0 ? 8 : n; /* no room for a header */
    if (strncmp(what, "early", 5) == 0 && rank == 1)
        MPI_Irecv(early_buffer, (int)early_n, MPI_BYTE, 0, 9, MPI_COMM_WORLD, &early);
    void* const runtime = dlopen("libcudart.so.13", RTLD_NOW | RTLD_GLOBAL);
    if (runtime == NULL) return 5;
    *(void**)&allocate = dlsym(runtime, "cudaMalloc");
    *(void**)&release = dlsym(runtime, "cudaFree");
    *(void**)&copy = dlsym(runtime, "cudaMemcpy");
    *(void**)&use_device = dlsym(runtime, "cudaSetDevice");
    *(void**)&device_memory = dlsym(runtime, "cudaMemGetInfo");
    *(void**)&mappings = dlsym(RTLD_DEFAULT, "aureole_double_mappings");
    *(void**)&live_bytes = dlsym(RTLD_DEFAULT, "aureole_double_live_bytes");
    MPI_Barrier(MPI_COMM_WORLD); /* each can be found by the others */
    if (strcmp(what, "one-buffer") == 0) one_buffer(times, n);
    if (strcmp(what, "exchange") == 0) exchange(times, n);
    if (strcmp(what, "pending") == 0) pending(times, n);
    if (strcmp(what, "forked") == 0) forked(times, n);
    if (strcmp(what, "cycles") == 0) cycles(times, n, arguments > 4 ? atof(words[4]) : 0);
    if (strcmp(what, "too-small") == 0) too_small(times, n);
    if (strcmp(what, "probed") == 0) probed(times, n);
    if (strcmp(what, "reused") == 0) reused(times, n);
    if (strncmp(what, "early", 5) == 0) received_early(times, n, early_n);
    if (strcmp(what, "in-turn") == 0) in_turn(times, n);
    if (strcmp(what, "persistent") == 0) persistent(times, n);
    if (strcmp(what, "many") == 0) many(times, n);
    if (strcmp(what, "late-error") == 0) late_error(times, n);
    if (strcmp(what, "other-device") == 0) other_device(times, n);
    if (strcmp(what, "probed-twice") == 0) probed_twice(times, n);
    if (strcmp(what, "started") == 0) started(times, n);
    if (strcmp(what, "alike") == 0) alike(times, n);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) puts("right");
    MPI_Finalize();
    return 0;
}
