/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "mpi_calls.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct Mpi mpi;

void fail(const char* call, int error) {
    printf("{\"failed\": \"%s\", \"code\": %d, \"rank\": %d}\n", call, error, mpi.rank);
    fflush(stdout);
    if (mpi.Abort != NULL) mpi.Abort(mpi.world, 3);
    _exit(3);
}

void refuse(const char* why) {
    printf("{\"refused\": \"%s\"}\n", why);
    fflush(stdout);
    if (mpi.Abort != NULL) mpi.Abort(mpi.world, 4);
    _exit(4);
}

void must(const char* call, int error) {
    if (error != 0) fail(call, error);
}

/* Numbers are those of each interface's mpi.h. */
static void set_constants(void* library, const char* path) {
    if (dlsym(library, "ompi_mpi_comm_world") != NULL) {
        mpi.abi = "openmpi";
        mpi.world = (Handle)dlsym(library, "ompi_mpi_comm_world");
        mpi.of_float = (Handle)dlsym(library, "ompi_mpi_float");
        mpi.of_double = (Handle)dlsym(library, "ompi_mpi_double");
        mpi.sum = (Handle)dlsym(library, "ompi_mpi_op_sum");
        mpi.errors_return = (Handle)dlsym(library, "ompi_mpi_errors_return");
        mpi.order_c = 0, mpi.handle_bytes = 8;
    } else if (strstr(path, "mpi_abi") != NULL) {
        mpi.abi = "standard";
        mpi.world = 0x101, mpi.of_float = 0x210, mpi.of_double = 0x214;
        mpi.sum = 0x21, mpi.errors_return = 0x143;
        mpi.order_c = 12, mpi.handle_bytes = 8;
    } else {
        mpi.abi = "mpich";
        mpi.world = 0x44000000;
        mpi.of_float = 0x4c00040a, mpi.of_double = 0x4c00080b;
        mpi.sum = 0x58000003, mpi.errors_return = 0x54000001;
        mpi.ignored = (void*)1;
        mpi.order_c = 56, mpi.handle_bytes = 4;
    }
}

static void* find(const char* name) {
    /* Not in the library itself: a preloaded one comes before it. */
    void* const found = dlsym(RTLD_DEFAULT, name);
    if (found == NULL) {
        printf("{\"refused\": \"the MPI library has no %s\"}\n", name);
        fflush(stdout);
        _exit(4);
    }
    return found;
}

void mpi_start(const char* path, int* n, char*** arguments) {
    void* const library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        refuse("the MPI library cannot be loaded");
    }
    set_constants(library, path);
#define AUREOLE_MPI_FIND(name, parameters) *(void**)&mpi.name = find("MPI_" #name);
    AUREOLE_MPI_CALLS(AUREOLE_MPI_FIND)
    Dl_info of = {0};
    mpi.is_preloaded = dladdr(*(void**)&mpi.Send, &of) != 0 && of.dli_fname != NULL &&
                       strstr(of.dli_fname, "libaureole_mpi") != NULL;
    MPI(Init, n, arguments);
    MPI(Comm_set_errhandler, mpi.world, mpi.errors_return);
    MPI(Comm_rank, mpi.world, &mpi.rank);
    MPI(Comm_size, mpi.world, &mpi.ranks);
    static char version[16384]; /* the standard's longest is 8192 */
    int length = 0;
    MPI(Get_library_version, version, &length);
    version[strcspn(version, ",\n\"\\")] = 0;
    for (char* at = version; *at != 0; ++at)
        if (*at < ' ') *at = ' ';
    snprintf(mpi.version, sizeof mpi.version, "%.120s", version);
}

double sum_of(double mine) {
    double all = 0;
    MPI(Allreduce, &mine, &all, 1, mpi.of_double, mpi.sum, mpi.world);
    return all;
}

double of_first(double mine) {
    MPI(Bcast, &mine, 1, mpi.of_double, 0, mpi.world);
    return mine;
}

double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
