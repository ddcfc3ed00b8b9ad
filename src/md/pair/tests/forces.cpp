// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <functional>

#include "md/pair/tests/all_pairs.hpp"
#include "md/pair/tests/leaf_parameters.hpp"
#include "md/simulation/tests/systems.hpp"

// Forces, energies and virials of the pair list against all pairs in double precision, at the
// coordinates that the kernel reads.
namespace aureole::md::testing {
namespace {

/// Made when its test runs: every process of the test lists all cases.
struct Case {
    std::string name;
    std::function<Start()> make;
    double r_cut;
    bool large = false;
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
    const auto drop = [](const core::Box& box, int n, double apart = 0.9) {
        return [=] { return liquid(box, n, apart); };
    };
    const auto crystal = [](int cells, double noise) {
        return [=] { return fcc(cells, 0.8442, noise); };
    };
    return {{"liquid", drop(ortho, 400), 2.5},
            {"tilted", drop(tilted, 480), 2.5},
            {"skewed", drop(skewed, 400), 2.0},
            {"crystal", crystal(5, 0.05), 2.5},
            {"large_crystal", crystal(10, 0.08), 3.0, true},
            {"large_liquid", drop({20, 21, 19}, 4500, 0.88), 2.5, true},
            {"large_tilted", drop({20, 19, 21, -0.4, 0.3, 0.45}, 4500, 0.88), 3.0, true},
            {"just_above_twice_the_cut_off", drop(least, 70), 2.5},
            {"small_tilted", drop({6, 6, 6, 0.3, 0.2, -0.3}, 130), 2.5},
            {"long", drop(long_one, 1300), 2.5},
            {"open", drop(open(ortho, false, false, false), 400), 2.5},
            {"open_along_x", drop(open(ortho, false, true, true), 400), 2.5},
            {"open_along_y", drop(open(tilted, true, false, true), 400), 2.5},
            {"open_along_z", drop(open(tilted, true, true, false), 400), 2.5},
            {"dilute", drop({200, 150, 180}, 900), 2.5},
            {"one", drop(ortho, 1), 2.5},
            {"two", drop({5.5, 5.5, 5.5}, 2), 2.5},
            {"five", drop({5.5, 5.5, 5.5}, 5), 2.5}};
}

/// The bounds asked for; the reasons are 24 and 53 bits of a sum of some tens of pair forces.
template <class T>
constexpr ForceError bound = sizeof(T) == 4 ? ForceError{1e-6, 2e-5} : ForceError{1e-12, 1e-12};
/// Bound for the force of a pair alone, whose roundings do not average: 3 of 24 bits in r^2 where
/// nothing is fused, 7 times as much in r^-14, and 7 of the products.
constexpr double bound_of_a_pair = 28 * 0x1p-24;

template <class T>
void check(const Start& start, double r_cut, const DeviceSpec& device,
           EnergyMode mode = EnergyMode::none, int n_types = 1) {
    constexpr auto precision = sizeof(T) == 4 ? Precision::mixed : Precision::full;
    SCOPED_TRACE("on " + name_of(device) + (sizeof(T) == 4 ? ", mixed" : ", double"));
    const auto sim =
        simulate(start, lennard_jones(r_cut, mode, n_types), nve(0.005), device, precision);
    const auto force = sim->forces();
    const auto want = all_pairs<T>(sim->queue(), sim->system());
    const auto error = compare(force, want.force);
    const bool few = sizeof(T) == 4 && force.size() < 10;
    const double rms = few ? bound_of_a_pair : bound<T>.rms;
    EXPECT_LE(error.rms, rms);
    EXPECT_LE(error.largest, bound<T>.largest);
    ::testing::Test::RecordProperty(std::string(sizeof(T) == 4 ? "mixed" : "double") + "_rms",
                                    std::to_string(error.rms * 1e9) + "e-9");

    const auto thermo = sim->thermo();
    // Where the energy of a pair crosses zero, it errs by what its slope makes of that of r^2.
    const double of_slopes = few ? 1.5 * 0x1p-24 * want.absolute_virial : 0;
    const double energy_error = rms * (want.absolute_energy + 1e-6) + of_slopes;
    const double virial_error = rms * (want.absolute_virial + 1e-6);
    EXPECT_NEAR(thermo.potential, want.total.energy, energy_error);
    EXPECT_LE(largest_component(thermo.virial + (-1.0) * want.total.virial), virial_error);
    const double volume = start.box.volume();
    EXPECT_NEAR(thermo.pressure, (2 * thermo.kinetic + want.total.virial.trace()) / (3 * volume),
                virial_error / volume);
    EXPECT_LE(compare(sim->forces(), want.force).rms, rms);  // with energies too

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
        const bool slow = core::sanitized || hostile_environment();
        if (slow && GetParam().large)
            GTEST_SKIP() << "all pairs of many particles take too long here; small boxes run";
    }
};

TEST_P(Forces, MixedPrecision) {
    const auto start = GetParam().make();
    for (const auto& device : everywhere()) check<float>(start, GetParam().r_cut, device);
}
TEST_P(Forces, DoublePrecision) {
    const auto start = GetParam().make();
    for (const auto& device : everywhere()) check<double>(start, GetParam().r_cut, device);
}
INSTANTIATE_TEST_SUITE_P(Boxes, Forces, ::testing::ValuesIn(cases()),
                         [](const auto& p) { return p.param.name; });

class ForceModes : public ::testing::TestWithParam<EnergyMode> {};

TEST_P(ForceModes, AgreeForOneTypeAndForThree) {
    const core::Box tilted{10, 9, 9.5, 0.35, -0.2, 0.4};
    for (const auto& device : everywhere())
        for (const int n_types : {1, 3}) {
            const auto start = liquid(tilted, 480, 0.9, 1, 4, n_types);
            SCOPED_TRACE(std::to_string(n_types) + " types");
            check<float>(start, 2.5, device, GetParam(), n_types);
            check<double>(start, 2.5, device, GetParam(), n_types);
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
