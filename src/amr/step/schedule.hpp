// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "amr/mesh.hpp"
#include "device/queue.hpp"

namespace aureole::amr {

/// How the equations are solved. Names are those of leaf files.
struct Scheme {
    std::string reconstruct = "plm", riemann = "hllc";
    int stages =
        2;  ///< 2 or 3, of the strong-stability-preserving Runge-Kutta methods (Shu & Osher 1988)
    double cfl = 0.4;
};

/// Weights of the stages; see advanced() in state.hpp.
std::vector<double> weights(int stages);

/// A cell that has left the physical range.
struct BadCell {
    std::int64_t block = -1;
    int cell = 0;
    const char* field = "";  ///< "density" or "pressure"
    double value = 0;
};

/// The state of all cells, and how a step is carried out.
class Schedule {
  public:
    virtual ~Schedule() = default;

    /// Conserved fields, [block][field][cell]. Returns the first bad cell, if any.
    virtual BadCell set(const std::vector<double>& conserved) = 0;
    virtual std::vector<double> get() = 0;
    /// Σ over axes of (|v| + c) / Δx, the largest of all cells.
    virtual double signal_rate() = 0;
    /// One step. Where a cell goes bad, the state is that before the step.
    virtual BadCell step(double dt) = 0;
};

std::unique_ptr<Schedule> make_subgrids(device::Queue& queue, const Mesh& mesh, double gamma,
                                        const Scheme& scheme);

}  // namespace aureole::amr
