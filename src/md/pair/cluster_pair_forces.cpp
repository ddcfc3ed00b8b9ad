// SPDX-License-Identifier: Apache-2.0
#include "md/pair/cluster_pair_forces.hpp"

#include "device/launch.hpp"
#include "device/reduce_ops.hpp"

namespace aureole::md {

namespace {

/// Σ r ⊗ F of the kernels' coordinates and the forces in their blocks, made symmetric.
template <class T>
struct SumMoments {
    using device_kernel = typename Packed<T>::device_kernel;
    Packed<T> layout;

    core::Sym3d operator()(std::int64_t i) const {
        const auto r = layout.coordinates(i);
        const auto f = layout.read_force(i);
        const core::Vec3d force{double(f.x), double(f.y), double(f.z)};
        return symmetric_outer(r, force);
    }
};

}  // namespace

template <class T>
ClusterPairForces<T>::ClusterPairForces(device::Queue& queue, const PairSettings& settings)

    : queue_(queue),
      settings_(settings),
      changing_(settings.forces, settings.changing),
      moments_(queue, 1) {
    for (const auto& force : settings.forces) {
        const auto kernels = force.potential().kernels();
        if constexpr (std::is_same_v<T, float>)
            kernels_.push_back({force.tables<T>(), kernels.mixed});
        else
            kernels_.push_back({force.tables<T>(), kernels.full});
    }
    if (settings.nonbonded)
        nonbonded_.emplace(*settings.nonbonded), far_exclusions_.emplace(*settings.nonbonded);
}

template <class T>
void ClusterPairForces<T>::load_particles(Particles& particles, const ExcludedPartners& exclusions,
                                          ClusterPairs<T>& list) {
    exclusions_ = exclusions;
    device::parallel_for(queue_, "types", list.slot().size,
                         [slot = list.slot().data, to = list.types().data,
                          from = particles.type.data()](std::int64_t i) { to[slot[i]] = from[i]; });
    list.exclude(exclusions);
    for (std::size_t k = 0; k < kernels_.size(); ++k) {
        const auto numbers = settings_.forces[k].potential().numbers_read();
        if (numbers == 0) continue;
        // Zeros for fillers, which are beyond every cut-off.
        auto& columns = kernels_[k].columns;
        columns.resize(queue_, std::int64_t{numbers} * cluster_size * list.clusters());
        device::fill(queue_, columns.view(), T(0));
        pack_columns(k, particles, list, nullptr);
    }
    if (nonbonded_) nonbonded_->load_particles(queue_, particles, list);
}

template <class T>
void ClusterPairForces<T>::take_columns(Particles& particles, ClusterPairs<T>& list,
                                        const BringToGhosts& bring) {
    if (changing_.names().empty()) return;
    changing_.keep(queue_, particles, bring);
    for (std::size_t k = 0; k < kernels_.size(); ++k)
        pack_columns(k, particles, list, &changing_.names());
}

template <class T>
void ClusterPairForces<T>::pack_columns(std::size_t k, const Particles& particles,
                                        ClusterPairs<T>& list,
                                        const std::vector<std::string>* alone) {
    const auto& potential = settings_.forces[k].potential();
    const std::int64_t numbers = potential.numbers_read();
    for_each_column_read(particles, potential, alone, [&](const AnyColumn& column, int first) {
        with_values(column, [&]<class E>(const E* from) {
            device::parallel_for(
                queue_, "pack column", list.slot().size,
                [to = kernels_[k].columns.data(), from, slot = list.slot().data, numbers,
                 first](std::int64_t i) {
                    const std::int64_t s = slot[i], cluster = s / cluster_size;
                    put_numbers(from[i],
                                to + (cluster * numbers + first) * cluster_size + s % cluster_size,
                                cluster_size);
                });
        });
    });
}

template <class T>
void ClusterPairForces<T>::list_found(const core::Box& box, Particles& particles,
                                      const ZoneRule& rule, ClusterPairs<T>& list) {
    if (!far_exclusions_) return;
    far_exclusions_->find(queue_, box, particles, rule, exclusions_, list);
    if (beyond_list()) list.mark_all(0);
}

template <class T>
void ClusterPairForces<T>::list_pruned(ClusterPairs<T>& list) {
    if (far_exclusions_) far_exclusions_->find_tiles(queue_, list);
}

/// One pass over the list: a chunk of it, while caches hold it, for one potential after the other.
template <class T>
std::vector<EnergyVirial> ClusterPairForces<T>::run(KernelVariant variant, ClusterPairs<T>& list) {
    const auto potentials = kernels_.size(), terms = potentials + (nonbonded_ ? 2 : 0);
    std::vector<EnergyVirial> sums(terms);
    if (terms == 0) return sums;
    chunk_sums_.resize(static_cast<std::size_t>(list.chunks()) * terms);
    const auto charged = charged_kernel(variant);
    list.for_chunks("pair forces", [&](const ClusterWork<T>& work, int chunk) {
        auto* const of_chunk = chunk_sums_.data() + static_cast<std::size_t>(chunk) * terms;
        NonbondedTotal total;
        if (charged != nullptr) {
            ChargedJob<T> job{job_of(0, work), nonbonded_->own(), nonbonded_->numbers()};
            charged(job);
            of_chunk[0] = job.total, total.coulomb = job.coulomb;
        } else if (nonbonded_) {
            total = nonbonded_->run(work, variant);
        }
        for (std::size_t k = charged != nullptr ? 1 : 0; k < potentials; ++k)
            of_chunk[k] = run_chunk(k, variant, work);
        if (nonbonded_) of_chunk[potentials] = total.vdw, of_chunk[potentials + 1] = total.coulomb;
    });
    for (std::size_t k = 0; k < chunk_sums_.size(); ++k) sums[k % terms] += chunk_sums_[k];
    return sums;
}

/// Kernel of the first potential with the charges, or null where charges are computed apart.
template <class T>
ChargedKernel<T> ClusterPairForces<T>::charged_kernel(KernelVariant variant) const {
    if (!settings_.charges_with_first()) return nullptr;
    const auto modifier = static_cast<int>(settings_.forces[0].modifier());
    const auto kind = static_cast<int>(settings_.nonbonded->spec().coulomb);
    return kernels_[0].table->charged[modifier][kind][static_cast<int>(variant)];
}

template <class T>
ClusterJob<T> ClusterPairForces<T>::job_of(std::size_t k, const ClusterWork<T>& work) const {
    const auto& [rows, table, columns] = kernels_[k];
    return {work, {rows.data(), settings_.forces[k].spec().n_types}, columns.data(), {}};
}

template <class T>
EnergyVirial ClusterPairForces<T>::run_chunk(std::size_t k, KernelVariant variant,
                                             const ClusterWork<T>& work) const {
    const auto& force = settings_.forces[k];
    const auto types = static_cast<int>(type_count(force.spec().n_types));
    const auto kernel =
        kernels_[k]
            .table->kernel[static_cast<int>(force.modifier())][types][static_cast<int>(variant)];
    auto job = job_of(k, work);
    kernel(job);
    return job.total;
}

template <class T>
std::vector<EnergyVirial> ClusterPairForces<T>::add(const core::Box& box,
                                                    const Particles& particles,
                                                    ClusterPairs<T>& list, PairWant want) {
    if (want == PairWant::virial && nonbonded_ && kernels_.empty())
        return {add_with_virial(box, particles, list)};
    const bool terms = want != PairWant::forces;
    if (terms) list.clear_forces();
    auto sums = run(terms ? KernelVariant::force_energy : KernelVariant::force, list);
    if (nonbonded_) {
        sums.back().energy += nonbonded_->self_energy();
        sums.back() += far_exclusions_->add(queue_, box, particles, list);
    }
    return terms ? sums : std::vector<EnergyVirial>{};
}

/// Without the energies of pairs of molecules, which cost as much again.
template <class T>
EnergyVirial ClusterPairForces<T>::add_with_virial(const core::Box& box, const Particles& particles,
                                                   ClusterPairs<T>& list) {
    const auto shifts = nonbonded_->run_for_virial(list);
    device::parallel_reduce<core::Sym3d>(queue_, "moments", list.slot().size, core::Sym3d{},
                                         SumMoments<T>{list.packed()}, device::Sum{},
                                         moments_.data());
    EnergyVirial sum;
    device::copy_to_host(queue_, &sum.virial, moments_.view());
    for (int s = 0; s < shift_count; ++s) {
        const auto n = lattice_of_shift(s);
        sum.virial += symmetric_outer(box.lattice(n.x, n.y, n.z), shifts.of[s]);
    }
    sum.virial += far_exclusions_->add(queue_, box, particles, list).virial;
    return sum;
}

template <class T>
std::vector<EnergyVirial> ClusterPairForces<T>::of_particles(const core::Box& box,
                                                             const Particles& particles,
                                                             ClusterPairs<T>& list) {
    const auto n = static_cast<std::size_t>(particles.all());
    std::vector<EnergyVirial> sums(n);
    std::vector<ColumnsRead> columns;
    for (const auto& force : settings_.forces)
        columns.emplace_back(queue_, particles, force.potential());
    device::host_task(
        queue_, "particle sums",
        [&, x = list.coordinates().data, r = particles.position.data(), type = list.types().data,
         charge = particles.charge.size() > 0 ? particles.charge.data() : nullptr,
         slot = list.slot().data](device::ThreadPool&) {
            std::vector<std::int64_t> particle(static_cast<std::size_t>(list.clusters()) * 4, -1);
            for (std::size_t i = 0; i < n; ++i) particle[slot[i]] = static_cast<std::int64_t>(i);
            const auto at = [x](std::int32_t s) {
                return core::Vec3d{double(x[block_index(s, 0)]), double(x[block_index(s, 1)]),
                                   double(x[block_index(s, 2)])};
            };
            list.for_each_pair(
                [&](std::int32_t si, std::int32_t sj, std::int32_t shift, bool interact) {
                    const auto i = particle[si], j = particle[sj];
                    if (i < 0 || j < 0) return;
                    const auto s = lattice_of_shift(shift);
                    const auto d = at(si) + box.lattice(s.x, s.y, s.z) - at(sj);
                    const double r2 = dot(d, d);
                    const auto add_half = [&](const PairValue<double>& pair) {
                        const EnergyVirial half{0.5 * pair.energy,
                                                core::outer(0.5 * pair.force_over_r, d)};
                        sums[i] += half, sums[j] += half;
                    };
                    if (interact)
                        for (std::size_t k = 0; k < columns.size(); ++k)
                            add_half(settings_.forces[k].evaluate(type[si], type[sj],
                                                                  columns[k].pair(i, j, d)));
                    if (nonbonded_) {
                        const double qq = charge != nullptr ? charge[i] * charge[j] : 0;
                        const auto value =
                            settings_.nonbonded->evaluate(type[si], type[sj], qq, r2, !interact);
                        add_half(value.vdw), add_half(value.coulomb);
                    }
                });
            if (!far_exclusions_) return;
            std::vector<EnergyVirial> of_far(n);
            far_exclusions_->add_contributions(box, r, list, of_far);
            for (std::size_t i = 0; i < n; ++i) sums[i] += of_far[i];
        });
    queue_.synchronize();
    return sums;
}

template class ClusterPairForces<float>;
template class ClusterPairForces<double>;

}  // namespace aureole::md
