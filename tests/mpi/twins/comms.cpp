// SPDX-License-Identifier: Apache-2.0
#include "comms.hpp"

namespace twins {
namespace {

constexpr int bridge_tag = 77;

}  // namespace

Comms::Comms(Rng rng, int threads) {
    set_doing("making communicators");
    int rank = 0, size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm handle;
    MPI_Comm_dup(MPI_COMM_WORLD, &handle);
    add(intra, handle, "dup");
    MPI_Comm_split(MPI_COMM_WORLD, 0, rng.permutation(size)[rank], &handle);
    add(intra, handle, "reordered");
    std::vector<int> colours;
    for (int i = 0; i < size; ++i) colours.push_back(static_cast<int>(rng.below(2)));
    MPI_Comm_split(MPI_COMM_WORLD, colours[rank], -rank, &handle);
    add(intra, handle, "part");
    if (size > 1) add_inter(rng);
    add_cartesian(rng);
    add_graph(rng);
    for (int i = 0; i < threads; ++i) {
        MPI_Comm_dup(MPI_COMM_WORLD, &handle);
        add(of_threads, handle, "thread " + std::to_string(i));
    }
}

Comms::~Comms() {
    set_doing("freeing communicators");
    for (auto* list : {&intra, &inter, &topologies, &of_threads})
        for (auto& comm : *list) MPI_Comm_free(&comm.handle);
}

void Comms::add(std::vector<Comm>& list, MPI_Comm handle, const std::string& name) {
    Comm comm;
    comm.handle = handle;
    comm.name = name;
    MPI_Comm_rank(handle, &comm.rank);
    MPI_Comm_size(handle, &comm.size);
    MPI_Comm_set_errhandler(handle, MPI_ERRORS_RETURN);
    int inter_comm = 0;
    MPI_Comm_test_inter(handle, &inter_comm);
    if (inter_comm) MPI_Comm_remote_size(handle, &comm.remote);
    list.push_back(comm);
}

void Comms::add_inter(Rng& rng) {
    int rank = 0, size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int firsts = static_cast<int>(rng.between(1, size - 1));
    const bool first = rank < firsts;
    MPI_Comm half, handle;
    MPI_Comm_split(MPI_COMM_WORLD, first, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, first ? firsts : 0, bridge_tag, &handle);
    MPI_Comm_free(&half);
    add(inter, handle, "inter " + std::to_string(firsts) + "+" + std::to_string(size - firsts));
    inter.back().first = first;
}

void Comms::add_cartesian(Rng& rng) {
    int size = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int dims = static_cast<int>(rng.between(1, 2));
    int extents[2] = {0, 0};
    MPI_Dims_create(size, dims, extents);
    const int periods[2] = {static_cast<int>(rng.below(2)), static_cast<int>(rng.below(2))};
    MPI_Comm handle;
    MPI_Cart_create(MPI_COMM_WORLD, dims, extents, periods, 0, &handle);
    std::string name = "cartesian";
    for (int d = 0; d < dims; ++d)
        name += " " + std::to_string(extents[d]) + (periods[d] ? "p" : "");
    add(topologies, handle, name);
}

void Comms::add_graph(Rng& rng) {
    int rank = 0, size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    std::vector<int> sources, targets;
    for (int from = 0; from < size; ++from) {
        for (int to = 0; to < size; ++to) {
            if (!rng.percent(50)) continue;
            if (from == rank) targets.push_back(to);
            if (to == rank) sources.push_back(from);
        }
    }
    MPI_Comm handle;
    // MPI_WEIGHTS_EMPTY is for lists without edges.
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, static_cast<int>(sources.size()), sources.data(),
                                   MPI_UNWEIGHTED, static_cast<int>(targets.size()), targets.data(),
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &handle);
    add(topologies, handle,
        "graph with " + std::to_string(sources.size()) + " sources and " +
            std::to_string(targets.size()) + " targets");
}

}  // namespace twins
