/* SPDX-License-Identifier: Apache-2.0
 * One kind of message between two ranks, TIMES times: counted WHAT TIMES. The double counts the driver's calls. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { n = 64, blocks = 100000 }; /* of an array of n x n x n doubles */

/* Blocks of one or two doubles, whose distances do not repeat. */
static MPI_Datatype list(void) {
    static int lengths[blocks], places[blocks];
    unsigned random = 1;
    int place = 0;
    for (int k = 0; k < blocks; ++k) {
        random = random * 1664525u + 1013904223u;
        places[k] = place;
        lengths[k] = 1 + (random >> 16 & 3) / 3;
        place += lengths[k] + 1 + (random >> 20 & 3) / 3;
    }
    MPI_Datatype type;
    MPI_Type_indexed(blocks, lengths, places, MPI_DOUBLE, &type);
    return type;
}

int main(int arguments, char** words) {
    MPI_Init(&arguments, &words);
    if (arguments != 3) return 2;
    const char* const what = words[1];
    const int times = atoi(words[2]);
    void* const runtime = dlopen("libcudart.so.13", RTLD_NOW);
    if (runtime == NULL) return 5;
    int (*allocate)(void**, size_t) = NULL;
    *(void**)&allocate = dlsym(runtime, "cudaMalloc");
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    void* memory = NULL;
    if (allocate(&memory, sizeof(double) * n * n * n) != 0) return 4;
    double* const array = memory;

    MPI_Datatype face = MPI_DOUBLE;
    int count = 1, irregular[1000];
    for (int k = 0; k < 1000; ++k) irregular[k] = 3 * k + k * k % 7 % 2;
    if (strcmp(what, "x") == 0) MPI_Type_vector(n * n, 1, n, MPI_DOUBLE, &face);
    if (strcmp(what, "y") == 0) MPI_Type_vector(n, n, n * n, MPI_DOUBLE, &face);
    if (strcmp(what, "z") == 0) MPI_Type_vector(1, n * n, n * n, MPI_DOUBLE, &face);
    if (strcmp(what, "irregular") == 0) MPI_Type_create_indexed_block(1000, 1, irregular, MPI_DOUBLE, &face);
    if (strcmp(what, "list") == 0) face = list();
    if (face != MPI_DOUBLE) MPI_Type_commit(&face);
    for (int k = 0; k < times; ++k) {
        MPI_Request open;
        if (strcmp(what, "sum") == 0) {
            MPI_Allreduce(MPI_IN_PLACE, array, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        } else if (strcmp(what, "later") == 0) {
            if (rank == 0) MPI_Isend(array, count, face, 1, 1, MPI_COMM_WORLD, &open);
            if (rank == 1) MPI_Irecv(array, count, face, 0, 1, MPI_COMM_WORLD, &open);
            MPI_Wait(&open, MPI_STATUS_IGNORE);
        } else {
            if (rank == 0) MPI_Send(array, count, face, 1, 1, MPI_COMM_WORLD);
            if (rank == 1) MPI_Recv(array, count, face, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    if (face != MPI_DOUBLE) MPI_Type_free(&face);
    MPI_Finalize();
    return 0;
}
