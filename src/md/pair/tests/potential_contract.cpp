// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "core/dual.hpp"
#include "core/simd.hpp"
#include "md/pair/leaves/lennard_jones.hpp"
#include "md/pair/leaves/wca.hpp"
#include "md/pair/tails.hpp"
#include "md/pair/tests/leaf_parameters.hpp"

// What every leaf file promises, whatever the potential.
namespace aureole::md::testing {
namespace {

class PotentialContract : public ::testing::TestWithParam<std::string> {
  protected:
    const Potential& leaf = potential(GetParam());

    /// f(force, type a, type b, cut-off) for every enabled pair of types in every mode.
    template <class F>
    void for_each_pair(F&& f) const {
        for (const auto mode : all_modes)
            for (const int n_types : {1, 3}) {
                const PairForce force(leaf_spec(leaf, mode, n_types));
                for (int a = 0; a < n_types; ++a)
                    for (int b = 0; b < n_types; ++b) {
                        const double r_cut = force.spec().r_cut[a * n_types + b];
                        SCOPED_TRACE(std::string("mode ") + name_of(mode) + ", types " +
                                     std::to_string(a) + " " + std::to_string(b));
                        if (r_cut > 0) f(force, a, b, r_cut);
                    }
            }
    }
};

/// Force from energies by differences of the fourth order.
double slope(const PairForce& force, int a, int b, double r) {
    const double h = 3e-4 * r;
    const auto u = [&](double x) { return force.evaluate(a, b, pair_at(force, x)).energy; };
    return (8 * (u(r + h) - u(r - h)) - (u(r + 2 * h) - u(r - 2 * h))) / (12 * h);
}

TEST_P(PotentialContract, TheForceIsTheSlopeOfTheEnergy) {
    for_each_pair([](const PairForce& force, int a, int b, double r_cut) {
        for (double r = 0.35 * r_cut; r < 0.998 * r_cut; r += 0.0173 * r_cut) {
            // The switch bends at its radius: differences do not hold across it.
            const double r_switch = force.spec().r_switch[0];
            if (force.spec().mode == EnergyMode::xplor && std::abs(r / r_switch - 1) < 2e-2)
                continue;
            const auto pair = force.evaluate(a, b, pair_at(force, r));
            const double du = slope(force, a, b, r);
            const double scale = std::abs(du) + std::abs(pair.energy) / r + 1e-3;
            EXPECT_NEAR(pair.force_over_r * r, -du, 1e-7 * scale) << "at r = " << r;
        }
    });
}

TEST_P(PotentialContract, ModesEndAsTheySay) {
    for_each_pair([](const PairForce& force, int a, int b, double r_cut) {
        const double inside = r_cut * (1 - 1e-9);
        const auto end = force.evaluate(a, b, pair_at(force, inside));
        const auto before = force.evaluate(a, b, pair_at(force, 0.9 * r_cut));
        const double scale = std::abs(before.energy) + std::abs(before.force_over_r) + 1e-3;
        const auto mode = force.spec().mode;
        if (mode != EnergyMode::none) {
            EXPECT_NEAR(end.energy, 0, 1e-6 * scale);
        }
        if (mode == EnergyMode::xplor || mode == EnergyMode::force_shift) {
            EXPECT_NEAR(end.force_over_r, 0, 1e-6 * scale);
        }
        const auto beyond = force.evaluate(a, b, pair_at(force, r_cut * (1 + 1e-9)));
        EXPECT_EQ(beyond.energy, 0);
        EXPECT_EQ(beyond.force_over_r, 0);
    });
}

TEST_P(PotentialContract, ModesLeaveWhatTheyShouldAlone) {
    const PairForce none(leaf_spec(leaf, EnergyMode::none, 1));
    const PairForce shift(leaf_spec(leaf, EnergyMode::shift, 1));
    const PairForce xplor(leaf_spec(leaf, EnergyMode::xplor, 1));
    const double r_cut = none.r_cut_max(), r_switch = xplor.spec().r_switch[0];
    const auto at = [](const PairForce& force, double r) {
        return force.evaluate(0, 0, pair_at(force, r));
    };
    const double lift = at(none, 0.6 * r_cut).energy - at(shift, 0.6 * r_cut).energy;
    for (double r = 0.4 * r_cut; r < r_cut; r += 0.01 * r_cut) {
        const auto plain = at(none, r), shifted = at(shift, r), switched = at(xplor, r);
        const double scale = std::abs(plain.energy) + std::abs(lift);
        EXPECT_EQ(shifted.force_over_r, plain.force_over_r);
        EXPECT_NEAR(plain.energy - shifted.energy, lift, 1e-12 * scale);
        if (r > r_switch) continue;
        EXPECT_EQ(switched.energy, plain.energy);
        EXPECT_EQ(switched.force_over_r, plain.force_over_r);
    }
    const auto after = at(xplor, r_switch * (1 + 1e-9)), before = at(none, r_switch);
    EXPECT_NEAR(after.energy, before.energy, 1e-6 * (std::abs(before.energy) + 1e-3));
    EXPECT_NEAR(after.force_over_r, before.force_over_r,
                1e-6 * (std::abs(before.force_over_r) + 1e-3));
}

TEST_P(PotentialContract, ADisabledPairIsNothing) {
    const PairForce force(leaf_spec(leaf, EnergyMode::force_shift, 3));
    for (double r = 0.1; r < 3; r += 0.1) {
        EXPECT_EQ(force.evaluate(0, 2, pair_at(force, r)).energy, 0);
        EXPECT_EQ(force.evaluate(2, 0, pair_at(force, r)).force_over_r, 0);
    }
}

TEST_P(PotentialContract, SaysWhatItIs) {
    EXPECT_STREQ(leaf.name, GetParam().c_str());
    EXPECT_GT(std::string(leaf.words).size(), 10u);
    for (const auto& p : leaf.parameters) {
        EXPECT_NE(std::string(p.name), "");
        EXPECT_NE(std::string(p.unit), "") << p.name;
        EXPECT_NE(std::string(p.words), "") << p.name;
    }
    EXPECT_EQ(leaf.kernels_of_isa.size(), device::compiled_isas().size());
}

INSTANTIATE_TEST_SUITE_P(Leaves, PotentialContract, ::testing::ValuesIn(leaf_names()),
                         [](const auto& p) { return p.param; });

/// A potential without its own force, which then comes from the energy by dual numbers.
template <class P>
struct EnergyAlone {
    static constexpr auto& parameters = P::parameters;
    static constexpr auto coefficients(const std::array<double, parameter_count<P>>& p) {
        return P::coefficients(p);
    }
    template <class R>
    AUREOLE_FN static R energy(R r2, const Coefficients<R, coefficient_count<P>>& c) {
        return P::energy(r2, c);
    }
};

template <class P>
void dual_agrees() {
    const auto c = derive_coefficients<P>({1.3, 0.9});
    for (double r = 0.7; r < 3; r += 0.05) {
        const double own = force_over_r<P, double>(r * r, c);
        const double from_energy = force_over_r<EnergyAlone<P>, double>(r * r, c);
        const double scale = std::abs(own) + std::abs(P::energy(r * r, c)) / (r * r);
        EXPECT_NEAR(own, from_energy, 1e-13 * scale) << "at r = " << r;
    }
}

TEST(PotentialDual, GivesTheForceOfTheEnergy) {
    dual_agrees<leaves::LennardJones>();
    dual_agrees<leaves::WCA>();
}

/// Branches in its energy, and leaves its force to dual numbers.
struct Ramp {
    static constexpr Parameter parameters[] = {{"epsilon", "energy", "height"}};
    template <class R>
    AUREOLE_FN static R energy(R r2, const Coefficients<R, 1>& c) {
        return select(r2 < R(4), c[0] * (R(4) - r2) * (R(4) - r2), R(0));
    }
};

TEST(PotentialDual, FollowsBranches) {
    using P = core::Pack<float, 8>;
    alignas(64) float r2[8], found[8];
    for (int k = 0; k < 8; ++k) r2[k] = 0.5F + static_cast<float>(k);
    force_over_r<Ramp, P>(P::load(r2), {P(1.5F)}).store(found);
    for (int k = 0; k < 8; ++k) {
        const double slope = r2[k] < 4 ? -3.0 * (4 - r2[k]) : 0;  // dU/d(r²)
        EXPECT_NEAR(found[k], -2 * slope, 1e-5) << r2[k];
        EXPECT_NEAR((force_over_r<Ramp, double>(r2[k], {1.5})), -2 * slope, 1e-13);
    }
}

TEST(LennardJones, HasItsTextbookValues) {
    const PairForce lj({"LennardJones", 1, {1.5, 1.2}, {4.0}, {0.0}});
    const double at_minimum = 1.2 * std::pow(2.0, 1.0 / 6);
    EXPECT_NEAR(lj.evaluate(0, 0, 1.44).energy, 0, 1e-14);
    EXPECT_NEAR(lj.evaluate(0, 0, at_minimum * at_minimum).energy, -1.5, 1e-14);
    EXPECT_NEAR(lj.evaluate(0, 0, at_minimum * at_minimum).force_over_r, 0, 1e-13);
    EXPECT_NEAR(lj.evaluate(0, 0, 1.44).force_over_r * 1.44, 24 * 1.5, 1e-12);
}

TEST(LennardJones, TailCorrectionsAreTheTextbooks) {
    // Allen & Tildesley, Computer Simulation of Liquids (2017), eqs. 2.144 and 2.145
    PairForceSpec spec{"LennardJones", 1, {1.0, 1.0}, {3.0}, {0.0}};
    EXPECT_EQ(tail_of(PairForce(spec), 1000, {800}).energy, 0);
    spec.tail_correction = true;
    const auto tail = tail_of(PairForce(spec), 1000, {800});
    const double pi = std::acos(-1.0), density = 0.8, s3 = 1.0 / 27, s9 = s3 * s3 * s3;
    EXPECT_NEAR(tail.energy, 800 * 8 * pi / 9 * density * (s9 - 3 * s3), 1e-9);
    const double pressure = 32 * pi / 9 * density * density * (s9 - 1.5 * s3);
    EXPECT_NEAR(tail.virial.trace() / (3 * 1000), pressure, 1e-12);
}

}  // namespace
}  // namespace aureole::md::testing
