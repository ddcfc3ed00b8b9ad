// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "md/pair/flat_nonbonded.hpp"
#include "md/pair/pair_settings.hpp"
#include "md/pair/particle_columns.hpp"

namespace aureole::md {

/// All pair forces over full lists of neighbours, on any device: tables and kernels of each
/// potential, and what kernels read of a particle beside its coordinates. ClusterPairForces does
/// the same over cluster lists.
template <class T>
class FlatPairForces {
  public:
    FlatPairForces(device::Queue& queue, const PairSettings& settings);

    /// Fills the kernels' copies of particles' columns, after a sort.
    void load_particles(Particles& particles, std::int64_t rows, Site<T>* site);
    /// Takes columns that change with steps as they are now, for forces of a new step.
    void take_columns(Particles& particles, const BringToGhosts& bring);
    /// With other ranks: lets ghosts have what potentials read of them, before there are any.
    void put_columns_on_ghosts(Particles& particles) {
        put_on_ghosts(particles, settings_.forces, changing_);
        changing_.keep_first(queue_, particles);
    }
    /// Adds the forces on particles and ghosts.
    void add(const FlatParticles<T>& of, const FixedForces& force);
    /// Writes sums to device memory: one for each potential, then for dispersion with repulsion and
    /// for charges.
    void write_sums(const FlatParticles<T>& of, EnergyVirial* to);
    /// Number of sums.
    std::int64_t terms() const {
        return static_cast<std::int64_t>(kernels_.size()) + (nonbonded_ ? 2 : 0);
    }
    /// [n + ghosts] energy and virial of each, half of every pair's to each; local order.
    std::vector<EnergyVirial> of_particles(const FlatParticles<T>& of);

  private:
    struct Kernels {
        device::Buffer<T> rows;
        const FlatKernelTable<T>* table;
        device::Buffer<T> columns{};  ///< [n][numbers that the potential reads]
    };

    void pack_columns(std::size_t k, const Particles& particles,
                      const std::vector<std::string>* alone);
    FlatJob<T> job_of(std::size_t k, const FlatParticles<T>& of, const FixedForces& force,
                      PairSums* sums);
    ChargedLaneKernel<T> charged_kernel() const;
    void run(std::size_t k, const FlatParticles<T>& of, const FixedForces& force, PairSums* sums);
    std::size_t run_from(std::size_t k, const FlatParticles<T>& of, const FixedForces& force);

    device::Queue& queue_;
    const PairSettings settings_;
    const ChangingColumns changing_;
    std::int64_t n_ = 0;            ///< with ghosts
    std::vector<Kernels> kernels_;  ///< of each potential
    std::optional<FlatNonbonded<T>> nonbonded_;
    device::Buffer<PairSums> sums_;  ///< [n] working memory
    device::Buffer<NonbondedPairSums> nonbonded_sums_;
    device::Buffer<NonbondedPairSums> total_;
};

extern template class FlatPairForces<float>;
extern template class FlatPairForces<double>;

}  // namespace aureole::md
