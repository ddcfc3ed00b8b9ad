// SPDX-License-Identifier: Apache-2.0
#include "md/pair/ewald_split.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/simd.hpp"

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

template <class T>
void expect_close(double tolerance) {
    double worst_force = 0, worst_energy = 0;
    for (int k = 0; k <= 200000; ++k) {
        const T z = static_cast<T>(16.0L * k / 200000 * k / 200000);
        const auto force = static_cast<long double>(ewald_force(z)) - force_of(z);
        const auto energy = static_cast<long double>(ewald_energy(z)) - energy_of(z);
        worst_force = std::max(worst_force, std::abs(double(force / force_of(0))));
        worst_energy = std::max(worst_energy, std::abs(double(energy / energy_of(0))));
    }
    EXPECT_LT(worst_force, tolerance);
    EXPECT_LT(worst_energy, tolerance);
    ::testing::Test::RecordProperty("force", std::to_string(worst_force));
}

TEST(EwaldSplit, IsErfInSinglePrecision) { expect_close<float>(2e-7); }
TEST(EwaldSplit, IsErfInDoublePrecision) { expect_close<double>(1e-13); }

TEST(EwaldSplit, StaysAtItsLastValueBeyondSixteen) {
    EXPECT_EQ(ewald_force(17.0), ewald_force(16.0));
    EXPECT_EQ(ewald_energy(1e30f), ewald_energy(16.0f));
}

TEST(EwaldSplit, ForceIsTheSlopeOfTheEnergy) {
    for (const double z : {0.0, 0.3, 2.0, 9.0}) {
        const double h = 1e-4, at = z + h;
        const double slope = (ewald_energy(at + h) - ewald_energy(at - h)) / (2 * h);
        EXPECT_NEAR(-2 * slope, ewald_force(at), 1e-8);
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
