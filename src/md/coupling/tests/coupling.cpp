// SPDX-License-Identifier: Apache-2.0
#include "md/coupling/coupling.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "core/error.hpp"
#include "md/coupling/thermostat.kernel.hpp"

namespace aureole::md::testing {
namespace {

using core::Vec3d;

double distance(const Vec3d& a, const Vec3d& b) { return std::sqrt(dot(a - b, a - b)); }

TEST(Strain, MovesTheBoxAsItMovesPositions) {
    const core::Box box{4, 5, 6, 0.2, -0.1, 0.3};
    const Strain e{0.01, -0.02, 0.03, 0.004, -0.005, 0.006};
    const auto moved = e(box);
    for (const Vec3d n : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}, Vec3d{1, -2, 3}})
        EXPECT_LT(distance(e(box.lattice(n.x, n.y, n.z)), moved.lattice(n.x, n.y, n.z)), 1e-14);
    EXPECT_EQ(Strain{}(box).lx, box.lx);
}

TEST(Strain, OneAfterAnotherIsTheirProduct) {
    const Strain a{0.1, -0.2, 0.3, 0.04, -0.05, 0.06}, b{-0.2, 0.1, 0.05, 0.3, 0.2, -0.1};
    const Vec3d r{1, 2, 3};
    EXPECT_LT(distance(a.after(b)(r), a(b(r))), 1e-14);
}

TEST(Strain, TheExponentialOfARateIsManySmallStrains) {
    const Strain rate{0.02, -0.01, 0.03, 0.01, 0.02, -0.03};
    Strain product;
    const int parts = 1 << 16;
    for (int k = 0; k < parts; ++k) product = ((1.0 / parts) * rate).after(product);
    const auto all = exponential(rate);
    const Vec3d r{1, 2, 3};
    EXPECT_LT(distance(all(r), product(r)), 1e-6);
    EXPECT_GT(distance(rate(r), product(r)), 1e-4);
}

TEST(TemperatureGroup, AnnealsAlongStraightLines) {
    TemperatureGroup g;
    g.kT = 3;
    EXPECT_EQ(g.kT_at(17), 3);
    g.times = {0, 10, 20}, g.kTs = {1, 2, 6};
    EXPECT_DOUBLE_EQ(g.kT_at(-5), 1);
    EXPECT_DOUBLE_EQ(g.kT_at(5), 1.5);
    EXPECT_DOUBLE_EQ(g.kT_at(15), 4);
    EXPECT_DOUBLE_EQ(g.kT_at(99), 6);
    g.periodic = true;
    EXPECT_DOUBLE_EQ(g.kT_at(25), g.kT_at(5));
    EXPECT_DOUBLE_EQ(g.kT_at(59), g.kT_at(19));
}

CouplingSpec with(Thermostat kind, double kT, double tau, double dof) {
    CouplingSpec spec;
    spec.thermostat = kind, spec.every = 5;
    spec.groups = {{kT, tau, dof, {}, {}, false}};
    return spec;
}

TEST(Thermostats, CountTheHeatThatTheyGive) {
    for (const auto kind : {Thermostat::bussi, Thermostat::nose_hoover, Thermostat::berendsen}) {
        const auto spec = with(kind, 2.5, 0.3, 90);
        CouplingState state;
        double twice = 150;
        const double start = 0.5 * twice;
        for (std::int64_t k = 1; k <= 50; ++k) {
            const auto factor = thermostat_factors(spec, state, {twice}, {5 * k, 0.002, 11})[0];
            twice *= factor * factor;
        }
        EXPECT_NEAR(0.5 * twice - start, state.heat, 1e-10);
        EXPECT_GT(state.heat, 0);
    }
}

TEST(Thermostats, BerendsenDecaysExponentially) {
    const auto spec = with(Thermostat::berendsen, 2.5, 0.5, 90);
    CouplingState state;
    double twice = 100;
    const double target = 90 * 2.5;
    for (std::int64_t k = 1; k <= 100; ++k) {
        const auto factor = thermostat_factors(spec, state, {twice}, {5 * k, 0.001, 11})[0];
        twice *= factor * factor;
    }
    EXPECT_NEAR((target - twice) / (target - 100), std::exp(-0.5 / 0.5), 0.003);
}

/// Particles without forces: the chain alone turns the kinetic energy, along a known orbit.
TEST(Thermostats, ANoseHooverChainOscillatesWithItsPeriod) {
    auto spec = with(Thermostat::nose_hoover, 2.5, 0.4, 3000);
    spec.every = 1;
    CouplingState state;
    double twice = 3000 * 2.5 * 1.01, least = twice, most = twice;
    std::int64_t crossings = 0;
    double before = twice;
    const std::int64_t n = 40000;
    for (std::int64_t k = 1; k <= n; ++k) {
        const auto factor = thermostat_factors(spec, state, {twice}, {k, 0.0005, 11})[0];
        twice *= factor * factor;
        if (before < 3000 * 2.5 && twice >= 3000 * 2.5) ++crossings;
        before = twice, least = std::min(least, twice), most = std::max(most, twice);
    }
    // d²δ/dt² = −2 δ (2π/τ)², with δ the relative excess: the period is τ/√2.
    const double period = static_cast<double>(n) * 0.0005 / static_cast<double>(crossings);
    EXPECT_NEAR(period, 0.4 / std::sqrt(2.0), 0.004);
    EXPECT_NEAR(most / (3000 * 2.5), 1.01, 1e-4);
    EXPECT_NEAR(least / (3000 * 2.5), 0.99, 1e-3);
}

/// Logarithm of the kinetic energy over its target, and the speeds of a chain: particles without
/// forces.
using ChainState = std::vector<double>;

/// The equations of Martyna, Tuckerman, Tobias & Klein (1996), written out once more.
ChainState slope(const ChainState& y, double dof, double tau) {
    const double w2 = std::pow(2 * std::numbers::pi / tau, 2);
    ChainState d(y.size());
    d[0] = -2 * y[1];
    for (std::size_t j = 1; j < y.size(); ++j) {
        d[j] = j == 1   ? w2 * std::expm1(y[0])
               : j == 2 ? dof * y[1] * y[1] - w2
                        : y[j - 1] * y[j - 1] - w2;
        if (j + 1 < y.size()) d[j] -= y[j] * y[j + 1];
    }
    return d;
}

/// Integrates by Runge and Kutta's fourth-order rule, in `parts` steps.
void integrate(ChainState& y, double dof, double tau, double time, int parts) {
    const double h = time / parts;
    const auto moved = [](ChainState from, const ChainState& along, double by) {
        for (std::size_t k = 0; k < from.size(); ++k) from[k] += by * along[k];
        return from;
    };
    for (int part = 0; part < parts; ++part) {
        const auto a = slope(y, dof, tau), b = slope(moved(y, a, h / 2), dof, tau);
        const auto c = slope(moved(y, b, h / 2), dof, tau), d = slope(moved(y, c, h), dof, tau);
        for (std::size_t k = 0; k < y.size(); ++k)
            y[k] += h / 6 * (a[k] + 2 * b[k] + 2 * c[k] + d[k]);
    }
}

TEST(Thermostats, NoseHooverChainsFollowTheirEquationsFromHotStarts) {
    constexpr double dt = 0.002, kT = 2.5;
    for (const double hot : {1.5, 5.0, 20.0, 80.0})
        for (const int chain : {1, 2, 10})
            for (const int steps : {10, 50, 1000})
                for (const double dof : {30.0, 2000.0}) {
                    SCOPED_TRACE(::testing::Message() << hot << " times, chain " << chain
                                                      << ", tau " << steps << " steps, " << dof);
                    auto spec = with(Thermostat::nose_hoover, kT, steps * dt, dof);
                    spec.every = 1, spec.chain = chain;
                    CouplingState state;
                    double twice = dof * kT * hot;
                    ChainState y(static_cast<std::size_t>(chain) + 1, 0.0);
                    y[0] = std::log(hot);
                    for (std::int64_t k = 1; k <= 8; ++k) {
                        const auto factor = thermostat_factors(spec, state, {twice}, {k, dt, 1})[0];
                        twice *= factor * factor;
                        integrate(y, dof, steps * dt, dt, 100 + 8000 / steps);
                    }
                    // Chains of short periods are chaotic; a single one turns a hot start into a
                    // cold one by tens of powers of e.
                    const double tolerance = steps >= 50 ? 0.01 : 0.2;
                    EXPECT_NEAR(std::log(twice / (dof * kT)), y[0],
                                tolerance * std::max(1.0, std::abs(y[0])));
                }
}

/// In ordinary runs the chain decides nothing: four parts of each interval, as ever.
TEST(Thermostats, NoseHooverChainsNearTheirTargetTakeFourParts) {
    std::vector<double> v{0.3, -8.0, 12.0};
    const NoseHooverChain chain{v.data(), 3, 2.5, 3000, 0.5};
    EXPECT_TRUE(chain.resolves(1.02 * 3000 * 2.5, 0.002 / 4));
    EXPECT_FALSE(chain.resolves(20 * 3000 * 2.5, 0.02 / 4));
}

TEST(Thermostats, NoseHooverChainsThatCannotBeFollowedSayNoFactor) {
    std::vector<double> v(10, 0.0);
    const NoseHooverChain chain{v.data(), 10, 2.5, 3000, 0.02};
    EXPECT_TRUE(std::isnan(chain.advance(1e30, 0.002)));
    for (const double speed : v) EXPECT_TRUE(std::isfinite(speed));
}

TEST(Thermostats, LeaveFreeGroupsAlone) {
    auto spec = with(Thermostat::bussi, 2.5, 0.5, 90);
    spec.groups.push_back({0, -1, 30, {}, {}, false});
    CouplingState state;
    const auto factors = thermostat_factors(spec, state, {100, 60}, {5, 0.002, 3});
    EXPECT_NE(factors[0], 1);
    EXPECT_EQ(factors[1], 1);
}

CouplingSpec pressed(Barostat kind, BoxShape shape) {
    auto spec = with(Thermostat::none, 2.5, 0.5, 90);
    auto& b = spec.barostat;
    b.kind = kind, b.shape = shape, b.every = 10, b.tau = 2;
    b.compressibility = {1e-3, 1e-3, 2e-3, 0, 0, 0};
    b.pressure = {1, 1, 1, 0, 0, 0};
    return spec;
}

TEST(Barostats, BerendsenStrainsAsItsEquationSays) {
    const auto spec = pressed(Barostat::berendsen, BoxShape::semi_isotropic);
    CouplingState state;
    const BarostatInput now{{5, 7, 3, 1, 1, 1}, {}, 30, 30, 90};
    EXPECT_TRUE(apply_barostat(spec, state, now, {10, 0.002, 1}).none());
    EXPECT_NEAR(state.barostat.pending.xx, 1e-3 * 0.02 / 6 * (6 - 1), 1e-15);
    EXPECT_NEAR(state.barostat.pending.yy, state.barostat.pending.xx, 1e-18);
    EXPECT_NEAR(state.barostat.pending.zz, 2e-3 * 0.02 / 6 * (3 - 1), 1e-15);
    EXPECT_EQ(state.barostat.pending.xy, 0);
    EXPECT_NEAR(state.barostat.work,
                -30 * (state.barostat.pending.xx * 12 + state.barostat.pending.zz * 3), 1e-12);
}

TEST(Barostats, ParrinelloAndRahmansBoxBreathesWithItsPeriod) {
    // A box whose pressure falls as its compressibility says, about the wanted one.
    auto spec = pressed(Barostat::parrinello_rahman, BoxShape::isotropic);
    spec.barostat.compressibility = {1e-3, 1e-3, 1e-3, 0, 0, 0};
    CouplingState state;
    double log_volume = 0.01;
    int crossings = 0;
    double before = log_volume;
    const int n = 10000;
    for (int k = 1; k <= n; ++k) {
        const double p = 1 - log_volume / 1e-3;
        const double volume = 30 * std::exp(log_volume);
        apply_barostat(spec, state, {{p, p, p, 0, 0, 0}, {}, volume, 30, 90}, {10 * k, 0.0005, 1});
        log_volume += std::log1p(state.barostat.pending.xx) +
                      std::log1p(state.barostat.pending.yy) + std::log1p(state.barostat.pending.zz);
        if (before < 0 && log_volume >= 0) ++crossings;
        before = log_volume;
    }
    EXPECT_NEAR(n * 0.005 / crossings, 2, 0.1);
    EXPECT_NEAR(state.barostat.work, 0, 3);  // half of 10 · 0.3 goes to and fro
}

TEST(Barostats, RefuseWhatTheyCannotDo) {
    auto spec = pressed(Barostat::c_rescale, BoxShape::anisotropic);
    EXPECT_NO_THROW(check(spec));
    spec.barostat.compressibility.xy = 1e-3;
    EXPECT_THROW(check(spec), core::InputError);
    spec = pressed(Barostat::c_rescale, BoxShape::isotropic);
    spec.groups.clear();
    EXPECT_THROW(check(spec), core::InputError);
    spec = pressed(Barostat::berendsen, BoxShape::isotropic);
    spec.barostat.tau = 0;
    EXPECT_THROW(check(spec), core::InputError);
    spec.barostat.tau = 1, spec.every = 0;
    EXPECT_THROW(check(spec), core::InputError);
}

}  // namespace
}  // namespace aureole::md::testing
