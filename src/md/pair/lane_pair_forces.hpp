// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "md/pair/nonbonded_lanes.hpp"
#include "md/pair/pair_settings.hpp"
#include "md/pair/read_columns.hpp"

namespace aureole::md {

/// All pair forces over full lists of neighbours, on any device: tables and kernels of each
/// potential, and what kernels read of a particle beside its coordinates. ClusterPairForces does
/// the same over cluster lists.
template <class T>
class LanePairForces {
  public:
    LanePairForces(device::Queue& queue, const PairSettings& settings);

    /// Fills the kernels' copies of particles' columns, after a sort.
    void place(Particles& particles, Site<T>* site);
    /// Takes columns that change with steps as they are now, for forces of a new step.
    void take_columns(Particles& particles);
    /// Writes forces [n]. Returns a sum for each potential, then for dispersion with repulsion and
    /// for charges; none where only forces are wanted.
    std::vector<EnergyVirial> add(const LaneParticles<T>& of, core::Vec3<T>* force, PairWant want);
    /// [n] energy and virial of each particle, half of every pair's to each; local order.
    std::vector<EnergyVirial> of_particles(const LaneParticles<T>& of);

  private:
    struct Kernels {
        device::Buffer<T> rows;
        const LaneKernelTable<T>* table;
        device::Buffer<T> columns{};  ///< [n][numbers that the potential reads]
    };

    void pack_columns(std::size_t k, const Particles& particles,
                      const std::vector<std::string>* alone);
    void write_forces(const LaneParticles<T>& of, core::Vec3<T>* force);
    LaneJob<T> job_of(std::size_t k, const LaneParticles<T>& of, core::Vec3<T>* force,
                      PairSums* sums);
    ChargedLaneKernel<T> charged_kernel() const;
    void run(std::size_t k, const LaneParticles<T>& of, core::Vec3<T>* force, PairSums* sums);
    template <class Value, class Read>
    Value total(const Read& read);

    device::Queue& queue_;
    const PairSettings settings_;
    const ChangingColumns changing_;
    std::int64_t n_ = 0;
    std::vector<Kernels> kernels_;  ///< of each potential
    std::optional<NonbondedLanes<T>> nonbonded_;
    device::Buffer<PairSums> sums_;  ///< [n] working memory
    device::Buffer<NonbondedPairSums> nonbonded_sums_;
    device::Buffer<NonbondedPairSums> total_;
};

extern template class LanePairForces<float>;
extern template class LanePairForces<double>;

}  // namespace aureole::md
