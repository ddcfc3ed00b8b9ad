// SPDX-License-Identifier: Apache-2.0
#include "preload/world.hpp"

#include <algorithm>
#include <numeric>

#include "preload/abi.hpp"
#include "preload/agreement.hpp"
#include "preload/mpi.hpp"

namespace aureole::preload {

int rank_in(Handle comm) {
    int rank = -1;
    if (abi().own(comm) != abi().comm_null) mpi.comm_rank(comm, &rank);
    return rank;
}

int size_in(Handle comm) {
    int size = 0;
    if (abi().own(comm) != abi().comm_null) mpi.comm_size(comm, &size);
    return size;
}

bool ranks_of(Handle comm, int& rank, int& size) {
    int is_inter = 1;
    return mpi.comm_test_inter(comm, &is_inter) == 0 && is_inter == 0 &&
           mpi.comm_rank(comm, &rank) == 0 && mpi.comm_size(comm, &size) == 0;
}

namespace {

/// Ranks in MPI_COMM_WORLD, or negative numbers.
void translate(Handle comm, int n, const int* ranks, int* found) {
    Handle own = 0, world = 0;
    mpi.comm_group(comm, &own);
    mpi.comm_group(abi().comm_world, &world);
    mpi.group_translate_ranks(abi().at(&own, 0), n, ranks, abi().at(&world, 0), found);
    mpi.group_free(&own), mpi.group_free(&world);
}

}  // namespace

int world_rank(Handle comm, int rank) {
    comm = abi().own(comm);
    if (comm == abi().comm_world || (comm != 0 && comm == agreement().world())) return rank;
    int self = 0, size = 0, found = -1;
    if (comm == abi().comm_null || !ranks_of(comm, self, size) || rank < 0 || rank >= size)
        return -1;
    translate(comm, 1, &rank, &found);
    return found;
}

std::vector<int> world_ranks(Handle comm) {
    int self = 0, size = 0;
    if (abi().own(comm) == abi().comm_null || !ranks_of(comm, self, size)) return {};
    std::vector<int> ranks(static_cast<std::size_t>(size)), found(ranks.size());
    std::iota(ranks.begin(), ranks.end(), 0);
    translate(comm, size, ranks.data(), found.data());
    const bool are_all = std::ranges::all_of(found, [](int rank) { return rank >= 0; });
    return are_all ? found : std::vector<int>();
}

}  // namespace aureole::preload
