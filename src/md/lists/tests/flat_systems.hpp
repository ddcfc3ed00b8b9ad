// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "md/system/system.hpp"

// Systems for tests of engines, and what they are compared with.
namespace aureole::md::testing {

struct Shape {
    const char* name;
    core::Box box;
    int cells;  ///< of a simple cubic lattice along each axis
    int n_types = 1;
    EnergyMode mode = EnergyMode::shift;
};

/// A perturbed lattice in fractional coordinates, with velocities of about kT = 1.
inline ParticleData perturbed_lattice(const Shape& shape, unsigned seed = 1) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> jitter(-0.08, 0.08);
    std::normal_distribution<double> normal;
    ParticleData data;
    const int m = shape.cells;
    for (int i = 0; i < m * m * m; ++i) {
        const auto place = [&](int k) { return (k + 0.5 + jitter(random)) / m - 0.5; };
        data.position.push_back(
            shape.box.cartesian({place(i % m), place(i / m % m), place(i / m / m)}));
        data.velocity.push_back({normal(random), normal(random), normal(random)});
        data.mass.push_back(1);
        data.type.push_back(i % shape.n_types);
        data.image.push_back({});
    }
    return data;
}

/// Lennard-Jones with other cut-offs for every pair of types, one of them switched off.
inline PairForceSpec lennard_jones(int n_types, double r_cut, EnergyMode mode) {
    PairForceSpec spec;
    spec.potential = "LennardJones";
    spec.n_types = n_types, spec.mode = mode;
    for (int a = 0; a < n_types; ++a)
        for (int b = 0; b < n_types; ++b) {
            const bool off = n_types == 3 && a + b == 4;
            const double own = off ? 0 : r_cut * (1 - 0.1 * (a + b) / n_types);
            spec.parameters.push_back(1 + 0.2 * (a + b));
            spec.parameters.push_back(1 - 0.03 * (a + b));
            spec.r_cut.push_back(own);
            spec.r_switch.push_back(0.8 * own);
        }
    return spec;
}

struct Reference {
    std::vector<Vec3d> force;
    std::vector<double> energy;
    EnergyVirial total;
};

/// All pairs in double precision, at coordinates rounded to those that kernels of precision T read.
template <class T>
Reference all_pairs(const System& system, const std::vector<Vec3d>& position,
                    const std::vector<std::int32_t>& type) {
    const std::size_t n = position.size();
    const auto round = [](const Vec3d& r) {
        return Vec3d{double(static_cast<T>(r.x)), double(static_cast<T>(r.y)),
                     double(static_cast<T>(r.z))};
    };
    Reference sum{std::vector<Vec3d>(n), std::vector<double>(n, 0.0), {}};
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const auto d = system.box.minimum_image(round(position[i]) - round(position[j]));
            for (const auto& force : system.forces) {
                const auto v = force.evaluate(type[i], type[j], dot(d, d));
                sum.force[i] += v.force_over_r * d, sum.force[j] -= v.force_over_r * d;
                sum.energy[i] += 0.5 * v.energy, sum.energy[j] += 0.5 * v.energy;
                sum.total.energy += v.energy;
                sum.total.virial += core::outer(v.force_over_r, d);
            }
        }
    return sum;
}

struct Deviation {
    double rms = 0, largest = 0;  ///< over the r.m.s. force
};

inline Deviation deviation(const std::vector<Vec3d>& a, const std::vector<Vec3d>& reference) {
    double error2 = 0, size2 = 0, worst2 = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const auto d = a[i] - reference[i];
        error2 += dot(d, d), size2 += dot(reference[i], reference[i]);
        worst2 = std::max(worst2, dot(d, d));
        if (!(dot(d, d) >= 0)) worst2 = error2 = INFINITY;
    }
    if (size2 == 0) return {std::sqrt(error2), std::sqrt(worst2)};
    return {std::sqrt(error2 / size2), std::sqrt(worst2 * double(a.size()) / size2)};
}

}  // namespace aureole::md::testing
