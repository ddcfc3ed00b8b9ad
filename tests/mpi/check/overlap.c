/* SPDX-License-Identifier: Apache-2.0
 * Buffers of open requests that overlap. */
#include <stdlib.h>

#include "cases.h"

/* Right: side by side. */
static void two_receives(int is_wrong) {
    char* const buffer = device(2 * n);
    MPI_Request open[2];
    if (rank == 0) {
        char* const second = buffer + (is_wrong ? n - 1 : n);
        MPI_Irecv(buffer, n, MPI_CHAR, 1, 0, WORLD, &open[0]);
        MPI_Irecv(second, n, MPI_CHAR, 1, 1, WORLD, &open[1]); /* mistake: two_receives */
        MPI_Waitall(2, open, MPI_STATUSES_IGNORE);
    } else {
        MPI_Send(buffer, n, MPI_CHAR, 0, 0, WORLD);
        MPI_Send(buffer, n, MPI_CHAR, 0, 1, WORLD);
    }
    give_back(buffer);
}

/* Right: columns of one matrix, which lie between each other. */
static void two_columns(int is_wrong) {
    int* const matrix = calloc(small * small, sizeof(int));
    MPI_Datatype column;
    MPI_Type_vector(small, 1, small, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Request open[2];
    if (rank == 0) {
        int* const second = matrix + (is_wrong ? small : 1);
        MPI_Irecv(matrix, 1, column, 1, 0, WORLD, &open[0]);
        MPI_Irecv(second, 1, column, 1, 1, WORLD, &open[1]); /* mistake: two_columns */
        MPI_Waitall(2, open, MPI_STATUSES_IGNORE);
    } else {
        MPI_Send(matrix, small, MPI_INT, 0, 0, WORLD);
        MPI_Send(matrix, small, MPI_INT, 0, 1, WORLD);
    }
    MPI_Type_free(&column);
    free(matrix);
}

/* Right: two sends of one buffer. */
static void receive_into_a_send(int is_wrong) {
    char* const buffer = device(n * 4);
    MPI_Request open[2];
    MPI_Isend(buffer, n * 4, MPI_CHAR, other, 0, WORLD, &open[0]);
    if (is_wrong)
        MPI_Irecv(buffer, n * 4, MPI_CHAR, other, 0, WORLD, &open[1]); /* mistake: receive_into_a_send */
    else
        MPI_Isend(buffer, n * 4, MPI_CHAR, other, 0, WORLD, &open[1]);
    if (!is_wrong) {
        char* const into = device(n * 4);
        MPI_Recv(into, n * 4, MPI_CHAR, other, 0, WORLD, IGNORE);
        MPI_Recv(into, n * 4, MPI_CHAR, other, 0, WORLD, IGNORE);
        give_back(into);
    }
    MPI_Waitall(2, open, MPI_STATUSES_IGNORE);
    give_back(buffer);
}

/* Right: the receive is complete. */
static void send_of_a_receive(int is_wrong) {
    char* const buffer = device(n);
    MPI_Request open;
    if (rank == 0) {
        MPI_Irecv(buffer, n, MPI_CHAR, 1, 0, WORLD, &open);
        MPI_Send(NULL, 0, MPI_CHAR, 1, 1, WORLD);
        if (!is_wrong) MPI_Wait(&open, IGNORE);
        MPI_Send(buffer, n, MPI_CHAR, 1, 2, WORLD); /* mistake: send_of_a_receive */
        if (is_wrong) MPI_Wait(&open, IGNORE);
    } else {
        MPI_Recv(NULL, 0, MPI_CHAR, 0, 1, WORLD, IGNORE);
        MPI_Send(buffer, n, MPI_CHAR, 0, 0, WORLD);
        MPI_Recv(buffer, n, MPI_CHAR, 0, 2, WORLD, IGNORE);
    }
    give_back(buffer);
}

/* Right: one persistent request at a time. */
static void two_persistent(int is_wrong) {
    char* const buffer = device(n);
    MPI_Request all[2];
    if (rank == 0) {
        MPI_Recv_init(buffer, n, MPI_CHAR, 1, 0, WORLD, &all[0]);
        MPI_Recv_init(buffer, n, MPI_CHAR, 1, 1, WORLD, &all[1]); /* mistake: two_persistent */
        MPI_Start(&all[0]);
        if (!is_wrong) MPI_Wait(&all[0], IGNORE);
        MPI_Start(&all[1]);
        MPI_Waitall(2, all, MPI_STATUSES_IGNORE);
        MPI_Request_free(&all[0]), MPI_Request_free(&all[1]);
    } else {
        MPI_Send(buffer, n, MPI_CHAR, 0, 0, WORLD);
        MPI_Send(buffer, n, MPI_CHAR, 0, 1, WORLD);
    }
    give_back(buffer);
}

const struct Case overlap_cases[] = {
    {"two_receives", two_receives, 0},
    {"two_columns", two_columns, 0},
    {"receive_into_a_send", receive_into_a_send, 0},
    {"send_of_a_receive", send_of_a_receive, 0},
    {"two_persistent", two_persistent, 0},
    {NULL, NULL, 0},
};
