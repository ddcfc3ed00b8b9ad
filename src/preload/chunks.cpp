// SPDX-License-Identifier: Apache-2.0
#include "preload/chunks.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include "preload/abi.hpp"
#include "preload/mpi.hpp"
#include "preload/settings.hpp"

namespace aureole::preload {

void Chunks::begin(Handle comm, bool is_everybody) {
    mpi.comm_rank(comm, &rank_);
    mpi.comm_size(comm, &size_);
    if (rank_ == 0) {
        const bool is_random = syscall(SYS_getrandom, terms_.token.data(), sizeof terms_.token,
                                       0) == sizeof terms_.token;
        // Checks compare buffers with their copies on the host.
        terms_.from = is_random && !is_checking ? settings().chunks_from : -1;
        terms_.chunk = settings().chunk_bytes;
    }
    mpi.bcast(&terms_, sizeof terms_, abi().byte, 0, comm);
    int threads = 0;
    mpi.query_thread(&threads);
    is_threaded_ = threads >= abi().thread_multiple;
    is_everybody_ = is_everybody;
    comm_ = comm;
}

Chunks& chunks() {
    static auto* const only = new Chunks;  // outlives MPI's threads
    return *only;
}

}  // namespace aureole::preload
