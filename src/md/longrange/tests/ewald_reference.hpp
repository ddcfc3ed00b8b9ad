// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <vector>

#include "core/box.hpp"
#include "md/longrange/ewald.hpp"

// Ewald's sum from its definition, in double precision and without a mesh.
namespace aureole::md::testing {

using core::Vec3d;

struct Charges {
    core::Box box;
    std::vector<Vec3d> position;
    std::vector<double> charge;
};

inline ChargeSums sums_of(const Charges& c) {
    ChargeSums sums;
    for (const double q : c.charge) sums = sums + ChargeSums{q, q * q};
    return sums;
}

/// Random positions, some outside of the box; charges of both signs that sum to `net`.
inline Charges random_charges(const core::Box& box, int n, double net, unsigned seed) {
    std::mt19937_64 engine(seed);
    std::uniform_real_distribution<double> uniform(-0.5, 0.5);
    Charges c{box, {}, {}};
    double sum = 0;
    for (int i = 0; i < n; ++i) {
        const double shift = i % 7 == 0 ? 2.0 : 0.0;
        c.position.push_back(
            box.cartesian({uniform(engine) - shift, uniform(engine), uniform(engine) + shift}));
        c.charge.push_back(2 * uniform(engine));
        sum += c.charge.back();
    }
    for (double& q : c.charge) q += (net - sum) / n;
    return c;
}

struct Coulomb {
    EnergyVirial total{};
    std::vector<Vec3d> force;

    Coulomb& operator+=(const Coulomb& o) {
        total += o.total;
        for (std::size_t i = 0; i < force.size(); ++i) force[i] += o.force[i];
        return *this;
    }
};

/// The reciprocal-space sum with the self energy and that of the background.
inline Coulomb reciprocal_sum(const Charges& c, double coulomb, double beta) {
    const double pi = std::numbers::pi, farthest = 2.1 * beta;  // exp(−π² 2.1²) = 1e−19
    const auto& b = c.box;
    const std::size_t n = c.charge.size();
    Coulomb out{{}, std::vector<Vec3d>(n)};
    const auto extent = [&](const Vec3d& edge) {
        return static_cast<int>(farthest * std::sqrt(dot(edge, edge))) + 1;
    };
    const int rx = extent(b.lattice(1, 0, 0)), ry = extent(b.lattice(0, 1, 0)),
              rz = extent(b.lattice(0, 0, 1));
    std::vector<Vec3d> f(n);
    for (std::size_t i = 0; i < n; ++i) f[i] = b.fractional(c.position[i]);
    const Vec3d a1 = b.lattice(1, 0, 0), a2 = b.lattice(0, 1, 0), a3 = b.lattice(0, 0, 1);
    const auto cross = [](const Vec3d& p, const Vec3d& q) {
        return Vec3d{p.y * q.z - p.z * q.y, p.z * q.x - p.x * q.z, p.x * q.y - p.y * q.x};
    };
    const double volume = dot(a1, cross(a2, a3));
    const Vec3d b1 = (1 / volume) * cross(a2, a3), b2 = (1 / volume) * cross(a3, a1),
                b3 = (1 / volume) * cross(a1, a2);
    std::vector<std::complex<double>> phase(n);
    for (int x = 0; x <= rx; ++x)
        for (int y = -ry; y <= ry; ++y)
            for (int z = -rz; z <= rz; ++z) {
                const Vec3d m = double(x) * b1 + double(y) * b2 + double(z) * b3;
                const double m2 = dot(m, m);
                if (m2 == 0 || m2 > farthest * farthest) continue;
                const double weight = (x == 0 ? 1 : 2) * coulomb / (2 * pi * volume) *
                                      std::exp(-pi * pi * m2 / (beta * beta)) / m2;
                std::complex<double> s = 0;
                for (std::size_t i = 0; i < n; ++i) {
                    phase[i] =
                        std::polar(c.charge[i], 2 * pi * (x * f[i].x + y * f[i].y + z * f[i].z));
                    s += phase[i];
                }
                const double e = weight * std::norm(s);
                out.total.energy += e;
                out.total.virial += core::Sym3d{e, e, e, 0, 0, 0};
                out.total.virial +=
                    core::outer(-2 * e * (1 + pi * pi * m2 / (beta * beta)) / m2, m);
                for (std::size_t i = 0; i < n; ++i)
                    out.force[i] += (4 * pi * weight * std::imag(phase[i] * std::conj(s))) * m;
            }
    out.total.energy += self_energy(coulomb, beta, sums_of(c));
    out.total += background_energy(coulomb, beta, sums_of(c), volume);
    return out;
}

/// The sum over pairs and their images within r_cut, f q q erfc(βr)/r.
inline Coulomb pair_sum(const Charges& c, double coulomb, double beta, double r_cut) {
    const std::size_t n = c.charge.size();
    Coulomb out{{}, std::vector<Vec3d>(n)};
    const auto face = c.box.face_distances();
    std::vector<Vec3d> inside = c.position;
    core::Vec3i image{};
    for (auto& r : inside) c.box.wrap(r, image);
    const int rx = static_cast<int>(r_cut / face.x) + 2, ry = static_cast<int>(r_cut / face.y) + 2,
              rz = static_cast<int>(r_cut / face.z) + 2;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            for (int x = -rx; x <= rx; ++x)
                for (int y = -ry; y <= ry; ++y)
                    for (int z = -rz; z <= rz; ++z) {
                        const Vec3d d = inside[i] - inside[j] + c.box.lattice(x, y, z);
                        const double r2 = dot(d, d);
                        if (r2 == 0 || r2 > r_cut * r_cut) continue;
                        const double r = std::sqrt(r2), q = coulomb * c.charge[i] * c.charge[j];
                        const double e = q * std::erfc(beta * r) / r;
                        const double f = (e + q * 2 * beta * std::numbers::inv_sqrtpi *
                                                  std::exp(-beta * beta * r2)) /
                                         r2;
                        out.total.energy += 0.5 * e;
                        out.total.virial += core::outer(0.5 * f, d);
                        out.force[i] += f * d;
                    }
    return out;
}

/// Contribution of an excluded pair, whose part of the reciprocal-space sum must go: −f q q
/// erf(βr)/r.
inline EnergyVirial excluded_pair(double qq, double beta, const Vec3d& d) {
    const double r2 = dot(d, d), r = std::sqrt(r2);
    const double e = -qq * std::erf(beta * r) / r;
    const double f =
        (e + qq * 2 * beta * std::numbers::inv_sqrtpi * std::exp(-beta * beta * r2)) / r2;
    return {e, core::outer(f, d)};
}

}  // namespace aureole::md::testing
