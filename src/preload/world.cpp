// SPDX-License-Identifier: Apache-2.0
#include "preload/world.hpp"

#include "preload/abi.hpp"
#include "preload/mpi.hpp"

namespace aureole::preload {

int world_rank(Handle comm, int rank) {
    comm = abi().own(comm);
    if (comm == abi().comm_world) return rank;
    int size = 0, is_inter = 1;
    if (comm == abi().comm_null) return -1;
    mpi.comm_test_inter(comm, &is_inter);
    mpi.comm_size(comm, &size);
    if (is_inter != 0 || rank < 0 || rank >= size) return -1;
    Handle own = 0, world = 0;
    int found = -1;
    mpi.comm_group(comm, &own);
    mpi.comm_group(abi().comm_world, &world);
    mpi.group_translate_ranks(abi().at(&own, 0), 1, &rank, abi().at(&world, 0), &found);
    mpi.group_free(&own), mpi.group_free(&world);
    return found;
}

}  // namespace aureole::preload
