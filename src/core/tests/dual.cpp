// SPDX-License-Identifier: Apache-2.0
#include "core/dual.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/simd.hpp"

namespace aureole::core {
namespace {

using D = Dual<double>;
constexpr double close = 1e-14;

/// f and its derivative at x, as dual numbers say.
template <class F>
D at(double x, F f) {
    return f(D(x, 1));
}

TEST(Dual, ArithmeticFollowsTheRulesOfDifferentiation) {
    const double x = 1.7;
    EXPECT_NEAR(at(x, [](D a) { return a * a * a; }).slope, 3 * x * x, close * 10);
    EXPECT_NEAR(at(x, [](D a) { return D(1) / a; }).slope, -1 / (x * x), close);
    EXPECT_NEAR(at(x, [](D a) { return a / (a + D(1)); }).slope, 1 / ((1 + x) * (1 + x)), close);
    EXPECT_NEAR(at(x, [](D a) { return -a - D(2) * a; }).slope, -3, close);
    EXPECT_EQ(at(x, [](D) { return D(5); }).slope, 0);
}

TEST(Dual, ElementaryFunctionsHaveTheirDerivatives) {
    const double x = 0.8, root = std::sqrt(x);
    const auto check = [](D got, double value, double slope) {
        EXPECT_NEAR(got.value, value, close * 10);
        EXPECT_NEAR(got.slope, slope, close * 10);
    };
    check(at(x, [](D a) { return recip(a); }), 1 / x, -1 / (x * x));
    check(at(x, [](D a) { return sqrt(a); }), root, 0.5 / root);
    check(at(x, [](D a) { return rsqrt(a); }), 1 / root, -0.5 / (x * root));
    check(at(x, [](D a) { return exp(a); }), std::exp(x), std::exp(x));
    check(at(x, [](D a) { return erfc(a); }), std::erfc(x),
          -2 / std::sqrt(std::acos(-1.0)) * std::exp(-x * x));
}

TEST(Dual, ChainsThroughCompositions) {
    const double x = 1.3;
    const auto f = [](auto a) { return exp(sqrt(a) * recip(a + decltype(a)(1))); };
    const double h = 1e-5;
    const double slope = (f(x + h) - f(x - h)) / (2 * h);
    EXPECT_NEAR(at(x, f).slope, slope, 1e-9);  // h² of the difference
}

TEST(Dual, WorksOnPacks) {
    using P = Pack<double, 4>;
    alignas(64) const double x[4] = {0.5, 1, 2, 4};
    alignas(64) double slope[4];
    const Dual<P> a(P::load(x), P(1));
    (recip(a) * sqrt(a)).slope.store(slope);  // x^(−1/2)
    for (int k = 0; k < 4; ++k) EXPECT_NEAR(slope[k], -0.5 * std::pow(x[k], -1.5), close * 10);
}

}  // namespace
}  // namespace aureole::core
