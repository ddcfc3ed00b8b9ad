/* SPDX-License-Identifier: Apache-2.0
 * aureole-mpi-bench: one rank of `aureole bench mpi`, `stencil` and `hpcg`.
 *
 * It is a program in C, as a call by Python's ctypes takes about a microsecond, which is longer
 * than a short message. It loads MPI at run time, so that one file measures every MPI, and looks
 * the functions up where a program's own calls would find them, so that a preloaded library has
 * them.
 *
 * Its arguments are words NAME=VALUE; it prints lines of JSON, most of them on rank 0. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hpcg.h"
#include "mpi_calls.h"
#include "stencil.h"
#include "tables.h"

static char** words;

static const char* word(const char* name, const char* otherwise) {
    const size_t n = strlen(name);
    for (char** at = words; *at != NULL; ++at)
        if (strncmp(*at, name, n) == 0 && (*at)[n] == '=') return *at + n + 1;
    return otherwise;
}

static enum Memory chosen_memory(void) {
    const char* const name = word("memory", "host");
    if (strcmp(name, "device") == 0) return in_device;
    if (strcmp(name, "managed") == 0) return in_managed;
    if (strcmp(name, "host") != 0) refuse("memory is host, device or managed");
    return in_host;
}

/* Each rank on a processor of its own, if there are so many. */
static void pin(void) {
    cpu_set_t allowed, own;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
    if (mpi.ranks > CPU_COUNT(&allowed)) return;
    for (int cpu = 0, seen = 0; cpu < CPU_SETSIZE; ++cpu)
        if (CPU_ISSET(cpu, &allowed) && seen++ == mpi.rank) {
            CPU_ZERO(&own);
            CPU_SET(cpu, &own);
            sched_setaffinity(0, sizeof own, &own);
        }
}

static void one_size(struct Ask of, double seconds) {
    const enum Figure figure = of.table->figure;
    const int is_rate = figure == bandwidth || figure == both_ways;
    const char* const name = seconds <= 0 ? "wrong" : is_rate ? "bytes_per_second" : "seconds";
    const double found = seconds <= 0 ? wrong_floats(&of) : measured(&of, seconds);
    if (mpi.rank != 0) return;
    printf("{\"table\": \"%s\", \"bytes\": %zu, \"%s\": %.9g, ", of.table->name, of.bytes, name,
           found);
    printf("\"straight\": %.0f, \"large\": %.0f}\n", of.straight.sent, of.straight.of);
    fflush(stdout);
}

static void run_tables(double seconds) {
    const enum Memory memory = chosen_memory();
    char* const names = strdup(word("tables", "latency"));
    if (mpi.ranks < 2 || mpi.ranks > most_ranks) refuse("tables need 2 to 64 ranks");
    straight_begin(memory);
    for (char *at = NULL, *name = strtok_r(names, ",", &at); name != NULL;
         name = strtok_r(NULL, ",", &at)) {
        const struct Table* const table = table_named(name);
        if (table == NULL) refuse("there is no such table");
        if (table->in_blocks == 0) {
            one_size((struct Ask){.table = table, .memory = memory}, seconds);
            continue;
        }
        for (const char* size = word("sizes", "8"); size != NULL && *size != 0;) {
            one_size((struct Ask){table, strtoul(size, NULL, 10), memory, {0, 0}}, seconds);
            size = strchr(size, ',');
            if (size != NULL) ++size;
        }
    }
    free(names);
}

static void read_cells(int cells[3]) {
    if (sscanf(word("cells", "64,64,64"), "%d,%d,%d", &cells[0], &cells[1], &cells[2]) != 3)
        refuse("cells are three numbers");
    for (int axis = 0; axis < 3; ++axis)
        if (cells[axis] < 1) refuse("cells are three positive numbers");
}

static int is_on(const char* name) { return strcmp(word(name, "0"), "1") == 0; }

static void run_stencil(int is_checked) {
    int cells[3];
    if (mpi.ranks > most_ranks) refuse("the stencil takes 64 ranks at most");
    read_cells(cells);
    stencil_run(chosen_memory(), cells, atoi(word("steps", "10")), is_checked);
}

static void run_hpcg(void) {
    struct HpcgChoice choice = {
        .iterations = atoi(word("iterations", "50")),
        .fills_each_colour = is_on("colours"),
        .sweeps_in_order = is_on("ordered"),
        .is_checked = is_on("check"),
        .is_rated = is_on("rating"),
    };
    if (choice.iterations < 1) refuse("there is no iteration");
    read_cells(choice.cells);
    hpcg_run(chosen_memory(), &choice);
}

int main(int n, char** arguments) {
    words = arguments + 1;
    if (n < 2 || word("mpi", NULL) == NULL) {
        fputs("aureole-mpi-bench is run by `aureole bench mpi`, `stencil` and `hpcg`.\n", stderr);
        return 2;
    }
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);      /* lines in one piece: others write there too */
    alarm((unsigned)atoi(word("limit", "300"))); /* a rank that hangs ends by itself */
    mpi_start(word("mpi", ""), &n, &arguments);
    devices_open(word("devices", "any"), mpi.rank);
    pin();
    const char* const machine = straight_machine();
    const long from = straight_from();
    if (mpi.rank == 0) {
        printf("{\"machine\": \"%s\", \"straight_from\": %ld, ", machine, from);
        printf("\"version\": \"%s\", \"abi\": \"%s\", \"ranks\": %d, \"preloaded\": %s, ",
               mpi.version, mpi.abi, mpi.ranks, mpi.is_preloaded ? "true" : "false");
        printf("\"devices\": \"%s\", \"number\": %d, \"emulated\": %s}\n", devices.vendor,
               devices.count, devices.emulated ? "true" : "false");
        fflush(stdout);
    }
    const char* const run = word("run", "tables");
    if (strcmp(run, "stencil") == 0)
        run_stencil(is_on("check"));
    else if (strcmp(run, "hpcg") == 0)
        run_hpcg();
    else
        run_tables(atof(word("seconds", "0")));
    if (mpi.rank == 0) puts("{\"ended\": true}"), fflush(stdout);
    MPI(Finalize);
    return 0;
}
