// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "md/bonded/bonded_terms.hpp"
#include "md/bonded/geometry.hpp"

// Terms of every kind for tests, so that these need not know the leaf files: parameters near those
// of force fields, and chains of particles that have them at random.
namespace aureole::md::testing {

using core::Vec3d;

inline double size(const Vec3d& a) { return std::sqrt(dot(a, a)); }

/// [m][m] smooth periodic energies, different for every `number`.
inline std::vector<double> wavy_map(int m, int number) {
    std::vector<double> map;
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < m; ++j) {
            const double phi = (2 * M_PI * i) / m - M_PI, psi = (2 * M_PI * j) / m - M_PI;
            map.push_back(3 * std::cos(phi + number) + 2 * std::sin(2 * psi) * std::cos(phi) +
                          0.7 * std::sin(3 * phi - psi + 0.4) - number);
        }
    return map;
}

inline BondedConstants test_constants() { return {138.9, {wavy_map(24, 0), wavy_map(12, 1)}, {}}; }

/// Whether terms of a kind depend on more than relative positions: on places or an axis.
inline bool pulls_from_outside(const std::string& name) {
    return name == "position_restraint" || name == "flat_bottom_restraint" ||
           name == "angle_restraint_z";
}

/// Three rows of parameters for a kind, by the names of its parameters.
inline std::vector<double> some_parameters(const Term& kind) {
    std::vector<double> all;
    for (int r = 0; r < 3; ++r)
        for (const auto& p : kind.parameters) {
            const std::string name = p.name, unit = p.unit;
            double value = 1.3 - 0.4 * r;  // energies and others
            if (unit == "radian") value = 1.9 - 0.3 * r;
            if (unit == "length") value = 1.0 + 0.05 * r;
            if (unit == "energy/length^2" || unit == "energy/length^4") value = 50 + 20 * r;
            if (unit == "energy/radian^2") value = 10 + 5 * r;
            if (name == "beta") value = 1.5 + 0.2 * r;
            if (name == "k3") value = -0.4 + 0.2 * r;
            if (name == "n") value = r == 0 ? 3 : r == 1 ? 2 : -6;
            if (name == "c6") value = 0.8 + 0.1 * r;
            if (name == "c12") value = 0.3 + 0.1 * r;
            if (name == "qq") value = 0.02 * (r - 1);
            if (name == "width") value = 0.3 - 0.1 * r;
            if (name == "geometry") value = 1 + 3 * r;
            if (name == "radius") value = r == 1 ? -0.8 : 0.5;
            // Steps of chains are below the range, above it, and beyond up2.
            if (name == "low") value = r == 0 ? 1.3 : 0.5;
            if (name == "up1") value = r == 0 ? 1.4 : 0.6;
            if (name == "up2") value = r == 1 ? 1.6 : r == 0 ? 1.5 : 0.8;
            if (name == "r_max") value = 1.6 + 0.1 * r;
            if (name == "grid") value = r % 2;
            if (kind.particles >= 4 && name.size() == 2 && name[0] == 'c')
                value = 1.5 * std::cos(3.0 * r + name[1]);
            all.push_back(value);
        }
    return all;
}

/// A random walk of steps near 1, without angles or dihedrals near 0 and π, where restricted terms
/// have poles.
inline std::vector<Vec3d> chain(int n, std::mt19937_64& random) {
    std::normal_distribution<double> normal;
    const auto direction = [&] {
        const Vec3d v{normal(random), normal(random), normal(random)};
        return (1 / std::sqrt(dot(v, v))) * v;
    };
    std::uniform_real_distribution<double> length(0.9, 1.2);
    std::vector<Vec3d> out{{0.1, 0.2, -0.1}};
    Vec3d last{}, before{};
    while (static_cast<int>(out.size()) < n) {
        const auto step = direction();
        if (std::abs(dot(step, last)) > 0.9) continue;
        const auto m = cross(before, last), k = cross(last, step);
        const double flat = size(cross(m, k)), of = size(m) * size(k);
        if (of > 0 && flat < 0.25 * of) continue;
        before = last;
        out.push_back(out.back() + length(random) * step);
        last = step;
    }
    return out;
}

inline std::vector<std::string> term_names() {
    std::vector<std::string> names;
    for (const auto& t : term_kinds()) names.emplace_back(t.name);
    return names;
}

/// `chains` chains of five particles at random positions in the box, and a term of a kind on each
/// but the last, with changing rows.
struct Chains {
    std::vector<Vec3d> position;
    TermSpec terms;
};
inline Chains chains_of(const std::string& name, const core::Box& box, int chains,
                        std::uint64_t seed) {
    const auto& kind = term_kind(name);
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(-0.5, 0.5);
    Chains out;
    out.terms.name = name, out.terms.parameters = some_parameters(kind);
    for (int c = 0; c < chains; ++c) {
        const auto at = box.cartesian({uniform(random), uniform(random), uniform(random)});
        for (const auto& r : chain(5, random)) {
            auto inside = at + r;
            core::Vec3i image{};
            box.wrap(inside, image);
            out.position.push_back(inside);
        }
        if (c + 1 == chains) break;
        for (int p = 0; p < kind.particles; ++p) out.terms.particles.push_back(5 * c + p);
        out.terms.row.push_back(c % 3);
    }
    if (pulls_from_outside(name) && kind.particles == 1)  // references within reach of particles
        for (int r = 0; r < 3; ++r)
            for (int k = 3; k < 6; ++k)
                out.terms.parameters[static_cast<std::size_t>(6 * r + k)] *= 0.4 * (k - 4);
    return out;
}

/// Everything about terms, in double precision, by tag.
struct BondedReference {
    std::vector<Vec3d> force;
    double energy = 0, scale = 0;  ///< scale: Σ |u|
    core::Sym3d virial{};
};
inline BondedReference reference(const BondedTerms& terms, const core::Box& box,
                                 const std::vector<Vec3d>& position) {
    BondedReference sum;
    sum.force.resize(position.size());
    terms.for_each(box, position, [&](std::size_t k, const Tag* tags, const TermResult& one) {
        sum.energy += one.energy, sum.scale += std::abs(one.energy);
        sum.virial += one.virial;
        for (int p = 0; p < terms.lists()[k].kind->particles; ++p)
            sum.force[static_cast<std::size_t>(tags[p])] += one.force[static_cast<std::size_t>(p)];
    });
    return sum;
}

}  // namespace aureole::md::testing
