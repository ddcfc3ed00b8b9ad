/* SPDX-License-Identifier: Apache-2.0
 * Messages between ranks 0 and 1: latency, bandwidth, and bandwidth both ways. */
#include "mpi_calls.h"
#include "tables.h"

enum { tag = 1, tag_back = 2 };

static double ping_pong(struct Case* c, int repeats) {
    const double start = seconds_now();
    for (int k = 0; k < repeats; ++k) {
        if (mpi.rank == 0) {
            MPI(Send, c->out, c->n, mpi.of_float, 1, tag, mpi.world);
            MPI(Recv, c->in, c->n, mpi.of_float, 1, tag, mpi.world, mpi.ignored);
        } else if (mpi.rank == 1) {
            MPI(Recv, c->in, c->n, mpi.of_float, 0, tag, mpi.world, mpi.ignored);
            MPI(Send, c->out, c->n, mpi.of_float, 0, tag, mpi.world);
        }
    }
    return seconds_now() - start;
}

/* A window of messages one way or both ways, and a short answer when all have come. */
static double windows(struct Case* c, int repeats) {
    const int is_both = c->table->figure == both_ways;
    const int sends = mpi.rank == 0 || (is_both && mpi.rank == 1);
    const int receives = mpi.rank == 1 || (is_both && mpi.rank == 0);
    const int other = 1 - mpi.rank;
    struct Requests all;
    float answer = 0;
    const double start = seconds_now();
    for (int k = 0; k < repeats && mpi.rank < 2; ++k) {
        int open = 0;
        for (int slot = 0; receives && slot < c->window; ++slot)
            MPI(Irecv, c->in + (size_t)slot * (size_t)c->n, c->n, mpi.of_float, other, tag,
                mpi.world, request_at(&all, open++));
        for (int slot = 0; sends && slot < c->window; ++slot)
            MPI(Isend, c->out, c->n, mpi.of_float, other, tag, mpi.world, request_at(&all, open++));
        MPI(Waitall, open, &all, mpi.ignored);
        if (mpi.rank == 0)
            MPI(Recv, &answer, 1, mpi.of_float, 1, tag_back, mpi.world, mpi.ignored);
        else
            MPI(Send, &answer, 1, mpi.of_float, 0, tag_back, mpi.world);
    }
    return seconds_now() - start;
}

static double of_other(const struct Case* c, size_t k) {
    return mpi.rank < 2 ? value_of(c, 1 - mpi.rank, k) : nothing;
}
static double of_window(const struct Case* c, size_t k) {
    const int receives = mpi.rank == 1 || (mpi.rank == 0 && c->table->figure == both_ways);
    return receives ? value_of(c, 1 - mpi.rank, k % (size_t)c->n) : nothing;
}

const struct Table message_tables[] = {
    {"latency", one_way, 1, 1, ping_pong, of_other},
    {"bandwidth", bandwidth, 1, per_window, windows, of_window},
    {"bidirectional", both_ways, 1, per_window, windows, of_window},
    {.name = ""},
};
