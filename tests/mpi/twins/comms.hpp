// SPDX-License-Identifier: Apache-2.0
// The communicators on which programs run, made anew for every hundred programs.
#pragma once

#include "run.hpp"

namespace twins {

class Comms {
  public:
    explicit Comms(Rng rng, int threads);
    ~Comms();
    Comms(const Comms&) = delete;
    Comms& operator=(const Comms&) = delete;

    /// Duplicates, parts and reorderings of the world, in which this rank takes part.
    std::vector<Comm> intra;
    /// Between parts of the world; none on one rank.
    std::vector<Comm> inter;
    /// Cartesian and graph topologies.
    std::vector<Comm> topologies;
    /// Duplicates of the world, one a thread.
    std::vector<Comm> of_threads;

  private:
    void add(std::vector<Comm>& list, MPI_Comm handle, const std::string& name);
    void add_inter(Rng& rng);
    void add_cartesian(Rng& rng);
    void add_graph(Rng& rng);
};

}  // namespace twins
