// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "md/pair/excluded_forces.kernel.hpp"
#include "md/pair/flat_nonbonded.hpp"
#include "md/pair/pair_settings.hpp"
#include "md/pair/tile_job.hpp"

namespace aureole::md {

/// All pair forces over a list of tiles, in mixed precision. FlatPairForces does the same over full
/// lists of neighbours.
class TilePairForces {
  public:
    /// @throws core::InputError for what tiles do not serve: potentials that read columns
    TilePairForces(device::Queue& queue, const PairSettings& settings);

    /// Fills the kernels' copies of the particles, after a sort: `site` has room for whole blocks,
    /// whose last ones get fillers.
    void load_particles(Particles& particles, std::int64_t blocks, Site<float>* site);
    /// Adds the forces, but for those between excluded partners.
    void add(const TileJob& tiles, const FlatParticles<float>& of);
    /// The smooth part of the charges between these; n is 0 without.
    ExcludedJob excluded(const FlatParticles<float>& of, const FixedForces& force) const;
    /// Writes sums to device memory: one for each potential, then for dispersion with repulsion and
    /// for charges.
    void write_sums(const TileJob& tiles, const FlatParticles<float>& of, EnergyVirial* to);
    std::int64_t terms() const {
        return static_cast<std::int64_t>(rows_.size()) + (nonbonded_ ? 2 : 0);
    }

  private:
    PotentialTileJob job_of(std::size_t k, const TileJob& tiles) const;
    NonbondedTileJob job_of_molecules(const TileJob& tiles, const FlatParticles<float>& of) const;
    void run(std::size_t k, const PotentialTileJob& job);
    void run(const NonbondedTileJob& job);

    device::Queue& queue_;
    const PairSettings settings_;
    std::int64_t n_ = 0;
    std::vector<device::Buffer<float>> rows_;  ///< of each potential
    std::optional<FlatNonbonded<float>> nonbonded_;
    device::Buffer<PairSums> sums_;  ///< [warps] working memory
    device::Buffer<NonbondedPairSums> nonbonded_sums_;
    device::Buffer<NonbondedPairSums> total_;
};

}  // namespace aureole::md
