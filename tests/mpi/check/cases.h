/* SPDX-License-Identifier: Apache-2.0
 * Cases with one mistake each, and their right relatives. A line with a mistake ends in a comment
 * "mistake: NAME", where NAME is that of the function. */
#pragma once
#include <mpi.h>
#include <stddef.h>

enum { n = 20000, small = 10 };

/* How a case is run: with its mistake or without, by one of two ranks. */
struct Case {
    const char* name;
    void (*run)(int is_wrong);
    int ends; /* with its mistake MPI may end the job */
};

extern const struct Case pending_cases[], flight_cases[], overlap_cases[], open_cases[],
    collective_cases[];

extern int rank, other;
extern void* apart; /* a stream that the default stream does not wait for */

void* device(size_t bytes);
void give_back(void* memory);
void fill(void* to, int value, size_t bytes);
void fill_on(void* stream, void* to, int value, size_t bytes);
void finish(void* stream);
void finish_device(void);

#define WORLD MPI_COMM_WORLD
#define IGNORE MPI_STATUS_IGNORE
