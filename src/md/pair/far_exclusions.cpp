// SPDX-License-Identifier: Apache-2.0
#include "md/pair/far_exclusions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/nearest_image.hpp"
#include "device/launch.hpp"

namespace aureole::md {

template <class T>
FarExclusions<T>::FarExclusions(const Nonbonded& nonbonded)
    : nonbonded_(nonbonded), r_cut_(nonbonded.spec().r_coulomb) {}

template <class T>
void FarExclusions<T>::find(device::Queue& queue, const core::Box& box, Particles& particles,
                            const ZoneRule& rule, const ExcludedPartners& exclusions,
                            ClusterPairs<T>& pairs) {
    pairs_.clear();
    handled_ = 0;
    if (!exclusions.any() || !particles.charge.in_use()) return;
    if (!nonbonded_.spec().field_of_excluded) return;
    // Tolerance lists have no displacement limits; this is a safe bound until the next search.
    constexpr double sure = 0.6;
    device::host_task(
        queue, "far exclusions",
        [&, r = particles.position.data(), charge = particles.charge.data(),
         slot = pairs.slot().data, outer = pairs.outer().data](device::ThreadPool& pool) {
            std::vector<std::vector<Pair>> found(static_cast<std::size_t>(pool.size()));
            std::vector<std::int64_t> handled(found.size());
            const auto limit = [&](std::int32_t i) {
                return double(outer[block_index(slot[i], 3)]);
            };
            pool.run([&](int rank) {
                const auto part = device::part_of(particles.all(), rank, pool.size(), 16);
                std::vector<Pair> mine;  // and the count: in no cache line of another thread
                std::int64_t count = 0;
                for (auto i = static_cast<std::int32_t>(part.begin); i < part.end; ++i)
                    for (auto k = exclusions.start[i]; k < exclusions.start[i + 1]; ++k) {
                        const auto j = exclusions.partner[k];
                        if (j <= i || !rule.here(std::array{i, j})) continue;
                        ++count;
                        const auto d = core::nearest_image(box, r[i] - r[j]);
                        const double r2 = dot(d, d);
                        const double close = std::min(sure * r_cut_, r_cut_ - limit(i) - limit(j));
                        if (close > 0 && r2 < close * close) continue;
                        const double charges = charge[i] * charge[j];
                        if (charges != 0) mine.push_back({i, j, charges});
                    }
                found[static_cast<std::size_t>(rank)] = std::move(mine);
                handled[static_cast<std::size_t>(rank)] = count;
            });
            for (const auto count : handled) handled_ += count;
            for (const auto& mine : found) pairs_.insert(pairs_.end(), mine.begin(), mine.end());
            for (const auto& [i, j] : rule.claimed_pairs()) {
                ++handled_;
                if (charge[i] * charge[j] != 0) pairs_.push_back({i, j, charge[i] * charge[j]});
            }
        });
    queue.synchronize();
}

template <class T>
void FarExclusions<T>::find_tiles(device::Queue& queue, ClusterPairs<T>& pairs) {
    if (empty()) return;
    slots_.clear();
    clusters_.assign(static_cast<std::size_t>(pairs.clusters()), 0);
    device::host_task(
        queue, "far-exclusion tiles", [&, slot = pairs.slot().data](device::ThreadPool&) {
            for (std::size_t k = 0; k < pairs_.size(); ++k) {
                auto& pair = pairs_[k];
                pair.i_moved = pair.j_moved = 0;
                const auto i = slot[pair.i], j = slot[pair.j];
                slots_.push_back({std::min(i, j), std::max(i, j), k});
                clusters_[i / cluster_size] = clusters_[j / cluster_size] = 1;
            }
            std::sort(slots_.begin(), slots_.end());
            pairs.for_each_excluded(clusters_, [&](std::int32_t si, std::int32_t sj, int shift) {
                const auto i = std::min(si, sj), j = std::max(si, sj);
                const auto at = std::lower_bound(slots_.begin(), slots_.end(), Slots{i, j, 0});
                if (at == slots_.end() || at->i != i || at->j != j) return;
                auto& pair = pairs_[at->pair];
                (slot[pair.i] == si ? pair.i_moved : pair.j_moved) |= 1u << shift;
            });
        });
    queue.synchronize();
}

/// Whether kernels handle a pair: it is in a tile and within the cut-off.
template <class T>
bool FarExclusions<T>::in_kernel(const Pair& pair, const Where& at,
                                 const core::Vec3d& lattice) const {
    const auto turns = at.box.fractional(lattice);
    const auto whole = [](double x) { return static_cast<int>(std::rint(x)); };
    const core::Vec3i n{whole(turns.x), whole(turns.y), whole(turns.z)};
    if (std::max({std::abs(n.x), std::abs(n.y), std::abs(n.z)}) > 1) return false;
    const auto has = [](std::uint32_t shifts, const core::Vec3i& shift) {
        return (shifts >> shift_of_lattice(shift) & 1) != 0;
    };
    const T* const i = at.x + block_index(at.slot[pair.i], 0);
    const T* const j = at.x + block_index(at.slot[pair.j], 0);
    return (has(pair.i_moved, n) && within_cut_off(i, j, lattice)) ||
           (has(pair.j_moved, core::Vec3i{} - n) && within_cut_off(j, i, -1.0 * lattice));
}

/// As in the kernels, rounded identically, so that no pair is counted twice or left out.
template <class T>
bool FarExclusions<T>::within_cut_off(const T* moved, const T* other,
                                      const core::Vec3d& lattice) const {
    const auto along = [&](int row, double by) {
        const T a = moved[row], b = other[row], s = static_cast<T>(by),
                rest = static_cast<T>(by - s);
        const T sum = a + s, part = sum - a, remainder = (a - (sum - part)) + (s - part);
        return (sum - b) + (remainder + rest);
    };
    const T x = along(0, lattice.x), y = along(4, lattice.y), z = along(8, lattice.z);
    return std::fma(z, z, std::fma(y, y, x * x)) < static_cast<T>(r_cut_ * r_cut_);
}

/// Meshes act at any distance, reaction fields up to the cut-off.
template <class T>
PairValue<double> FarExclusions<T>::value(double charges, double r2) const {
    const auto& spec = nonbonded_.spec();
    if (spec.coulomb == Coulomb::reaction_field)
        return nonbonded_.evaluate(0, 0, charges, r2, true).coulomb;
    const EwaldFar mesh(spec.beta * spec.beta * r2);
    const double qq = spec.unit_charge_energy() * charges * spec.beta;
    return {-qq * mesh.energy, -qq * spec.beta * spec.beta * mesh.force};
}

template <class T>
template <class F>
void FarExclusions<T>::visit(const Where& at, F&& f) const {
    for (const auto& pair : pairs_) {
        const auto apart = at.position[pair.i] - at.position[pair.j];
        const auto d = core::nearest_image(at.box, apart);
        if (in_kernel(pair, at, d - apart)) continue;
        const auto taken = value(pair.charges, dot(d, d));
        const auto force = taken.force_over_r * d;
        f(pair, Contribution{force, {taken.energy, core::symmetric_outer(d, force)}});
    }
}

template <class T>
EnergyVirial FarExclusions<T>::add(device::Queue& queue, const core::Box& box,
                                   const Particles& particles, ClusterPairs<T>& pairs) const {
    EnergyVirial total;
    if (empty()) return total;
    device::host_task(
        queue, "far exclusions",
        [&, at = Where{box, particles.position.data(), pairs.slot().data, pairs.coordinates().data},
         force = pairs.force().data](device::ThreadPool&) {
            const auto push = [&](std::int32_t i, const core::Vec3d& f) {
                T* const to = force + block_index(at.slot[i], 0);
                to[0] += static_cast<T>(f.x), to[4] += static_cast<T>(f.y);
                to[8] += static_cast<T>(f.z);
            };
            visit(at, [&](const Pair& pair, const Contribution& contribution) {
                push(pair.i, contribution.force), push(pair.j, -1.0 * contribution.force);
                total += contribution.sums;
            });
        });
    queue.synchronize();
    return total;
}

template <class T>
void FarExclusions<T>::add_contributions(const core::Box& box, const core::Vec3d* position,
                                         ClusterPairs<T>& pairs,
                                         std::vector<EnergyVirial>& sums) const {
    visit(
        {box, position, pairs.slot().data, pairs.coordinates().data},
        [&](const Pair& pair, const Contribution& contribution) {
            const EnergyVirial half{0.5 * contribution.sums.energy, 0.5 * contribution.sums.virial};
            sums[static_cast<std::size_t>(pair.i)] += half;
            sums[static_cast<std::size_t>(pair.j)] += half;
        });
}

template class FarExclusions<float>;
template class FarExclusions<double>;

}  // namespace aureole::md
