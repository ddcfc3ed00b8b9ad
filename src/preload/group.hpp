// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "preload/handle.hpp"

namespace aureole::preload {

/// The processes that a collective call exchanges blocks with.
struct Peers {
    int n = 0;
    std::vector<bool> absent = {};  ///< neighbours that a grid does not have; empty: all are there

    bool is_absent(int k) const { return !absent.empty() && absent[static_cast<std::size_t>(k)]; }
};

/// Ranks and sizes of a communicator, asked for when they are needed.
class Group {
  public:
    explicit Group(Handle comm) : comm_(comm) {}

    int rank();
    int size();
    /// All ranks, or those of the other group of an inter-communicator.
    const Peers& peers();
    /// Neighbours of a topology, from which blocks come and to which they go.
    const Peers& sources() { return neighbours().sources; }
    const Peers& destinations() { return neighbours().destinations; }

    /// Of a rooted collective: whether this process is the root, and whether it takes part without
    /// being the root. In an inter-communicator the root's group passes MPI_ROOT and MPI_PROC_NULL.
    bool is_root(int root);
    bool takes_part(int root);
    /// Whether this process sends to, or receives from, the root.
    bool faces(int root);

  private:
    struct Neighbours {
        bool are_known = false;
        Peers sources, destinations;
    };
    bool is_inter();
    const Neighbours& neighbours();
    void ask_grid();

    Handle comm_;
    int rank_ = -1, size_ = -1, is_inter_ = -1;
    Peers peers_{-1};
    Neighbours neighbours_;
};

}  // namespace aureole::preload
