/* SPDX-License-Identifier: Apache-2.0
 * Functions of an MPI library that is loaded at run time, whichever of the three binary interfaces
 * it has. They are looked up as a program's own calls are, so that a preloaded library has them. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* An int of MPICH's interface travels in the same register. */
typedef intptr_t Handle;

#define AUREOLE_MPI_CALLS(F)                                                                 \
    F(Init, (int*, char***))                                                                 \
    F(Finalize, (void))                                                                      \
    F(Abort, (Handle, int))                                                                  \
    F(Get_library_version, (char*, int*))                                                    \
    F(Comm_rank, (Handle, int*))                                                             \
    F(Comm_size, (Handle, int*))                                                             \
    F(Comm_set_errhandler, (Handle, Handle))                                                 \
    F(Send, (const void*, int, Handle, int, int, Handle))                                    \
    F(Recv, (void*, int, Handle, int, int, Handle, void*))                                   \
    F(Isend, (const void*, int, Handle, int, int, Handle, void*))                            \
    F(Irecv, (void*, int, Handle, int, int, Handle, void*))                                  \
    F(Waitall, (int, void*, void*))                                                          \
    F(Barrier, (Handle))                                                                     \
    F(Bcast, (void*, int, Handle, int, Handle))                                              \
    F(Reduce, (const void*, void*, int, Handle, Handle, int, Handle))                        \
    F(Allreduce, (const void*, void*, int, Handle, Handle, Handle))                          \
    F(Allgather, (const void*, int, Handle, void*, int, Handle, Handle))                     \
    F(Alltoall, (const void*, int, Handle, void*, int, Handle, Handle))                      \
    F(Gather, (const void*, int, Handle, void*, int, Handle, int, Handle))                   \
    F(Scatter, (const void*, int, Handle, void*, int, Handle, int, Handle))                  \
    F(Reduce_scatter, (const void*, void*, const int*, Handle, Handle, Handle))              \
    F(Dims_create, (int, int, int*))                                                         \
    F(Cart_create, (Handle, int, const int*, const int*, int, Handle*))                      \
    F(Cart_coords, (Handle, int, int, int*))                                                 \
    F(Cart_shift, (Handle, int, int, int*, int*))                                            \
    F(Comm_free, (Handle*))                                                                  \
    F(Type_create_subarray, (int, const int*, const int*, const int*, int, Handle, Handle*)) \
    F(Type_commit, (Handle*))                                                                \
    F(Type_free, (Handle*))

#define AUREOLE_MPI_MEMBER(name, parameters) int(*name) parameters;

struct Mpi {
    AUREOLE_MPI_CALLS(AUREOLE_MPI_MEMBER)
    Handle world, of_float, of_double, sum, errors_return;
    void* ignored; /* MPI_STATUS_IGNORE and MPI_STATUSES_IGNORE */
    int order_c;
    size_t handle_bytes; /* in memory */
    int rank, ranks;
    const char* abi;   /* mpich, openmpi or standard */
    int is_preloaded;  /* libaureole_mpi.so takes the calls */
    char version[128]; /* the first line of what the library calls itself */
};
extern struct Mpi mpi;

/* Loads the library, calls MPI_Init, and makes errors of MPI end the program by `must`. */
void mpi_start(const char* library, int* n, char*** arguments);

/* Calls MPI; an error ends the program with a line of JSON that names the call. */
#define MPI(name, ...) must("MPI_" #name, mpi.name(__VA_ARGS__))
void must(const char* call, int error);

/* Ends the program with a line of JSON: a call that failed, or why nothing can be measured. */
_Noreturn void fail(const char* call, int error);
_Noreturn void refuse(const char* why);

enum { most_requests = 128 };
struct Requests {
    unsigned char bytes[most_requests * sizeof(Handle)];
};
static inline void* request_at(struct Requests* all, int k) {
    return all->bytes + (size_t)k * mpi.handle_bytes;
}

/* The sum of a number over all ranks, by memory of the host. */
double sum_of(double mine);
/* The number of rank 0. */
double of_first(double mine);
double seconds_now(void);
