// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "core/error.hpp"
#include "md/bonded/tests/terms.hpp"
#include "md/pair/registry.hpp"
#include "md/pair/tests/leaf_parameters.hpp"
#include "md/simulation/tests/systems.hpp"

// Positions that no run should have, for every force, constraint and site there is: the answer is
// either an error by name or numbers that are finite and the same for all engines. Leaf files are
// taken from their registries, so that a new one needs no edit here.
namespace aureole::md::testing {
namespace {

constexpr std::int32_t count = 6;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Feature {
    std::string name;
    std::function<void(Simulation&)> add;
};
struct Scene {
    std::string name;
    std::function<void(std::vector<Vec3d>&)> change;
};

TermColumns one(std::vector<Tag> particles, std::vector<double> parameters) {
    return {std::move(particles), {0}, std::move(parameters)};
}

/// Adds non-bonded forces of one type, with this kind of electrostatics; particles 0 and 1 exclude
/// each other.
void add_nonbonded(Simulation& sim, Coulomb coulomb) {
    NonbondedSpec spec;
    spec.n_types = 1, spec.c6 = {4e-3}, spec.c12 = {4e-6};
    spec.r_vdw = spec.r_coulomb = 1.2, spec.coulomb = coulomb, spec.coulomb_constant = 138.9;
    if (coulomb == Coulomb::ewald) spec.beta = 2.6;
    sim.set_nonbonded(spec);
    sim.set_exclusions({{0, 1, 2, 2, 2, 2, 2}, {1, 0}});
}
void add_mesh(Simulation& sim) {
    add_nonbonded(sim, Coulomb::ewald);
    sim.set_mesh({.grid = {32, 32, 32}});
}

std::vector<Feature> forces() {
    std::vector<Feature> all;
    for (const auto& leaf : potentials())
        all.push_back({std::string("pair ") + leaf.name, [&leaf](Simulation& sim) {
                           sim.add_pair(leaf_spec(leaf, EnergyMode::none, 1));
                       }});
    for (const auto& kind : term_kinds())
        all.push_back({std::string("term ") + kind.name, [&kind](Simulation& sim) {
                           sim.set_bonded_constants(test_constants());
                           std::vector<Tag> tags;
                           for (int p = 0; p < kind.particles; ++p) tags.push_back(p);
                           sim.add_bonded(kind.name, tags, {0}, some_parameters(kind));
                       }});
    all.push_back(
        {"reaction field", [](Simulation& sim) { add_nonbonded(sim, Coulomb::reaction_field); }});
    all.push_back({"mesh", add_mesh});
    all.push_back({"field", [](Simulation& sim) {
                       add_nonbonded(sim, Coulomb::reaction_field);
                       ElectricField field;
                       field.strength = {0, 0, 2};
                       sim.set_electric_field(field);
                   }});
    return all;
}

std::vector<Feature> bindings() {
    std::vector<Feature> all;
    const auto rigid = [&](const std::string& name, ConstraintSpec spec) {
        all.push_back({name, [spec](Simulation& sim) {
                           add_nonbonded(sim, Coulomb::reaction_field);
                           sim.set_constraints(spec);
                       }});
    };
    ConstraintSpec settle, pair, star, chain;
    settle.settle = one({0, 1, 2}, {0.1, 0.16});
    pair.constraint = one({0, 1}, {0.1});
    star.constraint = {{0, 1, 0, 2, 0, 3}, {0, 0, 0}, {0.1}};
    chain.constraint = {{0, 1, 1, 2, 2, 3, 3, 4, 4, 5}, {0, 0, 0, 0, 0}, {0.1}};
    rigid("settle", settle), rigid("pair", pair), rigid("star", star), rigid("chain", chain);
    const auto site = [&](const std::string& name, TermColumns SiteSpec::*kind, TermColumns terms) {
        all.push_back({name, [kind, terms](Simulation& sim) {
                           add_nonbonded(sim, Coulomb::reaction_field);
                           SiteSpec spec;
                           spec.n = count;
                           spec.*kind = terms;
                           sim.set_sites(spec);
                       }});
    };
    site("vsite1", &SiteSpec::vsite1, one({5, 0}, {}));
    site("vsite2", &SiteSpec::vsite2, one({5, 0, 1}, {0.3}));
    site("vsite2fd", &SiteSpec::vsite2fd, one({5, 0, 1}, {0.07}));
    site("vsite3", &SiteSpec::vsite3, one({5, 0, 1, 2}, {0.2, 0.35}));
    site("vsite3fd", &SiteSpec::vsite3fd, one({5, 0, 1, 2}, {0.4, 0.1}));
    site("vsite3fad", &SiteSpec::vsite3fad, one({5, 0, 1, 2}, {2.0, 0.11}));
    site("vsite3out", &SiteSpec::vsite3out, one({5, 0, 1, 2}, {-0.2, 0.3, 4.0}));
    site("vsite4fdn", &SiteSpec::vsite4fdn, one({5, 0, 1, 2, 3}, {0.8, 1.1, 0.12}));
    site("vsiten", &SiteSpec::vsiten, {{5, 0, 5, 1}, {0, 1}, {0.5, 0.5}});
    return all;
}

std::vector<Feature> features() {
    auto all = forces();
    for (auto& one : bindings()) all.push_back(std::move(one));
    return all;
}

using Columns = std::vector<Vec3d>;

std::vector<Scene> scenes() {
    return {{"usual", [](Columns&) {}},
            {"coincident", [](Columns& r) { r[1] = r[0]; }},
            {"all on one spot",
             [](Columns& r) {
                 r.assign(r.size(), Vec3d{0.3, 0.2, 0.1});
             }},
            {"zero", [](Columns& r) { r.assign(r.size(), Vec3d{}); }},
            {"in a line",
             [](Columns& r) {
                 for (std::size_t i = 0; i < r.size(); ++i) r[i] = {0.2 * double(i), 0, 0};
             }},
            {"not a number", [](Columns& r) { r[1].y = nan; }},
            {"infinite", [](Columns& r) { r[0].z = std::numeric_limits<double>::infinity(); }},
            {"1e30", [](Columns& r) { r[1].x = 1e30; }},
            {"minus 1e30", [](Columns& r) { r[2].z = -1e30; }},
            {"other boxes", [](Columns& r) {
                 r[1] += Vec3d{12, -18, 6}, r[3].x -= 60;
             }}};
}

/// Outcome of a run.
struct Outcome {
    std::string error;  ///< empty: none
    double energy = 0;
    std::vector<Vec3d> force;
    Columns position;
};

std::unique_ptr<Simulation> open(const DeviceSpec& device, Precision precision,
                                 const Columns& position) {
    ParticleData data;
    const auto n = position.size();
    data.position = position;
    data.velocity.resize(n), data.mass.assign(n, 12.0), data.type.assign(n, 0);
    data.image.resize(n);
    for (std::size_t i = 0; i < n; ++i) data.charge.push_back(i % 2 == 0 ? 0.4 : -0.4);
    auto sim = std::make_unique<Simulation>(device, precision, core::Box{6, 6, 6}, data, 1, 7);
    auto motion = nve(1e-5);
    motion.scheme = Scheme::leap_frog;
    sim->set_motion(motion, {});
    return sim;
}

/// A zigzag.
Columns usual() {
    Columns r;
    for (int i = 0; i < count; ++i)
        r.push_back({0.08 * i, i % 2 == 0 ? 0.0 : 0.06, i % 3 == 0 ? 0.0 : 0.05});
    return r;
}

Outcome outcome(const DeviceSpec& device, Precision precision, const Feature& feature,
                const Columns& position, bool look = true) {
    Outcome out;
    try {
        const auto sim = open(device, precision, usual());
        feature.add(*sim);
        // Constructors refuse what is not finite; an edit of the arrays gets farther.
        device::copy_from_host(sim->queue(), sim->particles().position.view(), position.data());
        sim->edited();
        sim->constrain_start();
        if (look) {
            out.energy = sim->thermo().potential;
            const auto tags = download_tags(sim->queue(), sim->particles());
            out.force = to_tag_order(sim->forces(), tags);
        }
        sim->run(3, no_interruption);
        out.position = phase(*sim).position;
    } catch (const core::Error& e) {
        out.error = e.what();
    }
    return out;
}

bool finite(const Columns& of) {
    for (const auto& v : of)
        if (!std::isfinite(v.x + v.y + v.z)) return false;
    return true;
}

class ImpossiblePositions : public ::testing::TestWithParam<Feature> {};
INSTANTIATE_TEST_SUITE_P(Features, ImpossiblePositions, ::testing::ValuesIn(features()),
                         [](const auto& p) {
                             std::string name;
                             for (const char c : p.param.name)
                                 if (std::isalnum(static_cast<unsigned char>(c))) name += c;
                             return name;
                         });

TEST_P(ImpossiblePositions, GiveNumbersOrAnError) {
    for (const auto& scene : scenes()) {
        auto position = usual();
        scene.change(position);
        const bool lost = !finite(position) || scene.name.ends_with("1e30");
        std::vector<Outcome> right;
        for (const auto precision : {Precision::full, Precision::mixed})
            for (const auto& device : everywhere()) {
                // Queues that are late do the same in both precisions.
                if (device.threads > 2 || (hostile_environment() && precision != Precision::full))
                    continue;
                SCOPED_TRACE(scene.name + " on " + name_of(device) +
                             (precision == Precision::full ? ", double" : ", mixed"));
                const auto found = outcome(device, precision, GetParam(), position);
                EXPECT_TRUE(!lost || !found.error.empty());
                if (found.error.empty()) {
                    EXPECT_TRUE(std::isfinite(found.energy)) << found.energy;
                    EXPECT_TRUE(finite(found.force));
                    EXPECT_TRUE(finite(found.position));
                } else {
                    EXPECT_NE(found.error.find("particle"), std::string::npos) << found.error;
                }
                if (precision == Precision::full) right.push_back(found);
            }
        // The engines round differently, and agree.
        for (const auto& other : right) {
            SCOPED_TRACE(scene.name);
            EXPECT_EQ(other.error.empty(), right[0].error.empty()) << other.error << right[0].error;
            if (!other.error.empty() || !right[0].error.empty()) continue;
            EXPECT_NEAR(other.energy, right[0].energy, 1e-9 * (1 + std::abs(right[0].energy)));
        }
    }
}

TEST_P(ImpossiblePositions, OtherBoxesChangeNothing) {
    auto moved = usual();
    for (std::size_t i = 0; i < moved.size(); ++i)
        moved[i] += Vec3d{6.0 * double(i % 3), -12.0 * double(i % 2), 6.0};
    const auto here = outcome(host(1), Precision::full, GetParam(), usual());
    const auto there = outcome(host(1), Precision::full, GetParam(), moved);
    ASSERT_EQ(here.error, there.error);
    EXPECT_NEAR(here.energy, there.energy, 1e-8 * (1 + std::abs(here.energy)));
}

/// The term to blame, for molecules in every engine.
TEST(ImpossiblePositionsOfMolecules, NameTheTerm) {
    struct Case {
        const char *feature, *scene, *words;
    };
    const Case cases[] = {{"settle", "all on one spot", "its settle with particle"},
                          {"pair", "coincident", "its constraint with particle"},
                          {"star", "coincident", "its constraint with particle"},
                          {"chain", "all on one spot", "its constraint with particle"},
                          {"vsite2fd", "coincident", "virtual site"},
                          {"vsite3fd", "all on one spot", "virtual site"},
                          {"vsite4fdn", "all on one spot", "virtual site"},
                          {"term pair", "coincident", "pair with particle"},
                          {"reaction field", "all on one spot", "vdw with particle"},
                          {"mesh", "all on one spot", "vdw with particle"}};
    const auto all = features();
    const auto different = scenes();
    for (const auto& one : cases)
        for (const auto& device : everywhere()) {
            SCOPED_TRACE(std::string(one.feature) + " on " + name_of(device));
            const auto feature = std::ranges::find(all, one.feature, &Feature::name);
            const auto scene = std::ranges::find(different, one.scene, &Scene::name);
            ASSERT_TRUE(feature != all.end() && scene != different.end());
            auto position = usual();
            scene->change(position);
            const auto found = outcome(device, Precision::mixed, *feature, position, false);
            EXPECT_NE(found.error.find(one.words), std::string::npos) << found.error;
        }
}

TEST(FewParticles, OneAndNoneAreRun) {
    for (const auto& device : everywhere())
        for (const std::size_t n : {0u, 1u})
            for (const bool mesh : {false, true}) {
                SCOPED_TRACE(name_of(device) + " " + std::to_string(n));
                try {
                    const auto sim = open(device, Precision::mixed, Columns(n));
                    NonbondedSpec spec;
                    spec.n_types = 1, spec.c6 = {4e-3}, spec.c12 = {4e-6};
                    spec.r_vdw = spec.r_coulomb = 1.2, spec.coulomb_constant = 138.9;
                    if (mesh) spec.coulomb = Coulomb::ewald, spec.beta = 2.6;
                    sim->set_nonbonded(spec);
                    if (mesh) sim->set_mesh({.grid = {32, 32, 32}});
                    sim->run(3, no_interruption);
                    EXPECT_TRUE(std::isfinite(sim->thermo().potential));
                } catch (const core::Error& e) {
                    EXPECT_TRUE(n == 0) << e.what();
                }
            }
}

TEST(AbsurdNumbers, OfConstraintsAreRefused) {
    const auto refused = [](double d_oh, double d_hh, double mass, int order) {
        ParticleData data;
        data.position = {{0, 0, 0}, {0.08, 0.06, 0}, {-0.08, 0.06, 0}};
        data.velocity.resize(3), data.mass.assign(3, mass), data.type.assign(3, 0);
        data.image.resize(3);
        try {
            Simulation sim(host(1), Precision::mixed, {6, 6, 6}, data, 1, 7);
            sim.set_motion(nve(1e-3), {});
            ConstraintSpec spec;
            spec.settle = one({0, 1, 2}, {d_oh, d_hh});
            spec.order = order;
            sim.set_constraints(spec);
            sim.constrain_start();
        } catch (const core::InputError&) {
            return true;
        }
        return false;
    };
    EXPECT_FALSE(refused(0.1, 0.16, 18, 4));
    EXPECT_TRUE(refused(1e60, 1e60, 18, 4));
    EXPECT_TRUE(refused(1e-300, 1e-300, 18, 4));
    EXPECT_TRUE(refused(0.1, 0.16, 1e200, 4));
    EXPECT_TRUE(refused(0.1, 0.16, 18, 1000000000));
}

}  // namespace
}  // namespace aureole::md::testing
