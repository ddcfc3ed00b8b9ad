/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "straight.h"

#include <dlfcn.h>

#include "mpi_calls.h"

enum { greetings = 6, tag = 3 };

static long last; /* what the library counted when it was asked last */

static void* asked(const char* function) {
    return mpi.is_preloaded ? dlsym(RTLD_DEFAULT, function) : NULL;
}

const char* straight_machine(void) {
    const char* (*ask)(const void*);
    *(void**)&ask = asked("aureole_mpi_machine");
    if (ask == NULL || devices.count == 0) return "";
    void* const memory = memory_take(in_device, 1);
    const char* const found = ask(memory);
    memory_give(in_device, memory);
    return found == NULL ? "" : found;
}

long straight_from(void) {
    static long found = -2; /* not asked yet */
    if (found != -2) return found;
    long (*ask)(const void*);
    *(void**)&ask = asked("aureole_mpi_straight_from");
    if (ask == NULL || devices.count == 0) return found = -1;
    void* const memory = memory_take(in_device, 1);
    found = ask(memory);
    memory_give(in_device, memory);
    return found;
}

void straight_begin(enum Memory memory) {
    const long bytes = straight_from();
    if (memory == in_host || bytes < 0 || mpi.ranks < 2) return;
    void* const buffer = memory_take(memory, (size_t)bytes + 3);
    /* Behind each other: an answer is seen at the next message at the earliest. */
    for (int k = 0; k < greetings && mpi.rank < 2; ++k) {
        const int n = (int)(bytes + 3) / 4;
        if (mpi.rank == k % 2)
            MPI(Send, buffer, n, mpi.of_float, 1 - mpi.rank, tag, mpi.world);
        else
            MPI(Recv, buffer, n, mpi.of_float, 1 - mpi.rank, tag, mpi.world, mpi.ignored);
    }
    memory_give(memory, buffer);
    straight_since(memory, 0);
}

struct Straight straight_since(enum Memory memory, double large) {
    struct Straight found = {0, 0};
    long (*ask)(void);
    *(void**)&ask = asked("aureole_mpi_sent_straight");
    if (ask == NULL || memory == in_host) return found;
    const long now = ask();
    found.sent = sum_of((double)(now - last)), found.of = sum_of(large);
    last = now;
    return found;
}
