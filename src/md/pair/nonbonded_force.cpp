// SPDX-License-Identifier: Apache-2.0
#include "md/pair/nonbonded_force.hpp"

#include "device/launch.hpp"
#include "device/reduce_ops.hpp"

namespace aureole::md {

template <class T>
void NonbondedForce<T>::load_particles(device::Queue& queue, Particles& particles,
                                       ClusterPairs<T>& pairs) {
    own_.resize(queue, static_cast<std::int64_t>(pairs.clusters()) * block_size);
    device::fill(queue, own_.view(), T(0));
    const double* charge = particles.charge.in_use() ? particles.charge.data() : nullptr;
    std::vector<NonbondedOwn> of_type;
    for (int t = 0; t < nonbonded_.spec().n_types; ++t) of_type.push_back(nonbonded_.own(t, 1));
    device::parallel_for(queue, "particle parameters", pairs.slot().size,
                         [charge, type = particles.type.data(), slot = pairs.slot().data,
                          own = own_.data(), of_type = of_type.data()](std::int64_t i) {
                             const auto& numbers = of_type[type[i]];
                             const double q = charge != nullptr ? charge[i] : 0;
                             T* to = own + block_index(slot[i], 0);
                             to[0] = static_cast<T>(q * numbers.charge);
                             to[4] = static_cast<T>(numbers.a);
                             to[8] = static_cast<T>(numbers.b);
                         });
    queue.synchronize();
    if (charge == nullptr) return;
    if (!nonbonded_.spec().has_self_energy()) return;
    // Excluded pairs cancel most of it, so it comes from the kernels' own numbers, as rounded.
    const double factor = of_type.front().charge;
    double squares = 0;
    for (const double q : download(queue, particles.charge)) {
        const auto rounded = static_cast<double>(static_cast<T>(q * factor));
        squares += rounded * rounded;
    }
    self_energy_ = -0.5 * squares * static_cast<double>(tables_.numbers.coulomb_shift);
}

template <class T>
NonbondedTotal NonbondedForce<T>::run(const ClusterWork<T>& work, KernelVariant variant) const {
    NonbondedJob<T> job{work, own_.data(), &tables_.numbers, {}, nullptr};
    nonbonded_kernels().of<T>(nonbonded_.form(), variant)(job);
    return job.total;
}

template <class T>
ShiftForces NonbondedForce<T>::run_for_virial(ClusterPairs<T>& pairs) {
    const auto kernel = nonbonded_kernels().of<T>(nonbonded_.form(), KernelVariant::force);
    chunk_shift_.assign(static_cast<std::size_t>(pairs.chunks()), {});
    pairs.for_chunks("non-bonded force", [&](const ClusterWork<T>& work, int chunk) {
        NonbondedJob<T> job{work,
                            own_.data(),
                            &tables_.numbers,
                            {},
                            &chunk_shift_[static_cast<std::size_t>(chunk)]};
        kernel(job);
    });
    ShiftForces total;
    for (const auto& part : chunk_shift_) total += part;
    return total;
}

template class NonbondedForce<float>;
template class NonbondedForce<double>;

}  // namespace aureole::md
