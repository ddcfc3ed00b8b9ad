/* SPDX-License-Identifier: Apache-2.0
 * Requests that are open when the program ends. */
#include "cases.h"

/* Right: the request is freed. */
static void send_left(int is_wrong) {
    char* const buffer = device(small);
    MPI_Request open;
    if (rank == 0) {
        MPI_Isend(buffer, small, MPI_CHAR, 1, 0, WORLD, &open); /* mistake: send_left */
        if (!is_wrong) MPI_Request_free(&open);
    } else {
        MPI_Recv(buffer, small, MPI_CHAR, 0, 0, WORLD, IGNORE);
    }
}

/* Right: both are completed, by one call each. */
static void receive_left(int is_wrong) {
    static char host[2 * small]; /* still there when the program ends */
    MPI_Request open[2];
    if (rank == 1) {
        int k = 0;
        MPI_Irecv(host, small, MPI_CHAR, 0, 0, WORLD, &open[0]);
        MPI_Irecv(host + small, small, MPI_CHAR, 0, 0, WORLD, &open[1]); /* mistake: receive_left */
        MPI_Wait(&open[0], IGNORE);
        if (!is_wrong) MPI_Waitany(2, open, &k, IGNORE);
    } else {
        MPI_Send(host, small, MPI_CHAR, 1, 0, WORLD);
        MPI_Send(host, small, MPI_CHAR, 1, 0, WORLD);
    }
}

/* Right: it is not active when the program ends, though it was not freed. */
static void persistent_left(int is_wrong) {
    char* const buffer = device(small);
    MPI_Request all;
    if (rank == 0)
        MPI_Send_init(buffer, small, MPI_CHAR, 1, 0, WORLD, &all); /* mistake: persistent_left */
    else
        MPI_Recv_init(buffer, small, MPI_CHAR, 0, 0, WORLD, &all);
    MPI_Start(&all);
    if (!is_wrong || rank == 1) MPI_Wait(&all, IGNORE);
}

const struct Case open_cases[] = {
    {"receive_left", receive_left, 0},
    {"persistent_left", persistent_left, 0},
    {"send_left", send_left, 0},
    {NULL, NULL, 0},
};
