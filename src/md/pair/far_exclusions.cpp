// SPDX-License-Identifier: Apache-2.0
#include "md/pair/far_exclusions.hpp"

#include <cmath>

#include "core/nearest_image.hpp"
#include "device/launch.hpp"

namespace aureole::md {

template <class T>
FarExclusions<T>::FarExclusions(const Nonbonded& nonbonded)
    : wanted_(nonbonded.spec().coulomb == Coulomb::ewald),
      r_cut_(nonbonded.spec().r_coulomb),
      beta_(nonbonded.spec().beta),
      coulomb_(nonbonded.spec().coulomb_constant / nonbonded.spec().epsilon_r) {}

template <class T>
void FarExclusions<T>::find(device::Queue& queue, const core::Box& box, Particles& particles,
                            const Exclusions& exclusions, ClusterPairs<T>& pairs) {
    pairs_.clear();
    if (!wanted_ || exclusions.empty() || particles.charge.size() == 0) return;
    // Lists that are not exact bound no particle; none goes so far before the next search.
    constexpr double sure = 0.6;
    std::vector<std::int32_t> place_of_tag(static_cast<std::size_t>(particles.n));
    device::host_task(
        queue, "far exclusions",
        [&, tag = particles.tag.data(), r = particles.position.data(),
         charge = particles.charge.data(), slot = pairs.slot().data,
         outer = pairs.outer().data](device::ThreadPool& pool) {
            std::vector<std::vector<Pair>> found(static_cast<std::size_t>(pool.size()));
            const auto each = [&](auto&& f) {
                pool.run([&](int rank) {
                    const auto part = device::part_of(particles.n, rank, pool.size(), 16);
                    for (auto i = part.begin; i < part.end; ++i)
                        f(static_cast<std::int32_t>(i), found[static_cast<std::size_t>(rank)]);
                });
            };
            const auto reach = [&](std::int32_t i) {
                return double(outer[block_index(slot[i], 3)]);
            };
            each([&](std::int32_t i, auto&) { place_of_tag[tag[i]] = i; });
            each([&](std::int32_t i, std::vector<Pair>& mine) {
                const auto first = exclusions.start[tag[i]], last = exclusions.start[tag[i] + 1];
                for (auto k = first; k < last; ++k) {
                    const auto j = place_of_tag[static_cast<std::size_t>(
                        exclusions.partner[static_cast<std::size_t>(k)])];
                    if (j <= i) continue;
                    const auto d = core::nearest_image(box, r[i] - r[j]);
                    const double r2 = dot(d, d);
                    const double close = std::min(sure * r_cut_, r_cut_ - reach(i) - reach(j));
                    if (close > 0 && r2 < close * close) continue;
                    const double qq = coulomb_ * charge[i] * charge[j];
                    if (qq != 0) mine.push_back({i, j, qq});
                }
            });
            for (const auto& mine : found) pairs_.insert(pairs_.end(), mine.begin(), mine.end());
        });
    queue.synchronize();
}

/// As kernels find it, rounded alike, so that no pair is counted twice or left out: i is the side
/// that the kernel moves by a lattice vector.
template <class T>
bool FarExclusions<T>::within_cut_off(const T* i, const T* j, const core::Vec3d& lattice) const {
    const auto along = [&](int row, double by) {
        const T a = i[row], b = j[row], s = static_cast<T>(by), rest = static_cast<T>(by - s);
        const T sum = a + s, part = sum - a, remainder = (a - (sum - part)) + (s - part);
        return (sum - b) + (remainder + rest);
    };
    const T x = along(0, lattice.x), y = along(4, lattice.y), z = along(8, lattice.z);
    return std::fma(z, z, std::fma(y, y, x * x)) < static_cast<T>(r_cut_ * r_cut_);
}

template <class T>
template <class F>
void FarExclusions<T>::visit(const Places& at, F&& f) const {
    for (const auto& pair : pairs_) {
        const auto apart = at.position[pair.i] - at.position[pair.j];
        const auto d = core::nearest_image(at.box, apart);
        const T* const i = at.x + block_index(at.slot[pair.i], 0);
        const T* const j = at.x + block_index(at.slot[pair.j], 0);
        const auto lattice = d - apart;
        const auto turns = at.box.fractional(lattice);
        const double order = 9 * std::rint(turns.z) + 3 * std::rint(turns.y) + std::rint(turns.x);
        if (order < 0 ? within_cut_off(j, i, -1.0 * lattice) : within_cut_off(i, j, lattice))
            continue;
        const EwaldFar mesh(beta_ * beta_ * dot(d, d));
        const auto force = (-pair.qq * beta_ * beta_ * beta_ * mesh.force) * d;
        f(pair, Share{force, {-pair.qq * beta_ * mesh.energy, core::symmetric_outer(d, force)}});
    }
}

template <class T>
EnergyVirial FarExclusions<T>::add(device::Queue& queue, const core::Box& box,
                                   const Particles& particles, ClusterPairs<T>& pairs) const {
    EnergyVirial total;
    if (empty()) return total;
    device::host_task(
        queue, "far exclusions",
        [&,
         at = Places{box, particles.position.data(), pairs.slot().data, pairs.coordinates().data},
         force = pairs.force().data](device::ThreadPool&) {
            const auto push = [&](std::int32_t i, const core::Vec3d& f) {
                T* const to = force + block_index(at.slot[i], 0);
                to[0] += static_cast<T>(f.x), to[4] += static_cast<T>(f.y);
                to[8] += static_cast<T>(f.z);
            };
            visit(at, [&](const Pair& pair, const Share& share) {
                push(pair.i, share.force), push(pair.j, -1.0 * share.force);
                total += share.sums;
            });
        });
    queue.synchronize();
    return total;
}

template <class T>
void FarExclusions<T>::add_shares(const core::Box& box, const core::Vec3d* position,
                                  ClusterPairs<T>& pairs, std::vector<EnergyVirial>& sums) const {
    visit({box, position, pairs.slot().data, pairs.coordinates().data},
          [&](const Pair& pair, const Share& share) {
              const EnergyVirial half{0.5 * share.sums.energy, 0.5 * share.sums.virial};
              sums[static_cast<std::size_t>(pair.i)] += half;
              sums[static_cast<std::size_t>(pair.j)] += half;
          });
}

template class FarExclusions<float>;
template class FarExclusions<double>;

}  // namespace aureole::md
