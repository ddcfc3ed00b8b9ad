/* SPDX-License-Identifier: Apache-2.0
 * Legal programs at the corners of large messages: corners WHAT. Prints "right" on rank 0, or ends with 3, or waits for
 * ever. */
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { to_device = 1, to_host = 2, n = 1 << 21, numbers = n / 8 };
static int (*allocate)(void**, size_t);
static int (*copy)(void*, const void*, size_t, int);
static int rank, raised;

static void stop(const char* why, long number) {
    fprintf(stderr, "program: rank %d: %s (%ld)\n", rank, why, number);
    MPI_Abort(MPI_COMM_WORLD, 3);
}
static void* device(void) {
    void* made = NULL;
    if (allocate(&made, n) != 0) stop("no device memory", n);
    return made;
}
static void fill(void* at, int seed) {
    unsigned char* const bytes = malloc(n);
    for (int k = 0; k < n; ++k) bytes[k] = (unsigned char)(k * 7 + seed * 13 + k / 251);
    copy(at, bytes, n, to_device), free(bytes);
}
static void check(const void* at, int seed) {
    unsigned char* const bytes = malloc(n);
    copy(bytes, at, n, to_host);
    for (int k = 0; k < n; ++k)
        if (bytes[k] != (unsigned char)(k * 7 + seed * 13 + k / 251)) stop("a byte is wrong", k);
    free(bytes);
}

static void* wait_for_a_byte(void* unused) {
    char byte;
    MPI_Recv(&byte, 1, MPI_BYTE, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return unused;
}
/* One thread waits in MPI, where it was before another one begins to send. */
static void threads(void) {
    void* const at = device();
    char byte = 1;
    if (rank == 0) {
        pthread_t other;
        MPI_Request request;
        fill(at, 1);
        pthread_create(&other, NULL, wait_for_a_byte, NULL);
        usleep(200000);
        MPI_Isend(at, n, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &request);
        pthread_join(other, NULL);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        usleep(400000);
        MPI_Recv(at, n, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        check(at, 1);
        MPI_Send(&byte, 1, MPI_BYTE, 0, 2, MPI_COMM_WORLD);
    }
}

/* MPICH has 2,048 communicators, which are the program's. */
static void communicators(void) {
    enum { many = 1100 };
    static MPI_Comm made[many];
    void* const at = device();
    for (int k = 0; k < many; ++k) {
        MPI_Comm_dup(MPI_COMM_WORLD, &made[k]);
        MPI_Bcast(at, 1 << 17, MPI_BYTE, 0, made[k]);
    }
    for (int k = 0; k < many; ++k) MPI_Comm_free(&made[k]);
}

static void count(MPI_Comm* comm, int* error, ...) {
    (void)comm, (void)error;
    ++raised;
}
/* An operation that does not fit a datatype is an error of the communicator of the call, on each rank and once; also
 * where a rank would have nothing to reduce. */
static void operations(void) {
    MPI_Comm own;
    MPI_Errhandler counting;
    MPI_Datatype large;
    void *const in = device(), *const out = device();
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    MPI_Comm_create_errhandler(count, &counting);
    MPI_Comm_set_errhandler(own, counting);
    MPI_Type_contiguous(numbers, MPI_DOUBLE, &large);
    MPI_Type_commit(&large);
    MPI_Allreduce(in, out, numbers, MPI_DOUBLE, MPI_BAND, own); /* MPICH returns 0 after a handler has returned */
    if (raised != 1) stop("MPI_BAND", raised);
    MPI_Allreduce(in, out, 1, large, MPI_SUM, own);
    if (raised != 2) stop("MPI_SUM", raised);
    /* Buffers of the host are not looked at for a call that MPI refuses. */
    static char host[n];
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, counting), MPI_Comm_set_errhandler(MPI_COMM_SELF, counting);
    raised = 0;
    MPI_Bcast(host, n, MPI_BYTE, 0, MPI_COMM_NULL);
    if (raised != 1) stop("MPI_COMM_NULL", raised);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Type_free(&large), MPI_Errhandler_free(&counting), MPI_Comm_free(&own);
}

static int send_at_the_end(MPI_Comm comm, int key, void* value, void* extra) {
    (void)comm, (void)key, (void)value, (void)extra;
    void* const at = device();
    if (rank == 0) fill(at, 4);
    MPI_Bcast(at, n, MPI_BYTE, 0, MPI_COMM_WORLD);
    check(at, 4);
    if (rank == 0) MPI_Send(at, n, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(at, n, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE), check(at, 4);
    return 0;
}
/* MPI_Finalize calls functions of attributes of MPI_COMM_SELF first, which may still send. */
static void finalize(void) {
    int key;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, send_at_the_end, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    MPI_Bcast(device(), n, MPI_BYTE, 0, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
    int provided;
    const char* const what = argv[1];
    MPI_Init_thread(&argc, &argv, strcmp(what, "threads") == 0 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    void* const library = dlopen("libcudart.so.13", RTLD_NOW | RTLD_GLOBAL);
    allocate = (int (*)(void**, size_t))dlsym(library, "cudaMalloc");
    copy = (int (*)(void*, const void*, size_t, int))dlsym(library, "cudaMemcpy");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strcmp(what, "threads") == 0) threads();
    if (strcmp(what, "communicators") == 0) communicators();
    if (strcmp(what, "operations") == 0) operations();
    if (strcmp(what, "finalize") == 0) finalize();
    MPI_Finalize();
    if (rank == 0) puts("right");
    return 0;
}
