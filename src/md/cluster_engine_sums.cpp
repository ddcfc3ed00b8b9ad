// SPDX-License-Identifier: Apache-2.0
#include "device/copy.hpp"
#include "device/launch.hpp"
#include "device/reduce_ops.hpp"
#include "md/cluster_engine.hpp"

// What each particle has of the sums.
namespace aureole::md {

template <class T>
ParticleSums ClusterEngine<T>::particle_sums() {
    const auto n = static_cast<std::size_t>(system_.particles.n);
    ParticleSums sums{std::vector<double>(n, 0.0), std::vector<core::Sym3d>(n)};
    device::host_task(
        queue_, "particle sums",
        [&, x = pairs_.coordinates().data, r = system_.particles.position.data(),
         type = pairs_.types().data,
         charge = system_.particles.charge.size() > 0 ? system_.particles.charge.data() : nullptr,
         slot = pairs_.slot().data](device::ThreadPool&) {
            std::vector<std::int64_t> particle(static_cast<std::size_t>(pairs_.clusters()) * 4, -1);
            for (std::size_t i = 0; i < n; ++i) particle[slot[i]] = static_cast<std::int64_t>(i);
            const auto at = [x](std::int32_t s) {
                return Vec3d{double(x[block_index(s, 0)]), double(x[block_index(s, 1)]),
                             double(x[block_index(s, 2)])};
            };
            pairs_.for_each_pair(
                [&](std::int32_t si, std::int32_t sj, std::int32_t shift, bool meet) {
                    const auto i = particle[si], j = particle[sj];
                    if (i < 0 || j < 0) return;
                    const auto s = lattice_of_shift(shift);
                    const auto d = at(si) + system_.box.lattice(s.x, s.y, s.z) - at(sj);
                    const double r2 = dot(d, d);
                    const auto add = [&](const PairValue<double>& pair) {
                        const auto virial = core::outer(0.5 * pair.force_over_r, d);
                        sums.energy[i] += 0.5 * pair.energy, sums.energy[j] += 0.5 * pair.energy;
                        sums.virial[i] += virial, sums.virial[j] += virial;
                    };
                    if (meet)
                        for (const auto& force : system_.forces)
                            add(force.evaluate(type[si], type[sj], r2));
                    if (system_.nonbonded) {
                        const double qq = charge != nullptr ? charge[i] * charge[j] : 0;
                        const auto value =
                            system_.nonbonded->evaluate(type[si], type[sj], qq, r2, !meet);
                        add(value.vdw), add(value.coulomb);
                    }
                });
            if (!far_exclusions_) return;
            std::vector<EnergyVirial> of_far(n);
            far_exclusions_->add_shares(system_.box, r, pairs_, of_far);
            for (std::size_t i = 0; i < n; ++i)
                sums.energy[i] += of_far[i].energy, sums.virial[i] += of_far[i].virial;
        });
    queue_.synchronize();
    add_particle_sums(system_.bonded, system_.box, download(queue_, system_.particles.position),
                      download_tags(queue_, system_.particles), sums.energy, sums.virial);
    return sums;
}

template class ClusterEngine<float>;
template class ClusterEngine<double>;

}  // namespace aureole::md
