// SPDX-License-Identifier: Apache-2.0
#include "amr/hydro/leaves.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <type_traits>
#include <utility>

#include "amr/hydro/state.hpp"
#include "core/error.hpp"

namespace aureole::amr {
namespace {

using State = std::array<double, fields>;

template <class Solver = Hllc>
State flux_between(const State& left, const State& right) {
    State flux;
    Solver::flux(Ideal{1.4}, left.data(), right.data(), flux.data());
    return flux;
}

/// Flux of one state, by the definition of the Euler equations.
State euler(const State& w) {
    const double total = w[4] / 0.4 + w[0] * (w[1] * w[1] + w[2] * w[2] + w[3] * w[3]) / 2;
    return {w[0] * w[1], w[0] * w[1] * w[1] + w[4], w[0] * w[1] * w[2], w[0] * w[1] * w[3],
            w[1] * (total + w[4])};
}

State mirrored(State w) {
    w[1] = -w[1];
    return w;
}

class Random {
  public:
    State state() { return {positive(), any(), any(), any(), positive()}; }
    double any() { return 2 * uniform_(engine_) - 1; }
    double positive() { return std::exp(6 * any()); }

  private:
    std::mt19937_64 engine_{7};
    std::uniform_real_distribution<double> uniform_{0, 1};
};

template <class Solver>
class RiemannSolvers : public ::testing::Test {};
using Solvers = ::testing::Types<Hllc, Hlle, Llf>;
TYPED_TEST_SUITE(RiemannSolvers, Solvers);

TYPED_TEST(RiemannSolvers, GiveTheFluxOfEqualStates) {
    Random random;
    for (int k = 0; k < 1000; ++k) {
        const auto w = random.state();
        const auto flux = flux_between<TypeParam>(w, w), exact = euler(w);
        for (std::size_t f = 0; f < fields; ++f)
            EXPECT_NEAR(flux[f], exact[f], 1e-12 * (1 + std::abs(exact[f]) + w[4]));
    }
}

TYPED_TEST(RiemannSolvers, MirrorToTheBit) {
    Random random;
    for (int k = 0; k < 100'000; ++k) {
        auto left = random.state(), right = random.state();
        if (k % 3 == 0) right = mirrored(left);  // a wall
        const auto flux = flux_between<TypeParam>(left, right);
        const auto back = flux_between<TypeParam>(mirrored(right), mirrored(left));
        for (std::size_t f = 0; f < fields; ++f) EXPECT_EQ(back[f], f == 1 ? flux[f] : -flux[f]);
    }
}

TYPED_TEST(RiemannSolvers, KeepCellsPositiveAtFirstOrder) {
    // An Euler step of the cell in the middle of three, as long as its waves stay inside.
    Random random;
    const Ideal gas{1.4};
    for (int k = 0; k < 100'000; ++k) {
        const State w[] = {random.state(), random.state(), random.state()};
        double fastest = 0;
        for (const auto& one : w)
            fastest = std::max(fastest, std::abs(one[1]) + gas.sound_speed(one[0], one[4]));
        const auto in = flux_between<TypeParam>(w[0], w[1]),
                   out = flux_between<TypeParam>(w[1], w[2]);
        State u, after;
        to_conserved(gas, w[1].data(), u.data());
        for (std::size_t f = 0; f < fields; ++f) u[f] += 0.4 / fastest * (in[f] - out[f]);
        to_primitive(gas, u.data(), after.data());
        ASSERT_GT(after[0], 0) << k;
        ASSERT_GT(after[4], 0) << k;
    }
}

TEST(Hlle, TakesTheSideThatAllWavesLeave) {
    const State left{1, 5, 0.3, -0.2, 1}, right{0.5, 4, 0, 0, 0.7};  // all waves go right
    const auto flux = flux_between<Hlle>(left, right), exact = euler(left);
    for (std::size_t f = 0; f < fields; ++f) EXPECT_NEAR(flux[f], exact[f], 1e-14 * 100);
}

TEST(Llf, AddsTheFastestSpeedTimesTheJump) {
    // By hand: sound has speeds 1 and 2, the sides move at 0.5 and -0.25.
    const State left{1.4, 0.5, 0, 0, 1}, right{0.35, -0.25, 0, 0, 1};
    EXPECT_NEAR(flux_between<Llf>(left, right)[0],
                (1.4 * 0.5 - 0.35 * 0.25 - 2.25 * (0.35 - 1.4)) / 2, 1e-15);
}

TEST(Hllc, TakesTheSideThatAllWavesLeave) {
    State left{1, 5, 0.3, -0.2, 1}, right{0.5, 4, 0, 0, 0.7};  // all waves go right
    EXPECT_EQ(flux_between(left, right), euler(left));
    const auto back = flux_between(mirrored(right), mirrored(left));
    EXPECT_EQ(back[1], euler(left)[1]);
}

TEST(Hllc, KeepsContacts) {
    // Resting: no flux but pressure. Moving: upwind.
    const State dense{2, 0, 0.4, 0, 0.7}, thin{0.1, 0, -0.3, 0, 0.7};
    EXPECT_EQ(flux_between(dense, thin), (State{0, 0.7, 0, 0, 0}));
    State fast_dense = dense, fast_thin = thin;
    fast_dense[1] = fast_thin[1] = 0.2;
    const auto flux = flux_between(fast_dense, fast_thin), exact = euler(fast_dense);
    for (std::size_t f = 0; f < fields; ++f) EXPECT_NEAR(flux[f], exact[f], 1e-14);
}

/// Values at the faces of the ten cells of a line.
struct Faces {
    std::array<double, edge + 2> low, high;
};

template <class Leaf>
Faces faces_of(const std::array<double, edge + 2 * Leaf::halo>& w) {
    Faces faces;
    Leaf::line(w.data(), faces.low.data(), faces.high.data());
    return faces;
}

template <class Leaf>
class Reconstructions : public ::testing::Test {};
using Leaves = ::testing::Types<Constant, Plm, Ppm, Wenoz>;
TYPED_TEST_SUITE(Reconstructions, Leaves);

TYPED_TEST(Reconstructions, AreExactOnLinearFields) {
    if (TypeParam::halo == 1) return;  // constant in each cell
    std::array<double, edge + 2 * TypeParam::halo> w;
    for (std::size_t k = 0; k < w.size(); ++k) w[k] = 3 + 0.5 * static_cast<double>(k);
    const auto faces = faces_of<TypeParam>(w);
    for (std::size_t k = 0; k < edge + 2; ++k) {
        const double here = w[k + TypeParam::halo - 1];
        EXPECT_NEAR(faces.low[k], here - 0.25, 1e-14);
        EXPECT_NEAR(faces.high[k], here + 0.25, 1e-14);
    }
}

TYPED_TEST(Reconstructions, MakeNoNewExtremaOnSteps) {
    // Only nearly none: a part of 1e-7 with wenoz.
    const double beyond = std::is_same_v<TypeParam, Wenoz> ? 1e-6 : 0;
    std::array<double, edge + 2 * TypeParam::halo> w;
    for (std::size_t k = 0; k < w.size(); ++k) w[k] = k < 7 ? 1 : 0.125;
    const auto faces = faces_of<TypeParam>(w);
    for (const auto& side : {faces.low, faces.high})
        for (const double value : side) {
            EXPECT_LE(value, 1 + beyond);
            EXPECT_GE(value, 0.125 - beyond);
        }
}

TYPED_TEST(Reconstructions, MirrorToTheBit) {
    Random random;
    for (int k = 0; k < 10'000; ++k) {
        std::array<double, edge + 2 * TypeParam::halo> w;
        // Steep, smooth, with extrema, and equal neighbours.
        for (double& value : w) value = k % 4 == 0 ? std::round(2 * random.any()) : random.any();
        auto back = w;
        std::reverse(back.begin(), back.end());
        const auto faces = faces_of<TypeParam>(w), other = faces_of<TypeParam>(back);
        for (std::size_t i = 0; i < edge + 2; ++i) {
            EXPECT_EQ(faces.low[i], other.high[edge + 1 - i]);
            EXPECT_EQ(faces.high[i], other.low[edge + 1 - i]);
        }
    }
}

/// The largest error at high faces of averages of a wave over cells, which is known there; the wave
/// has an extremum.
template <class Leaf>
double error_at_faces(double h) {
    constexpr int halo = Leaf::halo;
    std::array<double, edge + 2 * halo> w;
    const auto integral = [](double x) { return -std::cos(x); };
    for (int k = 0; k < edge + 2 * halo; ++k)
        w[static_cast<std::size_t>(k)] = (integral(1 + (k + 1) * h) - integral(1 + k * h)) / h;
    const auto faces = faces_of<Leaf>(w);
    double most = 0;
    for (int k = 0; k < edge + 2; ++k)
        most = std::max(
            most, std::abs(faces.high[static_cast<std::size_t>(k)] - std::sin(1 + (k + halo) * h)));
    return most;
}

TEST(Ppm, IsOfFourthOrderAtFaces) {
    EXPECT_LT(error_at_faces<Ppm>(0.05), error_at_faces<Ppm>(0.1) / 13);
    EXPECT_LT(error_at_faces<Ppm>(0.05), 1e-6);
}

TEST(Wenoz, IsOfFifthOrderAtFaces) {
    EXPECT_LT(error_at_faces<Wenoz>(0.05), error_at_faces<Wenoz>(0.1) / 25);
    EXPECT_LT(error_at_faces<Wenoz>(0.05), 2e-8);
}

TEST(Wenoz, DoesNotDependOnUnits) {
    Random random;
    for (const double unit : {1e-120, 1e-30, 1e30, 1e120}) {
        std::array<double, edge + 6> w, other;
        for (std::size_t k = 0; k < w.size(); ++k) {
            w[k] = k < 6 ? 1 : 0.1 * random.any();
            other[k] = unit * w[k];
        }
        const auto faces = faces_of<Wenoz>(w), scaled = faces_of<Wenoz>(other);
        for (std::size_t k = 0; k < edge + 2; ++k)
            EXPECT_NEAR(scaled.high[k] / unit, faces.high[k], 1e-13) << unit;
    }
}

/// The limited parabola of a cell as the papers write it, in branches.
class LimitedParabola {
  public:
    /// Values at both faces of the cell w[0], by its two neighbours on each side.
    static std::pair<double, double> of(const double* w) {
        const double low = at_face(w[-2], w[-1], w[0], w[1]),
                     high = at_face(w[-1], w[0], w[1], w[2]);
        double down = w[0] - low, up = high - w[0];
        if (down * up > 0 && (w[0] - w[-1]) * (w[1] - w[0]) > 0) {
            const double first_down = down;
            if (std::abs(down) > 2 * std::abs(up)) down = 2 * up;
            if (std::abs(up) > 2 * std::abs(first_down)) up = 2 * first_down;
            return {w[0] - down, w[0] + up};
        }
        double largest = 0;
        for (int k = -2; k <= 2; ++k) largest = std::max(largest, std::abs(w[k]));
        const double curvature = 6 * second(low, w[0], high);
        double ratio = 0;
        if (std::abs(curvature) > 1e-12 * largest)
            ratio =
                of_one_sign({curvature, 1.25 * second(w[-2], w[-1], w[0]),
                             1.25 * second(w[-1], w[0], w[1]), 1.25 * second(w[0], w[1], w[2])}) /
                curvature;
        return {w[0] - ratio * down, w[0] + ratio * up};
    }

  private:
    static double second(double a, double b, double c) { return (a + c) - 2 * b; }
    /// The smallest of numbers of one sign, 0 for others.
    static double of_one_sign(std::initializer_list<double> values) {
        const auto size = [](double a, double b) { return std::abs(a) < std::abs(b); };
        const double least = *std::min_element(values.begin(), values.end(), size);
        for (const double value : values)
            if (!(value * least > 0)) return 0;
        return least;
    }
    static double at_face(double a, double b, double c, double d) {
        const double value = 7.0 / 12 * (b + c) - 1.0 / 12 * (a + d);
        if (value >= std::min(b, c) && value <= std::max(b, c)) return value;
        return (b + c) / 2 - of_one_sign({3 * second(b, value, c), 1.25 * second(a, b, c),
                                          1.25 * second(b, c, d)}) /
                                 6;
    }
};

TEST(Ppm, LimitsAsThePapersSay) {
    Random random;
    for (int k = 0; k < 20'000; ++k) {
        std::array<double, edge + 6> w;
        const double bend = random.any(), slope = random.any(),
                     noise = std::exp(8 * random.any() - 8);
        for (std::size_t i = 0; i < w.size(); ++i) {
            const double x = static_cast<double>(i) / 7 - 1;
            w[i] = bend * x * x + slope * x + noise * random.any();
            if (k % 5 == 4) w[i] = std::round(5 * random.any());
            if (k % 5 == 1) w[i] = random.any();                                // rough
            if (k % 5 == 2 && i > 6) w[i] += slope;                             // a step
            if (k % 5 == 3 && i % 5 == 0) w[i] *= std::exp(30 * random.any());  // far larger ones
        }
        const auto faces = faces_of<Ppm>(w);
        for (std::size_t i = 0; i < edge + 2; ++i) {
            const auto [low, high] = LimitedParabola::of(w.data() + i + 2);
            double largest = 0;
            for (std::size_t n = i; n <= i + 4; ++n) largest = std::max(largest, std::abs(w[n]));
            EXPECT_NEAR(faces.low[i], low, 1e-14 * largest) << k << " " << i;
            EXPECT_NEAR(faces.high[i], high, 1e-14 * largest) << k << " " << i;
        }
    }
}

TEST(Ppm, TakesDifferencesBelowRoundingForNone) {
    Random random;
    for (int k = 0; k < 1000; ++k) {
        std::array<double, edge + 6> w;
        for (double& value : w) value = 1 + 1e-14 * random.any();
        const auto faces = faces_of<Ppm>(w);
        for (std::size_t i = 0; i < edge + 2; ++i) {
            const double* const at = w.data() + i + 2;
            if ((at[0] - at[-1]) * (at[1] - at[0]) > 0) continue;  // no extremum
            EXPECT_EQ(faces.low[i], at[0]);
            EXPECT_EQ(faces.high[i], at[0]);
        }
    }
}

TEST(Leaves, KeepTheMeanWhereAValueAtAFaceIsNotPositive) {
    const State mean{1, 0.2, -0.3, 0.4, 0.7}, low{0.8, 0.1, -0.4, 0.3, 0.6},
        high{1.2, 0.3, -0.2, 0.5, 0.8};
    const auto kept = [&](State at_low, State at_high) {
        keep_positive(mean.data(), at_low.data(), at_high.data());
        return std::pair(at_low, at_high);
    };
    EXPECT_EQ(kept(low, high), std::pair(low, high));
    for (const double value : {0.0, -1e-300, -5.0, std::numeric_limits<double>::quiet_NaN()})
        for (const int field : {at::density, at::pressure}) {
            State bad_low = low, bad_high = high;
            bad_low[static_cast<std::size_t>(field)] = value;
            bad_high[static_cast<std::size_t>(field)] = value;
            EXPECT_EQ(kept(bad_low, high), std::pair(mean, mean)) << field << " " << value;
            EXPECT_EQ(kept(low, bad_high), std::pair(mean, mean)) << field << " " << value;
        }
}

TEST(Leaves, AreFoundByNames) {
    EXPECT_EQ(with_reconstruction("ppm", [](auto leaf) { return leaf.halo; }), 3);
    EXPECT_EQ(with_reconstruction("plm", [](auto leaf) { return leaf.halo; }), 2);
    try {
        with_riemann("roe", [](auto) {});
        FAIL();
    } catch (const core::InputError& error) {
        EXPECT_NE(std::string(error.what()).find("hllc"), std::string::npos);
    }
}

}  // namespace
}  // namespace aureole::amr
