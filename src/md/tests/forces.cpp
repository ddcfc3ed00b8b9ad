// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "md/tests/all_pairs.hpp"
#include "md/tests/leaf_parameters.hpp"
#include "md/tests/systems.hpp"

// Forces, energies and virials of the pair list against all pairs in double precision, at the
// coordinates that the kernel reads.
namespace aureole::md::testing {
namespace {

struct Case {
    std::string name;
    Start start;
    double r_cut;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

core::Box open(core::Box box, bool x, bool y, bool z) {
    box.periodic_x = x, box.periodic_y = y, box.periodic_z = z;
    return box;
}

std::vector<Case> cases() {
    const core::Box ortho{9, 10, 8}, tilted{10, 9, 9.5, 0.35, -0.2, 0.4};
    const core::Box least{5.001, 5.002, 5.003}, long_one{60, 6, 7};
    const core::Box skewed{10, 9, 8, 1.2, -0.9, 0.8};
    return {{"liquid", liquid(ortho, 400, 0.9), 2.5},
            {"tilted", liquid(tilted, 480, 0.9), 2.5},
            {"skewed", liquid(skewed, 400, 0.9), 2.0},
            {"crystal", fcc(5, 0.8442, 0.05), 2.5},
            {"large_crystal", fcc(10, 0.8442, 0.08), 3.0},
            {"large_liquid", liquid({20, 21, 19}, 4500, 0.88), 2.5},
            {"large_tilted", liquid({20, 19, 21, -0.4, 0.3, 0.45}, 4500, 0.88), 3.0},
            {"just_above_twice_the_cut_off", liquid(least, 70, 0.9), 2.5},
            {"small_tilted", liquid({6, 6, 6, 0.3, 0.2, -0.3}, 130, 0.9), 2.5},
            {"long", liquid(long_one, 1300, 0.9), 2.5},
            {"open", liquid(open(ortho, false, false, false), 400, 0.9), 2.5},
            {"open_along_x", liquid(open(ortho, false, true, true), 400, 0.9), 2.5},
            {"open_along_y", liquid(open(tilted, true, false, true), 400, 0.9), 2.5},
            {"open_along_z", liquid(open(tilted, true, true, false), 400, 0.9), 2.5},
            {"dilute", liquid({200, 150, 180}, 900, 0.9), 2.5},
            {"one", liquid(ortho, 1, 0.9), 2.5},
            {"two", liquid({5.5, 5.5, 5.5}, 2, 0.9), 2.5},
            {"five", liquid({5.5, 5.5, 5.5}, 5, 0.9), 2.5}};
}

/// The bounds asked for; the reasons are 24 and 53 bits of a sum of some tens of pair forces.
template <class T>
constexpr ForceError bound = sizeof(T) == 4 ? ForceError{1e-6, 2e-5} : ForceError{1e-12, 1e-12};

template <class T>
void check(const Case& c, const DeviceSpec& device, EnergyMode mode = EnergyMode::none,
           int n_types = 1) {
    constexpr auto precision = sizeof(T) == 4 ? Precision::mixed : Precision::full;
    SCOPED_TRACE(c.name + " on " + name_of(device) + (sizeof(T) == 4 ? ", mixed" : ", double"));
    const auto sim =
        simulate(c.start, lennard_jones(c.r_cut, mode, n_types), nve(0.005), device, precision);
    const auto force = sim->forces();
    const auto want = all_pairs<T>(sim->queue(), sim->system());
    const auto error = compare(force, want.force);
    EXPECT_LE(error.rms, bound<T>.rms);
    EXPECT_LE(error.largest, bound<T>.largest);
    ::testing::Test::RecordProperty(std::string(sizeof(T) == 4 ? "mixed" : "double") + "_rms",
                                    std::to_string(error.rms * 1e9) + "e-9");

    const auto thermo = sim->thermo();
    const double energy_error = bound<T>.rms * (want.absolute_energy + 1e-6);
    const double virial_error = bound<T>.rms * (want.absolute_virial + 1e-6);
    EXPECT_NEAR(thermo.potential, want.total.energy, energy_error);
    EXPECT_LE(largest_component(thermo.virial + (-1.0) * want.total.virial), virial_error);
    const double volume = c.start.box.volume();
    EXPECT_NEAR(thermo.pressure, (2 * thermo.kinetic + want.total.virial.trace()) / (3 * volume),
                virial_error / volume);
    EXPECT_LE(compare(sim->forces(), want.force).rms, bound<T>.rms);  // with energies too

    const auto sums = sim->particle_sums();
    EnergyVirial total;
    for (std::size_t i = 0; i < sums.energy.size(); ++i) {
        EXPECT_NEAR(sums.energy[i], want.energy[i], energy_error);
        total.energy += sums.energy[i];
        total.virial += sums.virial[i];
    }
    EXPECT_NEAR(total.energy, thermo.potential, energy_error);
    EXPECT_LE(largest_component(total.virial + (-1.0) * thermo.virial), virial_error);
}

class Forces : public ::testing::TestWithParam<Case> {
  protected:
    void SetUp() override {
        const bool slow = core::testing::sanitized || hostile_environment();
        if (slow && GetParam().start.particles.position.size() > 1500)
            GTEST_SKIP() << "all pairs of many particles take too long here; small boxes run";
    }
};

TEST_P(Forces, MixedPrecision) {
    for (const auto& device : everywhere()) check<float>(GetParam(), device);
}
TEST_P(Forces, DoublePrecision) {
    for (const auto& device : everywhere()) check<double>(GetParam(), device);
}
INSTANTIATE_TEST_SUITE_P(Boxes, Forces, ::testing::ValuesIn(cases()),
                         [](const auto& p) { return p.param.name; });

class ForceModes : public ::testing::TestWithParam<EnergyMode> {};

TEST_P(ForceModes, AgreeForOneTypeAndForThree) {
    const core::Box tilted{10, 9, 9.5, 0.35, -0.2, 0.4};
    for (const auto& device : everywhere())
        for (const int n_types : {1, 3}) {
            const Case c{"tilted", liquid(tilted, 480, 0.9, 1, 4, n_types), 2.5};
            check<float>(c, device, GetParam(), n_types);
            check<double>(c, device, GetParam(), n_types);
        }
}
INSTANTIATE_TEST_SUITE_P(All, ForceModes, ::testing::ValuesIn(all_modes),
                         [](const auto& p) { return std::string(name_of(p.param)); });

class ForceSets : public ::testing::TestWithParam<DeviceSpec> {};
INSTANTIATE_TEST_SUITE_P(Everywhere, ForceSets, ::testing::ValuesIn(everywhere()),
                         [](const auto& p) { return std::string(name_of(p.param)); });

TEST_P(ForceSets, SeveralForcesAddUp) {
    const auto start = liquid({9, 10, 8}, 400, 0.95);
    auto sim = simulate(start, lennard_jones(2.5), nve(0.005), GetParam(), Precision::full);
    sim->add_pair({"WCA", 1, {2.0, 1.05}, {1.05 * std::cbrt(std::sqrt(2.0))}, {0}});
    const auto force = sim->forces();
    const auto want = all_pairs<double>(sim->queue(), sim->system());
    EXPECT_LE(compare(force, want.force).rms, bound<double>.rms);
    const auto thermo = sim->thermo();
    ASSERT_EQ(thermo.of_force.size(), 2u);
    EXPECT_NEAR(thermo.of_force[0].energy + thermo.of_force[1].energy, want.total.energy,
                bound<double>.rms * want.absolute_energy);
    EXPECT_GT(thermo.of_force[1].energy, 0);
}

TEST_P(ForceSets, DisabledPairsFeelNothing) {
    const auto start = liquid({9, 10, 8}, 100, 0.9);
    const auto sim = simulate(start, lennard_jones(0), nve(0.005), GetParam());
    for (const auto& f : sim->forces()) EXPECT_EQ(f, (Vec3d{}));
    EXPECT_EQ(sim->thermo().potential, 0);
}

TEST_P(ForceSets, OnePairOfTypesMayBeDisabled) {
    const auto start = liquid({9, 10, 8}, 400, 0.9, 1, 2, 2);
    auto force = lennard_jones(2.5, EnergyMode::shift, 2);
    force.r_cut = {2.5, 0, 0, 1.7};
    auto sim = simulate(start, force, nve(0.005), GetParam());
    const auto got = sim->forces();
    const auto want = all_pairs<float>(sim->queue(), sim->system());
    EXPECT_LE(compare(got, want.force).rms, bound<float>.rms);
    EXPECT_LE(compare(got, want.force).largest, bound<float>.largest);
}

}  // namespace
}  // namespace aureole::md::testing
