/* SPDX-License-Identifier: Apache-2.0
 * Collective calls whose processes do not agree. */
#include "cases.h"

/* Right: the same elements, as one of a vector on one rank. */
static void counts_of_bcast(int is_wrong) {
    int* const buffer = device(n);
    MPI_Datatype every_second;
    MPI_Type_vector(small, 1, 2, MPI_INT, &every_second);
    MPI_Type_commit(&every_second);
    const int mine = rank == 0 ? small : is_wrong ? 2 : 1;
    MPI_Datatype type = rank == 0 ? MPI_INT : every_second;
    MPI_Bcast(buffer, mine, type, 0, WORLD); /* mistake: counts_of_bcast */
    MPI_Type_free(&every_second);
    give_back(buffer);
}

/* Right: the root is one rank. */
static void root_of_bcast(int is_wrong) {
    int buffer[small] = {1};
    MPI_Bcast(buffer, small, MPI_INT, is_wrong ? rank : 1, WORLD); /* mistake: root_of_bcast */
}

/* Right: a type of C beside one of fixed size, which are the same. */
static void types_of_allreduce(int is_wrong) {
    int *const from = device(n), *const sum = device(n);
    MPI_Datatype type = rank == 0 ? MPI_INT : is_wrong ? MPI_FLOAT : MPI_INT32_T;
    MPI_Allreduce(from, sum, small, type, MPI_SUM, WORLD); /* mistake: types_of_allreduce */
    give_back(from), give_back(sum);
}

/* Right: one operation of the program's, on handles of each process. */
static void add(void* from, void* into, int* count, MPI_Datatype* type) {
    (void)type;
    for (int k = 0; k < *count; ++k) ((int*)into)[k] += ((int*)from)[k];
}
static void operation_of_scan(int is_wrong) {
    int from[small] = {1}, sum[small];
    MPI_Op spare, own, op;
    if (rank == 1) MPI_Op_create(add, 1, &spare);
    MPI_Op_create(add, 1, &own);
    op = !is_wrong ? own : rank == 0 ? MPI_SUM : MPI_MAX;
    MPI_Scan(from, sum, small, MPI_INT, op, WORLD); /* mistake: operation_of_scan */
    if (rank == 1) MPI_Op_free(&spare);
    MPI_Op_free(&own);
}

/* Right: ranks send different numbers, as the root expects. */
static void counts_of_gatherv(int is_wrong) {
    int *const from = device(n), *const all = device(n);
    const int counts[2] = {2, small}, places[2] = {0, 5};
    const int mine = rank == 0 ? 2 : is_wrong ? small - 1 : small;
    MPI_Gatherv(from, mine, MPI_INT, all, counts, places, MPI_INT, 0, WORLD); /* mistake: counts_of_gatherv */
    give_back(from), give_back(all);
}

/* Right: a matrix of counts that is not symmetric. */
static void counts_of_alltoallv(int is_wrong) {
    int from[2 * small] = {0}, into[2 * small];
    const int places[2] = {0, small};
    int sends[2] = {1, 2}, receives[2] = {1, 3};
    if (rank == 1) sends[0] = 3, sends[1] = 4, receives[0] = is_wrong ? 4 : 2, receives[1] = 4;
    MPI_Alltoallv(from, sends, places, MPI_INT, into, receives, places, MPI_INT, WORLD); /* mistake: counts_of_alltoallv */
}

/* Right: a duplicate and a part of the communicator, made and freed. */
static void counts_of_allgather(int is_wrong) {
    int *const from = device(n), *const all = device(n);
    for (int k = 0; k < 3; ++k) {
        MPI_Comm pair, single;
        MPI_Comm_dup(WORLD, &pair);
        MPI_Comm_split(pair, rank, 0, &single);
        const int mine = is_wrong && k == 2 ? rank + 1 : small;
        MPI_Allgather(from, small, MPI_INT, all, small, MPI_INT, single);
        MPI_Allgather(from, mine, MPI_INT, all, mine, MPI_INT, pair); /* mistake: counts_of_allgather */
        MPI_Comm_free(&single);
        MPI_Comm_free(&pair);
    }
    give_back(from), give_back(all);
}

/* Right: an array of counts that all ranks have. */
static void counts_of_reduce_scatter(int is_wrong) {
    int from[2 * small] = {0}, sum[2 * small];
    int counts[2] = {3, 5};
    if (is_wrong && rank == 1) counts[0] = 5, counts[1] = 3;
    MPI_Reduce_scatter(from, sum, counts, MPI_INT, MPI_SUM, WORLD); /* mistake: counts_of_reduce_scatter */
}

const struct Case collective_cases[] = {
    {"counts_of_bcast", counts_of_bcast, 1},
    {"root_of_bcast", root_of_bcast, 1},
    {"types_of_allreduce", types_of_allreduce, 0},
    {"operation_of_scan", operation_of_scan, 0},
    {"counts_of_gatherv", counts_of_gatherv, 0},
    {"counts_of_alltoallv", counts_of_alltoallv, 1},
    {"counts_of_allgather", counts_of_allgather, 1},
    {"counts_of_reduce_scatter", counts_of_reduce_scatter, 1},
    {NULL, NULL, 0},
};
