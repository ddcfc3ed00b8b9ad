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

static struct Case begin(const struct Table* table, size_t bytes, enum Memory memory) {
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

double wrong_floats(const struct Table* table, size_t bytes, enum Memory memory) {
    struct Case c = begin(table, bytes, memory);
    const size_t most = c.in_n > c.out_n ? c.in_n : c.out_n;
    float* const mirror = memory_take(in_host, most * sizeof(float));
    double wrong = 0;
    for (c.shift = 1; c.shift <= checks; ++c.shift) {
        fill(&c, mirror);
        MPI(Barrier, mpi.world);
        c.table->run(&c, 1);
        memory_copy(mirror, c.in, c.in_n * sizeof(float));
        for (size_t k = 0; k < c.in_n; ++k) wrong += mirror[k] != (float)table->expected(&c, k);
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

double measured(const struct Table* table, size_t bytes, enum Memory memory, double seconds) {
    struct Case c = begin(table, bytes, memory);
    const size_t most = c.in_n > c.out_n ? c.in_n : c.out_n;
    float* const mirror = memory_take(in_host, most * sizeof(float));
    fill(&c, mirror);
    memory_give(in_host, mirror);
    const int repeats = repeats_in(&c, seconds / (batches + 1));
    double of[batches];
    int n = 0;
    const double latest = seconds_now() + patience * seconds;
    while (n < fewest || (n < batches && of_first(seconds_now() < latest) != 0)) {
        MPI(Barrier, mpi.world);
        of[n] = table->run(&c, repeats) / repeats;
        if (table->figure == mean_call) of[n] = sum_of(of[n]) / mpi.ranks;
        ++n;
    }
    end(&c);
    qsort(of, (size_t)n, sizeof *of, by_size);
    const double median = of[n / 2], moved = (double)bytes * c.window;
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
