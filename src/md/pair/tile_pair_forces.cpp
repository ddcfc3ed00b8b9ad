// SPDX-License-Identifier: Apache-2.0
#include "md/pair/tile_pair_forces.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "device/copy.hpp"
#include "device/launch.hpp"
#include "device/reduce_ops.hpp"
#include "md/pair/flat.kernel.hpp"
#include "md/pair/nonbonded_tiles.hpp"
#include "md/pair/tile_kernels.hpp"
#include "md/pair/tile_pair_forces.kernel.hpp"

namespace aureole::md {

namespace {

/// Warps that a thread of a processor takes at once.
constexpr std::int64_t warps_at_once = 16;

template <class Job>
void run_packed(device::Queue& queue, const Job& job, PackedTiles<Job> kernel) {
    device::host_task(queue, "tiles", [job, kernel](device::ThreadPool& pool) {
        pool.run([&](int rank) {
            const auto part = device::part_of(job.warps(), rank, pool.size(), warps_at_once);
            kernel(job, part.begin, part.end);
        });
    });
}

}  // namespace

TilePairForces::TilePairForces(device::Queue& queue, const PairSettings& settings)
    : queue_(queue), settings_(settings), total_(queue, 1) {
    if (settings.nonbonded) nonbonded_.emplace(queue, *settings.nonbonded);
    for (const auto& force : settings.forces) {
        const auto& potential = force.potential();
        if (!potential.reads.empty())
            throw core::InputError("tiles cannot compute " + std::string(potential.name),
                                   "it reads columns of the particles",
                                   "Choose algorithm=\"flat\".");
        rows_.push_back(to_device(queue, force.tables<float>()));
    }
}

void TilePairForces::load_particles(Particles& particles, std::int64_t blocks, Site<float>* site) {
    n_ = particles.n;
    device::parallel_for(queue_, "types", n_, SetTypes<float>{particles.type.data(), site});
    device::parallel_for(queue_, "fillers", tile_block * blocks - n_, SetFillers{site, n_});
    if (nonbonded_) nonbonded_->load_particles(queue_, particles, n_, tile_block * blocks);
}

PotentialTileJob TilePairForces::job_of(std::size_t k, const TileJob& tiles) const {
    const double cut = settings_.forces[k].r_cut_max();
    return {tiles, rows_[k].data(), settings_.forces[k].spec().n_types,
            static_cast<float>(cut * cut * (1 + 1e-6)), nullptr};
}

NonbondedTileJob TilePairForces::job_of_molecules(const TileJob& tiles,
                                                  const FlatParticles<float>& of) const {
    const auto flat = nonbonded_->job(of);
    return {tiles, flat.own, flat.numbers, std::max(flat.numbers.r_coulomb2, flat.numbers.r_vdw2),
            nullptr};
}

void TilePairForces::run(std::size_t k, const PotentialTileJob& job) {
    const auto& force = settings_.forces[k];
    const auto modifier = static_cast<int>(force.modifier());
    const int energy = job.sums != nullptr ? 1 : 0;
    if (queue_.backend() != device::Backend::host)
        return force.potential().flat.mixed->tiles[modifier][energy](queue_, job);
    const auto kernels = force.potential().kernels();
    run_packed(queue_, job, kernels.of_tiles->tiles[modifier][energy]);
}

void TilePairForces::run(const NonbondedTileJob& job) {
    const auto& form = settings_.nonbonded->form();
    if (queue_.backend() != device::Backend::host) return run_team_tiles(queue_, form, job);
    run_packed(queue_, job, tile_kernels().nonbonded(form.coulomb, form.end, job.sums != nullptr));
}

void TilePairForces::add(const TileJob& tiles, const FlatParticles<float>& of) {
    for (std::size_t k = 0; k < rows_.size(); ++k) run(k, job_of(k, tiles));
    if (nonbonded_) run(job_of_molecules(tiles, of));
}

ExcludedJob TilePairForces::excluded(const FlatParticles<float>& of,
                                     const FixedForces& force) const {
    if (!nonbonded_) return {};
    ExcludedJob job{nonbonded_->job(of), settings_.nonbonded->spec().coulomb, 0};
    job.of.force = force;
    if (job.of.smooth.any()) job.n = n_;
    return job;
}

void TilePairForces::write_sums(const TileJob& tiles, const FlatParticles<float>& of,
                                EnergyVirial* to) {
    const auto total = [&]<class Value>(std::int64_t single, Value* out, const Value* from) {
        device::parallel_reduce<Value>(queue_, "potential", tiles.blocks + single, Value{},
                                       SumsOfBlocks<Value>{from, tiles.blocks, tiles.parts()},
                                       device::Sum{}, out);
    };
    const auto warps = tiles.warps();
    auto* const of_one = reinterpret_cast<PairSums*>(total_.data());
    for (std::size_t k = 0; k < rows_.size(); ++k) {
        sums_.resize(queue_, warps);
        auto job = job_of(k, tiles);
        job.sums = sums_.data();
        run(k, job);
        total(0, of_one, sums_.data());
        device::parallel_for(queue_, "store sums", 1, TakePairSums{of_one, to++});
    }
    if (!nonbonded_) return;
    auto partners = excluded(of, {});
    nonbonded_sums_.resize(queue_, warps + partners.n);
    auto job = job_of_molecules(tiles, of);
    job.sums = nonbonded_sums_.data();
    run(job);
    partners.of.sums = nonbonded_sums_.data() + warps;
    sum_excluded(queue_, partners);
    total(partners.n, total_.data(), nonbonded_sums_.data());
    device::parallel_for(queue_, "store sums", 1,
                         TakeNonbondedSums{total_.data(), nonbonded_->self_energy(), to});
}

}  // namespace aureole::md
