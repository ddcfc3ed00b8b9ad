/* SPDX-License-Identifier: Apache-2.0 */
#include "tables.h"

#include <stdlib.h>
#include <string.h>

#include "mpi_calls.h"

/* So many and so short that the median is none in which a process lost its processor; fewer where
 * they take `patience` times as long as they should, as on a busy machine. */
enum { batches = 51, fewest = 5, patience = 8, tries = 3, period = 251, checks = 2 };

const struct Table* table_named(const char* name) {
    const struct Table* const groups[] = {message_tables, collective_tables};
    for (size_t group = 0; group < sizeof groups / sizeof *groups; ++group)
        for (const struct Table* at = groups[group]; at->name[0] != 0; ++at)
            if (strcmp(at->name, name) == 0) return at;
    return NULL;
}

double value_of(const struct Case* of, int rank, size_t k) {
    return (double)((k * 7 + (size_t)rank * 13 + (size_t)of->shift * 31) % period);
}

static size_t floats(const struct Case* c, int blocks) {
    const size_t n = (size_t)c->n;
    if (blocks == per_rank) return n * (size_t)mpi.ranks;
    if (blocks == per_window) return n * (size_t)c->window;
    return n * (size_t)blocks;
}

static struct Case begin(const struct Ask* of) {
    const struct Table* const table = of->table;
    const enum Memory memory = of->memory;
    const size_t bytes = of->bytes;
    struct Case c = {.table = table, .memory = memory};
    c.n = (int)(bytes / sizeof(float));
    const size_t fit = (size_t)window_bytes / (bytes > 0 ? bytes : 1);
    c.window = fit < 1 ? 1 : fit < window_most ? (int)fit : window_most;
    c.out_n = floats(&c, table->out_blocks), c.in_n = floats(&c, table->in_blocks);
    for (int rank = 0; rank < mpi.ranks && rank < most_ranks; ++rank)
        c.counts[rank] = c.n / mpi.ranks + (rank < c.n % mpi.ranks);
    c.out = memory_take(memory, c.out_n * sizeof(float));
    c.in = memory_take(memory, c.in_n * sizeof(float));
    return c;
}

static void end(struct Case* c) {
    memory_give(c->memory, c->out);
    memory_give(c->memory, c->in);
}

/* Output as others expect it; input that no message leaves, but at the root of a broadcast. */
static void fill(struct Case* c, float* mirror) {
    const int is_root = c->table->out_blocks == 0 && mpi.rank == 0;
    for (size_t k = 0; k < c->out_n; ++k) mirror[k] = (float)value_of(c, mpi.rank, k);
    memory_copy(c->out, mirror, c->out_n * sizeof(float));
    for (size_t k = 0; k < c->in_n; ++k)
        mirror[k] = is_root ? (float)value_of(c, 0, k) : (float)nothing;
    memory_copy(c->in, mirror, c->in_n * sizeof(float));
}

/* Messages of this rank in so many repeats that are long enough to go straight. */
static double large_messages(const struct Case* c, double repeats) {
    const long from = straight_from();
    if (from < 0 || c->n * (long)sizeof(float) < from || mpi.rank > 1) return 0;
    switch (c->table->figure) {
        case one_way:
            return repeats;
        case bandwidth:
            return mpi.rank == 0 ? repeats * c->window : 0;
        case both_ways:
            return repeats * c->window;
        default:
            return 0; /* of a collective call: how many depends on the ranks, and is not told */
    }
}

double wrong_floats(struct Ask* of) {
    struct Case c = begin(of);
    const size_t most = c.in_n > c.out_n ? c.in_n : c.out_n;
    float* const mirror = memory_take(in_host, most * sizeof(float));
    double wrong = 0;
    for (c.shift = 1; c.shift <= checks; ++c.shift) {
        fill(&c, mirror);
        MPI(Barrier, mpi.world);
        straight_since(c.memory, 0);
        c.table->run(&c, 1);
        const struct Straight once = straight_since(c.memory, large_messages(&c, 1));
        of->straight.sent += once.sent, of->straight.of += once.of;
        memory_copy(mirror, c.in, c.in_n * sizeof(float));
        for (size_t k = 0; k < c.in_n; ++k) wrong += mirror[k] != (float)c.table->expected(&c, k);
    }
    memory_give(in_host, mirror);
    end(&c);
    return sum_of(wrong);
}

static int by_size(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

/* Repeats that take so long on rank 0; warms up. */
static int repeats_in(struct Case* c, double seconds) {
    c->table->run(c, 1);
    for (int repeats = 1;; repeats *= 2) {
        double took = seconds;
        for (int k = 0; k < tries; ++k) {
            MPI(Barrier, mpi.world);
            const double once = of_first(c->table->run(c, repeats));
            if (once < took) took = once;
        }
        if (took >= seconds / 2 || repeats >= 1 << 20) {
            const double fit = repeats * seconds / (took > 0 ? took : seconds);
            return fit < 1 ? 1 : (int)fit;
        }
    }
}

double measured(struct Ask* of, double seconds) {
    const struct Table* const table = of->table;
    struct Case c = begin(of);
    const size_t most = c.in_n > c.out_n ? c.in_n : c.out_n;
    float* const mirror = memory_take(in_host, most * sizeof(float));
    fill(&c, mirror);
    memory_give(in_host, mirror);
    const int repeats = repeats_in(&c, seconds / (batches + 1));
    double times[batches];
    int n = 0;
    straight_since(c.memory, 0);
    const double latest = seconds_now() + patience * seconds;
    while (n < fewest || (n < batches && of_first(seconds_now() < latest) != 0)) {
        MPI(Barrier, mpi.world);
        times[n] = table->run(&c, repeats) / repeats;
        if (table->figure == mean_call) times[n] = sum_of(times[n]) / mpi.ranks;
        ++n;
    }
    of->straight = straight_since(c.memory, large_messages(&c, (double)repeats * n));
    end(&c);
    qsort(times, (size_t)n, sizeof *times, by_size);
    const double median = times[n / 2], moved = (double)of->bytes * c.window;
    switch (table->figure) {
        case one_way:
            return median / 2;
        case bandwidth:
            return moved / median;
        case both_ways:
            return 2 * moved / median;
        default:
            return median;
    }
}
