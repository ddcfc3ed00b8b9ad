// SPDX-License-Identifier: Apache-2.0
#include "md/pair/ewald_split.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/simd.hpp"
#include "md/longrange/ewald.hpp"
#include "md/pair/nonbonded.hpp"

namespace aureole::md {
namespace {

/// erf(x)/x with z = x², and its force, with 64 bits: by their series where differences cancel.
long double energy_of(long double z) {
    if (z > 1) return std::erf(std::sqrt(z)) / std::sqrt(z);
    long double sum = 0, term = 1;
    for (int k = 0; k < 40; term *= -z / ++k) sum += term / (2 * k + 1);
    return 2 * std::numbers::inv_sqrtpi_v<long double> * sum;
}
long double force_of(long double z) {
    if (z > 1)
        return (energy_of(z) - 2 * std::numbers::inv_sqrtpi_v<long double> * std::exp(-z)) / z;
    long double sum = 0, term = 1;
    for (int k = 0; k < 40; term *= -z / ++k) sum += term / (2 * k + 3);
    return 4 * std::numbers::inv_sqrtpi_v<long double> * sum;
}

/// In parts of the values at 0, or of the values themselves.
template <bool wide, class T>
void expect_close(double tolerance, bool relative = false) {
    const double last = wide ? split_fit::wide_last : split_fit::last;
    double worst_force = 0, worst_energy = 0;
    for (int k = 0; k <= 200000; ++k) {
        const T z = static_cast<T>(last * k / 200000 * k / 200000);
        const auto right_force = force_of(z), right_energy = energy_of(z);
        const auto force = static_cast<long double>(ewald_force<wide>(z)) - right_force;
        const auto energy = static_cast<long double>(ewald_energy<wide>(z)) - right_energy;
        const auto unit_force = relative ? right_force : force_of(0);
        const auto unit_energy = relative ? right_energy : energy_of(0);
        worst_force = std::max(worst_force, std::abs(double(force / unit_force)));
        worst_energy = std::max(worst_energy, std::abs(double(energy / unit_energy)));
    }
    EXPECT_LT(worst_force, tolerance);
    EXPECT_LT(worst_energy, tolerance);
    ::testing::Test::RecordProperty("force", std::to_string(worst_force));
}

TEST(EwaldSplit, IsErfInSinglePrecision) { expect_close<false, float>(2e-7); }
TEST(EwaldSplit, IsErfInDoublePrecision) { expect_close<false, double>(1e-13); }
TEST(EwaldSplit, WideFitsAreErfInSinglePrecision) { expect_close<true, float>(1e-6, true); }
TEST(EwaldSplit, WideFitsAreErfInDoublePrecision) { expect_close<true, double>(2e-15); }

TEST(EwaldSplit, StaysAtItsLastValueBeyondTheFits) {
    EXPECT_EQ(ewald_force(17.0), ewald_force(16.0));
    EXPECT_EQ(ewald_energy(1e30f), ewald_energy(16.0f));
    EXPECT_EQ(ewald_force<true>(40.0), ewald_force<true>(33.0));
}

TEST(EwaldSplit, IsErfAtAnyDistanceByItsDefinition) {
    for (const double z : {0.5, 2.0, 16.0, 40.0, 1e4}) {
        const EwaldFar far(z);
        EXPECT_NEAR(far.force, double(force_of(z)), 1e-15 * double(force_of(0)));
        EXPECT_NEAR(far.energy, double(energy_of(z)), 1e-15 * double(energy_of(0)));
    }
}

TEST(EwaldSplit, ForceIsTheSlopeOfTheEnergy) {
    for (const double z : {0.0, 0.3, 2.0, 9.0}) {
        const double h = 1e-4, at = z + h;
        const double slope = (ewald_energy(at + h) - ewald_energy(at - h)) / (2 * h);
        EXPECT_NEAR(-2 * slope, ewald_force(at), 1e-8);
    }
}

/// Cubics in single precision err by less than a tenth of what the cut-off leaves out; where they
/// would not, there are none.
TEST(EwaldSplit, CubicsServeTheTolerancesThatTheyMeet) {
    for (const double tolerance : {1e-3, 1e-4, 1e-5, 1e-6, 1e-8}) {
        SCOPED_TRACE(tolerance);
        NonbondedSpec spec;
        spec.n_types = 1, spec.c6 = {0}, spec.c12 = {0};
        spec.coulomb = Coulomb::ewald, spec.coulomb_constant = 1;
        spec.r_coulomb = spec.r_vdw = 0.9, spec.beta = ewald_beta(0.9, tolerance);
        const Nonbonded nonbonded(spec);
        EXPECT_EQ(nonbonded.tables<double>().numbers.mesh_cubics.scale, 0);
        const auto tables = nonbonded.tables<float>();
        const auto cubics = tables.numbers.mesh_cubics;
        ASSERT_EQ(cubics.scale > 0, tolerance >= 1e-5);
        if (cubics.scale == 0) continue;
        const double cube = std::pow(spec.beta, 3), square = spec.beta * spec.beta;
        double worst = 0;
        for (int k = 0; k <= 20000; ++k) {
            const float r2 = 0.81f * static_cast<float>(k) / 20000;
            const float x = r2 * cubics.scale, interval = std::nearbyint(x), d = x - interval;
            const float* const of = cubics.of + static_cast<int>(interval);
            float value = 0;
            for (int m = 3; m >= 0; --m) value = value * d + of[32 * m];
            const double want = cube * double(force_of(square * static_cast<long double>(r2)));
            worst = std::max(worst, std::abs(value - want));
        }
        const double left_out = 1 / std::pow(0.9, 3) - cube * double(force_of(square * 0.81));
        EXPECT_LT(worst, 0.12 * left_out);  // rounding comes on top
        EXPECT_GT(worst, 0);
    }
}

template <class T, int n>
void expect_packs_alike(double tolerance) {
    alignas(64) T z[n], force[n], energy[n];
    for (int k = 0; k < n; ++k) z[k] = static_cast<T>(0.01 + 1.3 * k);
    const auto pack = core::Pack<T, n>::load(z);
    ewald_force(pack).store(force), ewald_energy(pack).store(energy);
    for (int k = 0; k < n; ++k) {
        EXPECT_NEAR(force[k], ewald_force(z[k]), tolerance);
        EXPECT_NEAR(energy[k], ewald_energy(z[k]), tolerance);
    }
}

TEST(EwaldSplit, PacksAreNumbers) {
    expect_packs_alike<float, 16>(2e-7);
    expect_packs_alike<double, 16>(1e-15);
}

}  // namespace
}  // namespace aureole::md
