/* SPDX-License-Identifier: Apache-2.0
 * check wrong|right NAME...: runs cases; "all" are those whose mistakes do not end the job. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"

enum { to_device = 1, between = 3, not_blocking = 1 };
int rank = 0, other = 0;
void* apart = NULL;

static int (*allocate)(void**, size_t);
static int (*release)(void*);
static int (*copy)(void*, const void*, size_t, int);
static int (*copy_on)(void*, const void*, size_t, int, void*);
static int (*set)(void*, int, size_t);
static int (*make_stream)(void**, unsigned);
static int (*finish_stream)(void*);
static int (*finish_all)(void);
static void* source; /* of late copies */

static void is_done(int error, const char* what) {
    if (error == 0) return;
    fprintf(stderr, "program: %s failed with %d\n", what, error);
    MPI_Abort(WORLD, 4);
}
void* device(size_t bytes) {
    void* made = NULL;
    is_done(allocate(&made, bytes), "cudaMalloc");
    fill(made, 1, bytes);
    return made;
}
void give_back(void* memory) { is_done(release(memory), "cudaFree"); }
void fill(void* to, int value, size_t bytes) {
    is_done(set(to, value, bytes), "cudaMemset");
    finish_device();
}
/* By a copy, which streams of the double begin late. */
void fill_on(void* stream, void* to, int value, size_t bytes) {
    fill(source, value, bytes);
    is_done(copy_on(to, source, bytes, between, stream), "cudaMemcpyAsync");
}
void finish(void* stream) { is_done(finish_stream(stream), "cudaStreamSynchronize"); }
void finish_device(void) { is_done(finish_all(), "cudaDeviceSynchronize"); }

static void load(void) {
    void* const runtime = dlopen("libcudart.so.13", RTLD_NOW);
    if (runtime == NULL) exit(5);
    *(void**)&allocate = dlsym(runtime, "cudaMalloc");
    *(void**)&release = dlsym(runtime, "cudaFree");
    *(void**)&copy = dlsym(runtime, "cudaMemcpy");
    *(void**)&copy_on = dlsym(runtime, "cudaMemcpyAsync");
    *(void**)&set = dlsym(runtime, "cudaMemset");
    *(void**)&make_stream = dlsym(runtime, "cudaStreamCreateWithFlags");
    *(void**)&finish_stream = dlsym(runtime, "cudaStreamSynchronize");
    *(void**)&finish_all = dlsym(runtime, "cudaDeviceSynchronize");
    source = device(4 * n);
    make_stream(&apart, not_blocking);
}

static const struct Case* const lists[] = {pending_cases, flight_cases, overlap_cases,
                                           collective_cases, open_cases};

int main(int arguments, char** words) {
    MPI_Init(&arguments, &words);
    MPI_Comm_rank(WORLD, &rank);
    other = 1 - rank;
    load();
    const int is_wrong = arguments > 1 && strcmp(words[1], "wrong") == 0;
    for (int w = 2; w < arguments; ++w) {
        const int is_all = strcmp(words[w], "all") == 0;
        for (size_t k = 0; k < sizeof lists / sizeof *lists; ++k)
            for (const struct Case* one = lists[k]; one->name != NULL; ++one) {
                if (strcmp(words[w], "list") == 0 && rank == 0)
                    printf("case %s %d\n", one->name, one->ends);
                if (!(is_all && !(is_wrong && one->ends)) && strcmp(words[w], one->name) != 0)
                    continue;
                one->run(is_wrong);
                if (!is_wrong) MPI_Barrier(WORLD);
            }
    }
    MPI_Finalize();
    if (rank == 0) puts("ended");
    return 0;
}
