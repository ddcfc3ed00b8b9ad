// SPDX-License-Identifier: Apache-2.0
#include "preload/group.hpp"

#include "preload/abi.hpp"
#include "preload/mpi.hpp"

namespace aureole::preload {

int Group::rank() {
    if (rank_ < 0) mpi.comm_rank(comm_, &rank_);
    return rank_;
}

int Group::size() {
    if (size_ < 0) mpi.comm_size(comm_, &size_);
    return size_;
}

bool Group::is_inter() {
    if (is_inter_ < 0) mpi.comm_test_inter(comm_, &is_inter_);
    return is_inter_ != 0;
}

const Peers& Group::peers() {
    if (peers_.n < 0) {
        if (is_inter())
            mpi.comm_remote_size(comm_, &peers_.n);
        else
            peers_.n = size();
    }
    return peers_;
}

bool Group::is_root(int root) { return is_inter() ? root == abi().root : rank() == root; }

bool Group::takes_part(int root) {
    return !is_root(root) && !(is_inter() && root == abi().proc_null);
}

bool Group::faces(int root) { return takes_part(root) || (!is_inter() && is_root(root)); }

const Group::Neighbours& Group::neighbours() {
    if (neighbours_.are_known) return neighbours_;
    neighbours_.are_known = true;
    int kind = abi().undefined, n = 0, ignored = 0;
    mpi.topo_test(comm_, &kind);
    if (kind == abi().cart) {
        ask_grid();
    } else if (kind == abi().graph) {
        mpi.graph_neighbors_count(comm_, rank(), &n);
        neighbours_.sources.n = neighbours_.destinations.n = n;
    } else if (kind == abi().dist_graph) {
        mpi.dist_graph_neighbors_count(comm_, &neighbours_.sources.n, &neighbours_.destinations.n,
                                       &ignored);
    }
    return neighbours_;
}

void Group::ask_grid() {
    int dimensions = 0;
    mpi.cartdim_get(comm_, &dimensions);
    Peers& all = neighbours_.sources;
    all.n = 2 * dimensions;
    bool is_any = false;
    for (int d = 0; d < dimensions; ++d) {
        int before = 0, behind = 0;
        mpi.cart_shift(comm_, d, 1, &before, &behind);
        for (const int neighbour : {before, behind}) {
            all.absent.push_back(neighbour == abi().proc_null);
            is_any = is_any || all.absent.back();
        }
    }
    if (!is_any) all.absent.clear();
    neighbours_.destinations = all;
}

}  // namespace aureole::preload
