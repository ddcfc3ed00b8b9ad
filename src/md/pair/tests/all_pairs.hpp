// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "md/pair/particle_columns.hpp"
#include "md/system/system.hpp"

// The reference: all pairs, one by one, in double precision.
namespace aureole::md::testing {

/// A pair whose distance is the cut-off but for rounding: kernels may count it or not.
struct PairAtCutOff {
    std::size_t i, j;
    Vec3d force;  ///< on i, where it counts
    bool counted;
};

struct AllPairs {
    std::vector<Vec3d> force;
    std::vector<PairAtCutOff> at_cut_off;
    std::vector<double> energy;       ///< of each particle, half of every pair's
    std::vector<core::Sym3d> virial;  ///< likewise
    EnergyVirial total;
    double absolute_energy = 0;  ///< Σ |u|, the scale of the energy's rounding
    double absolute_virial = 0;  ///< Σ |r · F|
};

/// Forces for separations r_i − r_j given by separation(i, j), which kernels know to `rounding`.
template <class Separation>
AllPairs all_pairs(const std::vector<std::int32_t>& type, const std::vector<PairForce>& forces,
                   const std::vector<ColumnsRead>& columns, Separation&& separation,
                   double rounding = 0) {
    const auto n = type.size();
    AllPairs out;
    out.force.resize(n), out.energy.resize(n), out.virial.resize(n);
    double r_cut = 0;
    for (const auto& force : forces) r_cut = std::max(r_cut, force.r_cut_max());
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i + 1; j < n; ++j) {
            const Vec3d d = separation(i, j);
            const double r2 = dot(d, d);
            const bool within = r2 < r_cut * r_cut;
            if (std::abs(std::sqrt(r2) - r_cut) < rounding) {
                const auto inside = (1 - 2 * rounding / r_cut) * d;
                Vec3d f{};
                for (std::size_t k = 0; k < forces.size(); ++k)
                    f += forces[k]
                             .evaluate(type[i], type[j], columns[k].pair(i, j, inside))
                             .force_over_r *
                         d;
                out.at_cut_off.push_back({i, j, f, within});
            }
            if (!within) continue;
            for (std::size_t k = 0; k < forces.size(); ++k) {
                const auto pair = forces[k].evaluate(type[i], type[j], columns[k].pair(i, j, d));
                const auto f = pair.force_over_r * d;
                const auto virial = core::outer(pair.force_over_r, d);
                out.force[i] += f, out.force[j] -= f;
                out.energy[i] += 0.5 * pair.energy, out.energy[j] += 0.5 * pair.energy;
                out.virial[i] += 0.5 * virial, out.virial[j] += 0.5 * virial;
                out.total.energy += pair.energy;
                out.total.virial += virial;
                out.absolute_energy += std::abs(pair.energy);
                out.absolute_virial += std::abs(pair.force_over_r) * r2;
            }
        }
    return out;
}

template <class T>
Vec3d rounded(const Vec3d& a) {
    return {static_cast<double>(static_cast<T>(a.x)), static_cast<double>(static_cast<T>(a.y)),
            static_cast<double>(static_cast<T>(a.z))};
}

/// The coordinates that kernels of precision T read, in local order.
template <class T>
std::vector<Vec3d> kernel_coordinates(device::Queue& queue, const Particles& particles) {
    auto r = download(queue, particles.position);
    for (auto& a : r) a = rounded<T>(a);
    return r;
}

/// The reference for a system as it stands, in local order.
template <class T>
AllPairs all_pairs(device::Queue& queue, const System& system) {
    const auto r = kernel_coordinates<T>(queue, system.particles);
    std::vector<ColumnsRead> columns;
    for (const auto& force : system.forces)
        columns.emplace_back(queue, system.particles, force.potential());
    const double edge = std::max({system.box.lx, system.box.ly, system.box.lz});
    return all_pairs(
        download(queue, system.particles.type), system.forces, columns,
        [&](std::size_t i, std::size_t j) { return system.box.minimum_image(r[i] - r[j]); },
        2 * std::numeric_limits<T>::epsilon() * edge);
}

struct ForceError {
    double rms = 0, largest = 0;  ///< over the r.m.s. force
};

inline ForceError compare(const std::vector<Vec3d>& got, const std::vector<Vec3d>& want) {
    double square = 0, error = 0, largest = 0;
    for (std::size_t i = 0; i < want.size(); ++i) {
        const auto d = got[i] - want[i];
        square += dot(want[i], want[i]);
        error += dot(d, d);
        largest = std::max(largest, dot(d, d));
        if (!(dot(d, d) >= 0)) return {HUGE_VAL, HUGE_VAL};  // NaN
    }
    if (square == 0) return {std::sqrt(error), std::sqrt(largest)};
    const auto n = static_cast<double>(want.size());
    return {std::sqrt(error / square), std::sqrt(largest * n / square)};
}

/// Pairs at the cut-off are counted where that is nearer to `got`.
inline ForceError compare(const std::vector<Vec3d>& got, const AllPairs& reference) {
    auto want = reference.force;
    for (const auto& pair : reference.at_cut_off) {
        const auto f = (pair.counted ? -1.0 : 1.0) * pair.force;
        const auto error = got[pair.i] - want[pair.i];
        if (dot(error - f, error - f) < dot(error, error)) want[pair.i] += f, want[pair.j] -= f;
    }
    return compare(got, want);
}

inline double largest_component(const core::Sym3d& a) {
    return std::max({std::abs(a.xx), std::abs(a.yy), std::abs(a.zz), std::abs(a.xy), std::abs(a.xz),
                     std::abs(a.yz)});
}

}  // namespace aureole::md::testing
