/* SPDX-License-Identifier: Apache-2.0
 * Buffers that are changed or freed before their requests are complete. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "cases.h"

/* Right: it is changed after MPI_Wait. */
static void changed_large(int is_wrong) {
    char* const buffer = device(n * 4);
    MPI_Request open;
    if (rank == 0) {
        MPI_Isend(buffer, n * 4, MPI_CHAR, 1, 0, WORLD, &open); /* mistake: changed_large */
        if (is_wrong) fill(buffer, 3, n);
        MPI_Wait(&open, IGNORE);
        fill(buffer, 3, n);
    } else {
        MPI_Recv(buffer, n * 4, MPI_CHAR, 0, 0, WORLD, IGNORE);
    }
    give_back(buffer);
}

/* Right: bytes behind the message are changed. */
static void changed_small(int is_wrong) {
    char* const buffer = device(2 * small);
    MPI_Request open;
    if (rank == 0) {
        MPI_Isend(buffer, small, MPI_CHAR, 1, 0, WORLD, &open); /* mistake: changed_small */
        fill(buffer + (is_wrong ? small - 1 : small), 3, small);
        MPI_Waitall(1, &open, MPI_STATUSES_IGNORE);
    } else {
        MPI_Recv(buffer, small, MPI_CHAR, 0, 0, WORLD, IGNORE);
    }
    give_back(buffer);
}

/* Right: gaps between the elements are changed. */
static void changed_strided(int is_wrong) {
    int* const buffer = device(n);
    MPI_Datatype every_second;
    MPI_Type_vector(small, 1, 2, MPI_INT, &every_second);
    MPI_Type_commit(&every_second);
    MPI_Request open;
    if (rank == 0) {
        MPI_Issend(buffer, 1, every_second, 1, 0, WORLD, &open); /* mistake: changed_strided */
        fill(buffer + (is_wrong ? 4 : 5), 3, sizeof(int));
        int is_complete = 0;
        while (!is_complete) MPI_Test(&open, &is_complete, IGNORE);
    } else {
        MPI_Recv(buffer, small, MPI_INT, 0, 0, WORLD, IGNORE);
    }
    MPI_Type_free(&every_second);
    give_back(buffer);
}

/* Right: MPI_Test says that the request is complete. */
static void changed_on_host(int is_wrong) {
    char* const buffer = malloc(n);
    memset(buffer, 1, n);
    MPI_Request open;
    if (rank == 0) {
        int is_complete = is_wrong;
        MPI_Isend(buffer, n, MPI_CHAR, 1, 0, WORLD, &open); /* mistake: changed_on_host */
        while (!is_complete) MPI_Test(&open, &is_complete, IGNORE);
        memset(buffer, 3, n);
        MPI_Wait(&open, IGNORE);
    } else {
        MPI_Recv(buffer, n, MPI_CHAR, 0, 0, WORLD, IGNORE);
    }
    free(buffer);
}

/* Right: it is the result that is used, after MPI_Wait. */
static void changed_in_a_sum(int is_wrong) {
    int *const from = device(n), *const sum = device(n);
    MPI_Request open;
    MPI_Iallreduce(from, sum, small, MPI_INT, MPI_SUM, WORLD, &open); /* mistake: changed_in_a_sum */
    if (is_wrong) fill(from, 3, small);
    MPI_Wait(&open, IGNORE);
    fill(sum, 3, small);
    give_back(from), give_back(sum);
}

/* Right: both are complete. Libraries give one handle to several requests that are complete at once. */
static void changed_second(int is_wrong) {
    char *const first = device(small), *const second = device(small);
    MPI_Request open[2];
    if (rank == 0) {
        MPI_Isend(first, small, MPI_CHAR, 1, 0, WORLD, &open[0]);
        MPI_Isend(second, small, MPI_CHAR, 1, 1, WORLD, &open[1]); /* mistake: changed_second */
        MPI_Wait(&open[is_wrong ? 0 : 1], IGNORE);
        fill(second, 3, small);
        MPI_Wait(&open[is_wrong ? 1 : 0], IGNORE);
    } else {
        MPI_Recv(first, small, MPI_CHAR, 0, 0, WORLD, IGNORE);
        MPI_Recv(second, small, MPI_CHAR, 0, 1, WORLD, IGNORE);
    }
    give_back(first), give_back(second);
}

/* Right: one request is complete, and its buffer is changed, while another is open. */
static void changed_of_two(int is_wrong) {
    char *const first = device(n * 4), *const second = device(n * 4);
    MPI_Request open[2];
    if (rank == 0) {
        MPI_Isend(first, n * 4, MPI_CHAR, 1, 0, WORLD, &open[0]);
        MPI_Isend(second, n * 4, MPI_CHAR, 1, 1, WORLD, &open[1]); /* mistake: changed_of_two */
        MPI_Wait(&open[0], IGNORE);
        fill(is_wrong ? second : first, 3, n);
        MPI_Wait(&open[1], IGNORE);
    } else {
        MPI_Recv(first, n * 4, MPI_CHAR, 0, 0, WORLD, IGNORE);
        MPI_Recv(second, n * 4, MPI_CHAR, 0, 1, WORLD, IGNORE);
    }
    give_back(first), give_back(second);
}

/* Right: it is freed after MPI_Wait. */
static void freed_send(int is_wrong) {
    char *const buffer = device(n * 4), *next = NULL;
    MPI_Request open;
    if (rank == 0) {
        MPI_Isend(buffer, n * 4, MPI_CHAR, 1, 0, WORLD, &open); /* mistake: freed_send */
        if (is_wrong) give_back(buffer), next = device(n * 4);
        MPI_Wait(&open, IGNORE);
    } else {
        MPI_Recv(buffer, n * 4, MPI_CHAR, 0, 0, WORLD, IGNORE);
    }
    give_back(next != NULL ? next : buffer);
}

/* Right: other memory is freed. */
static void freed_receive(int is_wrong) {
    char* buffer = device(n * 4);
    char* spare = device(n * 4);
    MPI_Request open;
    if (rank == 1) {
        MPI_Irecv(buffer, n * 4, MPI_CHAR, 0, 0, WORLD, &open); /* mistake: freed_receive */
        if (is_wrong) {
            give_back(buffer), buffer = device(n * 4);
        } else {
            give_back(spare), spare = device(n * 4);
        }
    }
    MPI_Barrier(WORLD);
    if (rank == 0) MPI_Send(buffer, n * 4, MPI_CHAR, 1, 0, WORLD);
    if (rank == 1) MPI_Wait(&open, IGNORE);
    give_back(buffer), give_back(spare);
}

/* Right: pages are given back after MPI_Wait. */
static void freed_on_host(int is_wrong) {
    char* const buffer = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    MPI_Request open;
    if (rank == 1) {
        MPI_Irecv(NULL, 0, MPI_CHAR, 0, 1, WORLD, &open);
        MPI_Wait(&open, IGNORE);
        MPI_Recv(buffer, small, MPI_CHAR, 0, 0, WORLD, IGNORE);
    } else {
        MPI_Isend(buffer, small, MPI_CHAR, 1, 0, WORLD, &open); /* mistake: freed_on_host */
        MPI_Send(NULL, 0, MPI_CHAR, 1, 1, WORLD);
        if (is_wrong) munmap(buffer, n);
        MPI_Wait(&open, IGNORE);
    }
    if (!is_wrong) munmap(buffer, n);
}

const struct Case flight_cases[] = {
    {"changed_large", changed_large, 0},
    {"changed_small", changed_small, 0},
    {"changed_strided", changed_strided, 0},
    {"changed_on_host", changed_on_host, 0},
    {"changed_in_a_sum", changed_in_a_sum, 0},
    {"changed_second", changed_second, 0},
    {"changed_of_two", changed_of_two, 0},
    {"freed_send", freed_send, 0},
    {"freed_receive", freed_receive, 0},
    {"freed_on_host", freed_on_host, 0},
    {NULL, NULL, 0},
};
