/* SPDX-License-Identifier: Apache-2.0
 * Work on a stream is pending when MPI reads a buffer. The double delays work at random, and not all of it: so each
 * message is sent several times. */
#include "cases.h"

enum { times = 10 };

/* Right: the program waits for the stream. */
static void sent_while_pending(int is_wrong) {
    char* const buffer = device(n);
    for (int k = 0; k < times; ++k) {
        if (rank == 0) {
            fill_on(apart, buffer, k, n);
            if (!is_wrong) finish(apart);
            MPI_Send(buffer, n, MPI_CHAR, 1, 0, WORLD); /* mistake: sent_while_pending */
        } else {
            MPI_Recv(buffer, n, MPI_CHAR, 0, 0, WORLD, IGNORE);
        }
    }
    finish_device();
    give_back(buffer);
}

/* Right: copies wait for the default stream. */
static void isent_while_pending(int is_wrong) {
    char* const buffer = device(n);
    MPI_Request open;
    for (int k = 0; k < times; ++k) {
        if (rank == 0) {
            fill_on(is_wrong ? apart : NULL, buffer, k, n);
            MPI_Isend(buffer, n, MPI_CHAR, 1, 0, WORLD, &open); /* mistake: isent_while_pending */
        } else {
            MPI_Irecv(buffer, n, MPI_CHAR, 0, 0, WORLD, &open);
        }
        MPI_Wait(&open, IGNORE);
    }
    finish_device();
    give_back(buffer);
}

/* Right: pending work changes the bytes behind those that are sent. */
static void summed_while_pending(int is_wrong) {
    int *const from = device(2 * n), *const sum = device(n);
    int* const changed = is_wrong ? from : from + n / 4;
    for (int k = 0; k < times; ++k) {
        fill_on(apart, changed, k, n);
        MPI_Allreduce(from, sum, n / 4, MPI_INT, MPI_SUM, WORLD); /* mistake: summed_while_pending */
    }
    finish_device();
    give_back(from), give_back(sum);
}

/* Right: the program waits for the stream before each start. */
static void started_while_pending(int is_wrong) {
    char* const buffer = device(n);
    MPI_Request all;
    if (rank == 0)
        MPI_Send_init(buffer, n, MPI_CHAR, 1, 0, WORLD, &all); /* mistake: started_while_pending */
    else
        MPI_Recv_init(buffer, n, MPI_CHAR, 0, 0, WORLD, &all);
    for (int k = 0; k < times; ++k) {
        if (rank == 0) fill_on(apart, buffer, k, n);
        if (!is_wrong) finish(apart);
        MPI_Start(&all);
        MPI_Wait(&all, IGNORE);
    }
    finish_device();
    MPI_Request_free(&all);
    give_back(buffer);
}

const struct Case pending_cases[] = {
    {"sent_while_pending", sent_while_pending, 0},
    {"isent_while_pending", isent_while_pending, 0},
    {"summed_while_pending", summed_while_pending, 0},
    {"started_while_pending", started_while_pending, 0},
    {NULL, NULL, 0},
};
