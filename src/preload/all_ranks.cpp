// SPDX-License-Identifier: Apache-2.0
#include "preload/all_ranks.hpp"

#include <sched.h>
#include <unistd.h>

#include <chrono>
#include <string>

#include "preload/abi.hpp"
#include "preload/mpi.hpp"
#include "preload/report.hpp"

namespace aureole::preload {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds patience{10};

/// Some ranks speak for all: 0, 1, 2, 4 and so on, as it may be any of them that does not take
/// part.
void tell_waiting() {
    int rank = 0;
    mpi.comm_rank(abi().comm_world, &rank);
    if ((rank & (rank - 1)) != 0) return;
    say("rank " + std::to_string(rank) + " has waited for 10 s in MPI_Init for all ranks to take " +
        "part in a communicator of ours, and goes on waiting. With --all-ranks " +
        "(AUREOLE_MPI_ALL_RANKS=1) every rank of the job has to run under aureole-mpi with this " +
        "option. One may run without it, be linked statically or set-uid, have " +
        "AUREOLE_PRELOAD=off, or not have called MPI_Init. Start all ranks alike, or leave the " +
        "option out.");
}

}  // namespace

Handle duplicate_world() {
    Handle made = 0, request = 0;
    if (mpi.comm_idup(abi().comm_world, &made, &request) != 0) return 0;
    const auto late = Clock::now() + patience;
    bool is_told = false;
    for (int is_done = 0, turn = 0;; ++turn) {
        OwnStatus status;
        mpi.test(&request, &is_done, status.data());
        if (is_done != 0) return abi().at(&made, 0);
        if (turn < 1000)
            sched_yield();
        else
            usleep(1000);
        if (is_told || Clock::now() < late) continue;
        tell_waiting();
        is_told = true;
    }
}

}  // namespace aureole::preload
