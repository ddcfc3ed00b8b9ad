// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "md/pair/tests/all_pairs.hpp"
#include "md/simulation/tests/systems.hpp"

// Tiles of molecules, in all their forms, beside all pairs in double precision and beside flat
// lists.
namespace aureole::md::testing {
namespace {

constexpr std::int32_t edge = 7, atoms = edge * edge * edge;
constexpr double spacing = 0.31;

enum class Boxes { wide, narrow, oblique };

struct Form {
    std::string name;
    Coulomb coulomb;
    VdwEnd end;
    Mixing mixing;
    Boxes box;
};
void PrintTo(const Form& f, std::ostream* out) { *out << f.name; }

/// Atoms on a distorted lattice, in chains along x: excluded neighbours there are within the
/// cut-off, and many of them lie in different blocks.
Start charged_lattice(const Form& form) {
    Start start;
    const double length = edge * spacing;
    start.box = {length, length, length};
    if (form.box == Boxes::oblique) start.box.xy = 0.3, start.box.xz = -0.2, start.box.yz = 0.25;
    start.n_types = 3;
    auto& p = start.particles;
    for (std::int32_t k = 0; k < atoms; ++k) {
        const auto noise = [&](int axis) { return 0.08 * std::sin(12.9898 * k + 78.233 * axis); };
        const double x = double(k % edge) / edge - 0.5, y = double(k / edge % edge) / edge - 0.5,
                     z = double(k / edge / edge) / edge - 0.5;
        auto r = x * start.box.lattice(1, 0, 0) + y * start.box.lattice(0, 1, 0) +
                 z * start.box.lattice(0, 0, 1) + Vec3d{noise(0), noise(1), noise(2)};
        Vec3i image{};
        start.box.wrap(r, image);
        p.position.push_back(r), p.image.push_back(image);
        p.velocity.push_back({0.3 * std::cos(k), 0.3 * std::sin(2.3 * k), 0.3 * std::cos(1.7 * k)});
        p.type.push_back(k % 3), p.mass.push_back(12);
        p.charge.push_back(0.3 * (k % 5) - 0.6);
    }
    return start;
}

Exclusions chains() {
    Exclusions exclusions;
    exclusions.start = {0};
    for (std::int32_t i = 0; i < atoms; ++i) {
        for (std::int32_t j = i / edge * edge; j < i / edge * edge + edge; ++j)
            if (j != i && std::abs(j - i) <= 2) exclusions.partner.push_back(j);
        exclusions.start.push_back(static_cast<std::int64_t>(exclusions.partner.size()));
    }
    return exclusions;
}

NonbondedSpec molecules(const Form& form) {
    NonbondedSpec spec;
    spec.n_types = 3, spec.end = form.end, spec.coulomb = form.coulomb, spec.beta = 3.1;
    const double cut = form.box == Boxes::narrow ? edge * spacing / 2.01 : 0.85;
    spec.r_vdw = spec.r_coulomb = cut, spec.r_vdw_switch = 0.8 * cut;
    spec.coulomb_constant = 138.935, spec.epsilon_rf = 78;
    const double sigma[] = {0.25, 0.28, 0.22}, epsilon[] = {0.5, 0.3, 0.8};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            const bool geometric = form.mixing == Mixing::geometric;
            const double s =
                geometric ? std::sqrt(sigma[i] * sigma[j]) : 0.5 * (sigma[i] + sigma[j]);
            const double odd = form.mixing == Mixing::table && i != j ? 1.3 : 1;
            const double e = odd * std::sqrt(epsilon[i] * epsilon[j]);
            spec.c6.push_back(4 * e * std::pow(s, 6)), spec.c12.push_back(4 * e * std::pow(s, 12));
        }
    return spec;
}

std::vector<Form> forms() {
    std::vector<Form> all;
    for (const auto coulomb : {Coulomb::reaction_field, Coulomb::ewald})
        for (const auto end : {VdwEnd::plain, VdwEnd::potential_switch, VdwEnd::force_switch})
            for (const auto mixing :
                 {Mixing::geometric, Mixing::lorentz_berthelot, Mixing::table}) {
                constexpr const char* ends[] = {"plain", "potential_switch", "force_switch"};
                constexpr const char* mixings[] = {"table", "geometric", "lorentz"};
                const int m = mixing == Mixing::table ? 0 : mixing == Mixing::geometric ? 1 : 2;
                const std::string name =
                    std::string(coulomb == Coulomb::ewald ? "ewald_" : "field_") +
                    ends[end == VdwEnd::plain              ? 0
                         : end == VdwEnd::potential_switch ? 1
                                                           : 2] +
                    "_" + mixings[m];
                all.push_back({name, coulomb, end, mixing,
                               static_cast<Boxes>((all.size() + all.size() / 3) % 3)});
            }
    return all;
}

class TileMolecules : public ::testing::TestWithParam<Form> {
  protected:
    std::unique_ptr<Simulation> make(const char* algorithm) const {
        DeviceSpec device{{.name = "host", .threads = 2, .pin = false}, algorithm};
        const auto start = charged_lattice(GetParam());
        auto sim = std::make_unique<Simulation>(device, Precision::mixed, start.box,
                                                start.particles, start.n_types, 3);
        sim->set_nonbonded(molecules(GetParam()));
        sim->set_exclusions(exclusions_);
        sim->set_motion(nve(1e-4), {});
        return sim;
    }
    /// Deviation of forces from those of all pairs; energies and virials are compared.
    double off(Simulation& sim) const {
        auto& p = sim.particles();
        const auto force = sim.forces();
        const auto r = kernel_coordinates<float>(sim.queue(), p);
        const auto tag = download_tags(sim.queue(), p);
        const auto charge = download(sim.queue(), p.charge);
        const auto type = download(sim.queue(), p.type);
        const Nonbonded pairs(molecules(GetParam()));
        std::vector<Vec3d> want(r.size());
        EnergyVirial vdw, coulomb;
        double size = 0;
        for (std::size_t i = 0; i < r.size(); ++i) {
            if (GetParam().coulomb == Coulomb::reaction_field)
                coulomb.energy +=
                    0.5 *
                    pairs.evaluate(type[i], type[i], charge[i] * charge[i], 0, true).coulomb.energy;
            for (std::size_t j = i + 1; j < r.size(); ++j) {
                const auto d = sim.system().box.minimum_image(r[i] - r[j]);
                const auto pair = pairs.evaluate(type[i], type[j], charge[i] * charge[j], dot(d, d),
                                                 exclusions_.between(tag[i], tag[j]));
                const auto add = [&](EnergyVirial& to, const PairValue<double>& one) {
                    want[i] += one.force_over_r * d, want[j] -= one.force_over_r * d;
                    to += {one.energy, core::outer(one.force_over_r, d)};
                    size += std::abs(one.energy) + std::abs(one.force_over_r) * dot(d, d);
                };
                add(vdw, pair.vdw), add(coulomb, pair.coulomb);
            }
        }
        const auto thermo = sim.thermo();
        EXPECT_NEAR(thermo.of_force[0].energy, vdw.energy, 2e-6 * size);
        EXPECT_NEAR(thermo.of_force[1].energy, coulomb.energy, 2e-6 * size);
        EXPECT_LE(largest_component(thermo.of_force[0].virial + (-1.0) * vdw.virial), 2e-6 * size);
        EXPECT_LE(largest_component(thermo.of_force[1].virial + (-1.0) * coulomb.virial),
                  2e-6 * size);
        EXPECT_GT(size, 1000);
        return compare(force, want).rms;
    }

    const Exclusions exclusions_ = chains();
};
INSTANTIATE_TEST_SUITE_P(All, TileMolecules, ::testing::ValuesIn(forms()),
                         [](const auto& p) { return p.param.name; });

TEST_P(TileMolecules, ForcesAreThoseOfAllPairs) {
    const auto flat = make("lanes"), tiles = make("tiles");
    EXPECT_LE(off(*tiles), 1.5 * off(*flat));
    EXPECT_LE(off(*tiles), 4e-6);
    tiles->run(25, no_interruption);
    EXPECT_LE(off(*tiles), 4e-6);
}

}  // namespace
}  // namespace aureole::md::testing
