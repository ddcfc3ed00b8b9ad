// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <span>

#include "md/pair/tests/all_pairs.hpp"
#include "md/pair/tests/leaf_parameters.hpp"
#include "md/simulation/tests/systems.hpp"

// Charges beside any potential of a leaf file, which share a kernel, beside all pairs one by one.
namespace aureole::md::testing {
namespace {

constexpr double r_cut = 2.2, r_coulomb = 2.0;

/// Particles with charges of both signs, and excluded pairs of neighbours by tag.
struct Charged {
    Start start = liquid({9, 10, 8, 0.2, -0.1, 0.1}, 600, 0.6, 1, 5, 2);
    Exclusions exclusions;

    Charged() {
        auto& p = start.particles;
        const auto n = static_cast<std::int32_t>(p.position.size());
        for (std::int32_t i = 0; i < n; ++i) p.charge.push_back(0.25 * (i % 7) - 0.75);
        exclusions.start = {0};
        for (std::int32_t i = 0; i < n; ++i) {
            const auto partner = i ^ 1;
            // Near enough to stay within the cut-off; some on top of each other.
            if (i % 2 == 1) {
                auto& r = p.position[std::size_t(i)];
                r = p.position[std::size_t(partner)];
                if (i % 8 != 1) r = r + Vec3d{0.3, 0.1, -0.2};
                Vec3i image{};
                start.box.wrap(r, image);
            }
            exclusions.partner.push_back(partner);
            exclusions.start.push_back(static_cast<std::int64_t>(exclusions.partner.size()));
        }
    }
};

NonbondedSpec charges(Coulomb coulomb, bool field_of_excluded = true) {
    NonbondedSpec spec;
    spec.n_types = 2, spec.c6 = spec.c12 = {0, 0, 0, 0};
    spec.r_vdw = spec.r_coulomb = r_coulomb, spec.coulomb = coulomb, spec.beta = 1.3;
    spec.coulomb_constant = 2, spec.epsilon_rf = 5;
    spec.field_of_excluded = field_of_excluded;
    return spec;
}

PairForceSpec leaf(const std::string& name, EnergyMode mode) {
    auto spec = leaf_spec(potential(name), mode, 2);
    for (std::size_t k = 0; k < spec.r_cut.size(); ++k)  // of each pair of types its own
        spec.r_cut[k] = std::min(spec.r_cut[k], r_cut), spec.r_switch[k] = 0.8 * spec.r_cut[k];
    return spec;
}

struct Reference {
    AllPairs pairs;
    EnergyVirial leaf, coulomb;
};

/// Reference forces, energies and virials, in local order.
template <class T>
Reference reference(Simulation& sim, const Exclusions& excluded) {
    auto& p = sim.particles();
    const auto r = kernel_coordinates<T>(sim.queue(), p);
    const auto tag = download_tags(sim.queue(), p);
    const auto charge = download(sim.queue(), p.charge);
    const auto type = download(sim.queue(), p.type);
    const auto& system = sim.system();
    const ColumnsRead columns(sim.queue(), p, system.forces[0].potential());
    Reference out;
    auto& all = out.pairs;
    all.force.resize(r.size());
    const auto add = [&](EnergyVirial& to, const PairValue<double>& pair, const Vec3d& d,
                         std::size_t i, std::size_t j) {
        const auto f = pair.force_over_r * d;
        all.force[i] += f, all.force[j] -= f;
        to += {pair.energy, core::outer(pair.force_over_r, d)};
        all.absolute_energy += std::abs(pair.energy);
        all.absolute_virial += std::abs(pair.force_over_r) * dot(d, d);
    };
    for (std::size_t i = 0; i < r.size(); ++i) {
        const auto self =
            system.nonbonded->evaluate(type[i], type[i], charge[i] * charge[i], 0, true);
        if (system.nonbonded->spec().coulomb == Coulomb::reaction_field)
            out.coulomb.energy += 0.5 * self.coulomb.energy;
        for (std::size_t j = i + 1; j < r.size(); ++j) {
            const auto d = system.box.minimum_image(r[i] - r[j]);
            const bool apart = excluded.between(tag[i], tag[j]);
            if (!apart)
                add(out.leaf, system.forces[0].evaluate(type[i], type[j], columns.pair(i, j, d)), d,
                    i, j);
            add(out.coulomb,
                system.nonbonded
                    ->evaluate(type[i], type[j], charge[i] * charge[j], dot(d, d), apart)
                    .coulomb,
                d, i, j);
        }
    }
    return out;
}

class ChargedLeaves : public ::testing::TestWithParam<DeviceSpec> {
  protected:
    std::unique_ptr<Simulation> make(const PairForceSpec& force, Coulomb coulomb,
                                     Precision precision) const {
        auto sim = simulate(charged_.start, force, nve(1e-4), GetParam(), precision);
        std::vector<double> sizes(charged_.start.particles.position.size());
        for (std::size_t i = 0; i < sizes.size(); ++i)
            sizes[i] = static_cast<double>(1 + 0.1F * static_cast<float>(i % 5));
        for (const auto& column : sim->system().forces[0].potential().reads)
            sim->set_column(ElementType::real, {.name = column.name},
                            std::as_bytes(std::span(sizes)));
        sim->set_nonbonded(charges(coulomb));
        sim->set_exclusions(charged_.exclusions);
        return sim;
    }

    template <class T>
    void check(Simulation& sim) const {
        constexpr double bound = sizeof(T) == 4 ? 4e-6 : 1e-12;
        const auto force = sim.forces();
        const auto want = reference<T>(sim, charged_.exclusions);
        ASSERT_GT(std::abs(want.leaf.energy), 1);
        ASSERT_GT(std::abs(want.coulomb.energy), 1);
        EXPECT_LE(compare(force, want.pairs.force).rms, bound);
        const auto thermo = sim.thermo();
        const double energies = bound * want.pairs.absolute_energy;
        EXPECT_NEAR(thermo.of_force[0].energy, want.leaf.energy, energies);
        EXPECT_EQ(thermo.of_force[1].energy, 0);
        EXPECT_NEAR(thermo.of_force[2].energy, want.coulomb.energy, energies);
        for (const int k : {0, 2}) {
            const auto& virial = k == 0 ? want.leaf.virial : want.coulomb.virial;
            EXPECT_LE(largest_component(thermo.of_force[std::size_t(k)].virial + (-1.0) * virial),
                      bound * want.pairs.absolute_virial);
        }
        EXPECT_EQ(sim.forces(), force);  // a look changes no force
    }

    const Charged charged_;
};
INSTANTIATE_TEST_SUITE_P(Everywhere, ChargedLeaves, ::testing::ValuesIn(everywhere()),
                         [](const auto& p) { return name_of(p.param); });

TEST_P(ChargedLeaves, ForcesAreThoseOfAllPairs) {
    const bool slow = hostile_environment() || core::sanitized;
    const std::span modes(all_modes, slow ? 1 : std::size(all_modes));
    for (const std::string name : {"LennardJones", "SoftSpheres", "WCA"})
        for (const auto coulomb : {Coulomb::reaction_field, Coulomb::ewald})
            for (const auto mode : modes) {
                SCOPED_TRACE(name + " " + name_of(mode) + (coulomb == Coulomb::ewald ? " E" : ""));
                check<float>(*make(leaf(name, mode), coulomb, Precision::mixed));
                check<double>(*make(leaf(name, mode), coulomb, Precision::full));
            }
}

/// A reaction field that leaves out excluded pairs and charges with themselves is, in a kernel of
/// its own or with a potential, the sum of the other pairs.
TEST_P(ChargedLeaves, AFieldMayLeaveOutExcludedPairs) {
    const auto spec = charges(Coulomb::reaction_field, false);
    EXPECT_EQ(Nonbonded(spec).evaluate(0, 0, 1, 0.5, true).coulomb.energy, 0);
    for (const auto precision : {Precision::mixed, Precision::full}) {
        const auto sim = make(leaf("LennardJones", EnergyMode::none), spec.coulomb, precision);
        const auto usual = sim->thermo().of_force[2].energy;
        sim->set_nonbonded(spec);
        precision == Precision::mixed ? check<float>(*sim) : check<double>(*sim);
        EXPECT_GT(std::abs(sim->thermo().of_force[2].energy - usual), 1);
    }
    auto ewald = charges(Coulomb::ewald, false);
    EXPECT_THROW(Nonbonded{ewald}, core::InputError);
}

/// Lennard-Jones with the charges is what the kernel of molecules does.
TEST_P(ChargedLeaves, LennardJonesIsThatOfMolecules) {
    for (const auto coulomb : {Coulomb::reaction_field, Coulomb::ewald}) {
        auto force = leaf("LennardJones", EnergyMode::none);
        force.r_cut.assign(4, r_coulomb);
        const auto own = make(force, coulomb, Precision::full);
        auto with_charges = charges(coulomb);
        with_charges.shift_vdw = false;
        for (std::size_t k = 0; k < 4; ++k) {
            const double epsilon = force.parameters[2 * k], sigma = force.parameters[2 * k + 1];
            with_charges.c6[k] = 4 * epsilon * std::pow(sigma, 6);
            with_charges.c12[k] = 4 * epsilon * std::pow(sigma, 12);
        }
        auto none = force;
        none.r_cut.assign(4, 0);
        const auto of_molecules = make(none, coulomb, Precision::full);
        of_molecules->set_nonbonded(with_charges);
        EXPECT_LE(compare(own->forces(), of_molecules->forces()).rms, 1e-12);
        const auto a = own->thermo(), b = of_molecules->thermo();
        EXPECT_NEAR(a.of_force[0].energy, b.of_force[1].energy, 1e-11 * std::abs(a.potential));
        EXPECT_NEAR(a.potential, b.potential, 1e-11 * std::abs(a.potential));
    }
}

}  // namespace
}  // namespace aureole::md::testing
