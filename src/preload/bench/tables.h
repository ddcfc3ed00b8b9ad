/* SPDX-License-Identifier: Apache-2.0
 * The tables of OSU's benchmarks: one operation at one size of message, checked or timed. */
#pragma once

#include "memory.h"
#include "straight.h"

enum { most_ranks = 64, window_most = 64, window_bytes = 64 << 20 };

struct Table;

/* One table at one size. Data are floats, in the order of their index in a buffer. */
struct Case {
    const struct Table* table;
    int n;      /* floats of a message, or of each block of a collective */
    int window; /* messages in flight of a bandwidth */
    enum Memory memory;
    float *out, *in;        /* in that memory; a collective in place has `in` alone */
    size_t out_n, in_n;     /* floats */
    int counts[most_ranks]; /* of reduce_scatter, by rank */
    int shift;              /* of the data, so that old ones are not taken for new ones */
};

enum Figure { one_way, bandwidth, both_ways, mean_call };

struct Table {
    const char* name;
    enum Figure figure;
    int out_blocks, in_blocks;                      /* of n floats; `per_rank`, `per_window` */
    double (*run)(struct Case*, int);               /* seconds of so many repeats */
    double (*expected)(const struct Case*, size_t); /* of a float that came in, or `nothing` */
};
enum { per_rank = -1, per_window = -2 };

/* What the k-th float of a rank's output is: a small integer, so that sums are exact. */
double value_of(const struct Case* of, int rank, size_t k);
/* Floats that no message may write. */
#define nothing (-1.0)

extern const struct Table message_tables[], collective_tables[]; /* end with an empty name */
const struct Table* table_named(const char* name);

/* One table at one size of message or block, and which way the messages went that it is about. */
struct Ask {
    const struct Table* table;
    size_t bytes;
    enum Memory memory;
    struct Straight straight; /* the answer */
};
/* Floats that are not as they should be, of all ranks together. */
double wrong_floats(struct Ask* of);
/* Seconds of a message or call, or bytes/s. The number is rank 0's, or a mean over the ranks. */
double measured(struct Ask* of, double seconds);
