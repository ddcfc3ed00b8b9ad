// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "md/external/external_spec.hpp"
#include "md/external/registry.hpp"
#include "md/neighbor/cluster_job.hpp"
#include "md/particles/particles.hpp"

namespace aureole::md {

/// Conditions that external forces depend on besides the particles.
struct ExternalConditions {
    const StepState* state;  ///< with the box
    double start, dt;
};

/// The external forces of a simulation.
class ExternalForces {
  public:
    ExternalForces(device::Queue& queue, Particles& particles,
                   const std::vector<ExternalSpec>& specs);

    /// Adds forces to those of the kernels' layout, and writes the sums of each force to `sums` in
    /// device memory, unless that is null; returns where they end.
    template <class KernelLayout>
    EnergyVirial* add(const KernelLayout& layout, const ExternalConditions& at,
                      EnergyVirial* sums) {
        for (auto& force : forces_) {
            const auto view = view_of(force, at);
            std::get<ExternalLaunches::Add<KernelLayout>>(force.kind->launches.add)(
                queue_, particles_.n, view, layout);
            if (sums != nullptr) force.kind->launches.sums(queue_, particles_.n, view, sums++);
        }
        return sums;
    }

  private:
    struct Force {
        const External* kind;
        std::vector<double> coefficients;
        std::vector<AnyColumn*> columns;
        Column<std::uint8_t>* group;  ///< null: all
    };

    ExternalView view_of(const Force& force, const ExternalConditions& at);

    device::Queue& queue_;
    Particles& particles_;
    std::vector<Force> forces_;
};

/// Calls visit(k, i, result) for force k on each particle i that it acts on, computed on the host
/// in double precision; `state` is in host memory.
void for_each_external(
    device::Queue& queue, const Particles& particles, const std::vector<ExternalSpec>& specs,
    const ExternalConditions& at,
    const std::function<void(std::size_t, std::size_t, const ExternalResult&)>& visit);

}  // namespace aureole::md
