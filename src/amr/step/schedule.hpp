// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "amr/mesh.hpp"
#include "amr/step/clock.hpp"
#include "device/queue.hpp"

namespace aureole::amr {

/// How the equations are solved. Names are those of leaf files.
struct Scheme {
    std::string reconstruct = "plm", riemann = "hllc";
    int stages = 2;  ///< 2 or 3, of the strong-stability-preserving Runge-Kutta methods
    double cfl = 0.4;
};

/// Weights of the stages; see advanced() in state.hpp.
std::vector<double> weights(int stages);

/// The state of all cells, and how steps are carried out.
class Schedule {
  public:
    virtual ~Schedule() = default;

    /// Conserved fields, [block][field][cell], of physical cells.
    virtual void set(const std::vector<double>& conserved) = 0;
    virtual std::vector<double> get() = 0;
    /// Makes steps as the clock says, until it says no more. Where a cell goes bad, the state and
    /// the clock are those before that step.
    virtual void advance(Clock& clock) = 0;
};

std::unique_ptr<Schedule> make_subgrids(device::Queue& queue, const Mesh& mesh, double gamma,
                                        const Scheme& scheme);
/// `by_lanes`: as on GPUs (for tests), where hosts use vectors of sub-grids.
std::unique_ptr<Schedule> make_pack(device::Queue& queue, const Mesh& mesh, double gamma,
                                    const Scheme& scheme, bool by_lanes);

}  // namespace aureole::amr
