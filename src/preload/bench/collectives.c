/* SPDX-License-Identifier: Apache-2.0
 * Collective calls. Each is timed by itself, after a barrier, as in OSU's benchmarks. */
#include "mpi_calls.h"
#include "tables.h"

enum { root = 0 };

static void begin(void) { MPI(Barrier, mpi.world); }

/* A function that repeats a call. */
#define AUREOLE_REPEATED(function, ...)                 \
    static double function(struct Case* c, int times) { \
        double seconds = 0;                             \
        for (int k = 0; k < times; ++k) {               \
            begin();                                    \
            const double start = seconds_now();         \
            MPI(__VA_ARGS__);                           \
            seconds += seconds_now() - start;           \
        }                                               \
        (void)c;                                        \
        return seconds;                                 \
    }

AUREOLE_REPEATED(all_reduce, Allreduce, c->out, c->in, c->n, mpi.of_float, mpi.sum, mpi.world)
AUREOLE_REPEATED(broadcast, Bcast, c->in, c->n, mpi.of_float, root, mpi.world)
AUREOLE_REPEATED(reduce, Reduce, c->out, c->in, c->n, mpi.of_float, mpi.sum, root, mpi.world)
AUREOLE_REPEATED(all_gather, Allgather, c->out, c->n, mpi.of_float, c->in, c->n, mpi.of_float,
                 mpi.world)
AUREOLE_REPEATED(all_to_all, Alltoall, c->out, c->n, mpi.of_float, c->in, c->n, mpi.of_float,
                 mpi.world)
AUREOLE_REPEATED(gather, Gather, c->out, c->n, mpi.of_float, c->in, c->n, mpi.of_float, root,
                 mpi.world)
AUREOLE_REPEATED(scatter, Scatter, c->out, c->n, mpi.of_float, c->in, c->n, mpi.of_float, root,
                 mpi.world)
AUREOLE_REPEATED(reduce_scatter, Reduce_scatter, c->out, c->in, c->counts, mpi.of_float, mpi.sum,
                 mpi.world)
AUREOLE_REPEATED(barrier, Barrier, mpi.world)

static double sum_of_all(const struct Case* c, size_t k) {
    double sum = 0;
    for (int rank = 0; rank < mpi.ranks; ++rank) sum += value_of(c, rank, k);
    return sum;
}
static double of_root(const struct Case* c, size_t k) { return value_of(c, root, k); }
static double sum_at_root(const struct Case* c, size_t k) {
    return mpi.rank == root ? sum_of_all(c, k) : nothing;
}
static double of_each(const struct Case* c, size_t k) {
    const size_t n = (size_t)c->n;
    return value_of(c, (int)(k / n), k % n);
}
static double of_each_for_me(const struct Case* c, size_t k) {
    const size_t n = (size_t)c->n;
    return value_of(c, (int)(k / n), (size_t)mpi.rank * n + k % n);
}
static double of_each_at_root(const struct Case* c, size_t k) {
    return mpi.rank == root ? of_each(c, k) : nothing;
}
static double of_root_for_me(const struct Case* c, size_t k) {
    return value_of(c, root, (size_t)mpi.rank * (size_t)c->n + k);
}
static double part_of_sum(const struct Case* c, size_t k) {
    size_t first = 0;
    for (int rank = 0; rank < mpi.rank; ++rank) first += (size_t)c->counts[rank];
    return k < (size_t)c->counts[mpi.rank] ? sum_of_all(c, first + k) : nothing;
}

const struct Table collective_tables[] = {
    {"allreduce", mean_call, 1, 1, all_reduce, sum_of_all},
    {"bcast", mean_call, 0, 1, broadcast, of_root},
    {"reduce", mean_call, 1, 1, reduce, sum_at_root},
    {"allgather", mean_call, 1, per_rank, all_gather, of_each},
    {"alltoall", mean_call, per_rank, per_rank, all_to_all, of_each_for_me},
    {"gather", mean_call, 1, per_rank, gather, of_each_at_root},
    {"scatter", mean_call, per_rank, 1, scatter, of_root_for_me},
    {"reduce_scatter", mean_call, 1, 1, reduce_scatter, part_of_sum},
    {"barrier", mean_call, 0, 0, barrier, NULL},
    {.name = ""},
};
