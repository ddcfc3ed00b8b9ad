// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/simulation/tests/molecules_systems.hpp"

// Water for tests: rigid molecules with a virtual site.
namespace aureole::md::testing {

inline constexpr int edge = 5, waters = edge * edge * edge, atoms = 4 * waters;
inline constexpr double spacing = 0.31;

/// Molecules like TIP4P's on a lattice, at rest.
inline Start lattice_of_water() {
    Start start;
    const double length = edge * spacing;
    start.box = {length, length, length};
    start.n_types = 2;
    auto& p = start.particles;
    const double height = 0.0585882, half = 0.0756950;
    for (int k = 0; k < waters; ++k) {
        const Vec3d cell{double(k % edge), double(k / edge % edge), double(k / edge / edge)};
        const auto o =
            spacing * (cell + Vec3d{0.5, 0.5, 0.5}) - 0.5 * Vec3d{length, length, length};
        const double sign = (k + k / edge + k / edge / edge) % 2 == 0 ? 1 : -1;
        p.position.insert(p.position.end(),
                          {o, o + Vec3d{half, 0, sign * height}, o + Vec3d{-half, 0, sign * height},
                           o + Vec3d{0, 0, sign * 0.256 * height}});
        p.type.insert(p.type.end(), {0, 1, 1, 1});
        p.mass.insert(p.mass.end(), {15.9994, 1.008, 1.008, 0});
        p.charge.insert(p.charge.end(), {0, 0.52, 0.52, -1.04});
    }
    p.velocity.resize(p.position.size()), p.image.resize(p.position.size());
    return start;
}

inline NonbondedSpec tip4p(Coulomb coulomb) {
    NonbondedSpec spec;
    spec.n_types = 2, spec.c6 = {2.55e-3, 0, 0, 0}, spec.c12 = {2.51e-6, 0, 0, 0};
    spec.coulomb = coulomb, spec.beta = 4.2;
    spec.r_vdw = spec.r_coulomb = 0.65, spec.coulomb_constant = 138.935;
    return spec;
}

inline void bind(ConstraintSpec& constraints, SiteSpec& sites, Exclusions& exclusions) {
    exclusions.start = {0};
    constraints.settle.parameters = {0.09572, 0.15139};
    sites.n = atoms;
    sites.vsite3.parameters = {0.128, 0.128};
    for (std::int32_t o = 0; o < atoms; o += 4) {
        for (std::int32_t k = 0; k < 3; ++k) constraints.settle.particles.push_back(o + k);
        constraints.settle.row.push_back(0);
        for (const std::int32_t k : {3, 0, 1, 2}) sites.vsite3.particles.push_back(o + k);
        sites.vsite3.row.push_back(0);
        for (std::int32_t k = 0; k < 4; ++k) {
            for (std::int32_t other = 0; other < 4; ++other)
                if (other != k) exclusions.partner.push_back(o + other);
            exclusions.start.push_back(static_cast<std::int64_t>(exclusions.partner.size()));
        }
    }
}

/// Without motion; charges with a mesh or with a reaction field.
inline std::unique_ptr<Simulation> resting_water(const DeviceSpec& device, Coulomb coulomb) {
    static const Start start = lattice_of_water();
    auto sim = std::make_unique<Simulation>(device, Precision::mixed, start.box, start.particles,
                                            start.n_types, 7);
    ConstraintSpec constraints;
    SiteSpec sites;
    Exclusions exclusions;
    bind(constraints, sites, exclusions);
    sim->set_nonbonded(tip4p(coulomb));
    sim->set_exclusions(exclusions);
    if (coulomb == Coulomb::ewald) sim->set_mesh({.grid = {16, 16, 16}, .order = 4});
    sim->set_constraints(constraints);
    sim->set_sites(sites);
    return sim;
}

/// Waters of three sites, with charges on the oxygens, as in SPC/E.
inline std::unique_ptr<Simulation> three_site_water(const DeviceSpec& device, Coulomb coulomb) {
    const Start all = lattice_of_water();
    Start start{all.box, {}, 2};
    ConstraintSpec constraints;
    constraints.settle.parameters = {0.09572, 0.15139};
    Exclusions exclusions;
    exclusions.start = {0};
    auto& p = start.particles;
    for (std::int32_t w = 0; w < waters; ++w) {
        for (std::int32_t k = 0; k < 3; ++k) {
            const auto from = static_cast<std::size_t>(4 * w + k);
            p.position.push_back(all.particles.position[from]);
            p.mass.push_back(all.particles.mass[from]);
            p.type.push_back(all.particles.type[from]);
            p.charge.push_back(k == 0 ? -0.82 : 0.41);
            constraints.settle.particles.push_back(3 * w + k);
            for (std::int32_t other = 0; other < 3; ++other)
                if (other != k) exclusions.partner.push_back(3 * w + other);
            exclusions.start.push_back(static_cast<std::int64_t>(exclusions.partner.size()));
        }
        constraints.settle.row.push_back(0);
    }
    p.velocity.resize(p.position.size()), p.image.resize(p.position.size());
    auto sim = std::make_unique<Simulation>(device, Precision::mixed, start.box, p, 2, 7);
    sim->set_nonbonded(tip4p(coulomb));
    sim->set_exclusions(exclusions);
    if (coulomb == Coulomb::ewald) sim->set_mesh({.grid = {16, 16, 16}, .order = 4});
    sim->set_constraints(constraints);
    return sim;
}

}  // namespace aureole::md::testing
