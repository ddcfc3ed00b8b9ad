// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "md/simulation/tests/rigid_systems.hpp"

// Real dynamics under constraints, in a loop of the test's own. Units of GROMACS: nm, ps, u.
namespace aureole::md::testing {
namespace {

/// Particles on springs to points near where they start.
class Springs {
  public:
    Springs(Rigid& rigid, const Runner& how, double dt)
        : rigid_(rigid), bench_(rigid, how), dt_(dt), position(rigid.position) {
        for (std::size_t i = 0; i < rigid.size(); ++i) {
            anchor_.push_back(position[i] + rigid.normal(0.02));
            velocity.push_back(rigid.normal(std::sqrt(2.5 / rigid.spec.mass[i])));
        }
        bench_.stop(position, velocity);
    }
    /// Velocity Verlet with RATTLE.
    void step() {
        kick();
        const auto before = position;
        for (std::size_t i = 0; i < position.size(); ++i) position[i] += dt_ * velocity[i];
        bench_.move(before, position, &velocity, 1 / dt_, false);
        kick();
        bench_.stop(position, velocity);
    }
    double energy() const {
        double sum = 0;
        for (std::size_t i = 0; i < position.size(); ++i) {
            const auto d = position[i] - anchor_[i];
            sum += 0.5 * stiffness * dot(d, d) +
                   0.5 * rigid_.spec.mass[i] * dot(velocity[i], velocity[i]);
        }
        return sum;
    }
    Constraints::Deviation deviation() { return bench_.deviation(position); }
    double along_constraints() const {
        double worst = 0;
        for (const auto& p : rigid_.pairs()) {
            const auto d = position[p.a] - position[p.b];
            worst = std::max(worst, std::abs(dot(d, velocity[p.a] - velocity[p.b])) / p.length);
        }
        return worst;
    }

  private:
    static constexpr double stiffness = 3000;  // a hydrogen turns once in 0.11 ps
    void kick() {
        for (std::size_t i = 0; i < position.size(); ++i)
            velocity[i] +=
                (0.5 * dt_ * stiffness / rigid_.spec.mass[i]) * (anchor_[i] - position[i]);
    }

    Rigid& rigid_;
    Bench bench_;
    double dt_;
    std::vector<Vec3d> anchor_;

  public:
    std::vector<Vec3d> position, velocity;
};

TEST(ConstrainedMotion, WaterStaysRigidForAHundredThousandSteps) {
    Rigid rigid;
    for (int k = 0; k < 5; ++k) rigid.water();
    Springs springs(rigid, {1, Constraints::Path::packs}, 0.002);
    const double start = springs.energy();
    const auto n = steps(100000);
    for (std::int64_t k = 1; k <= n; ++k) {
        springs.step();
        if (k % (n / 50) != 0) continue;
        ASSERT_LT(springs.deviation().largest, 1e-12);
        ASSERT_LT(springs.along_constraints(), 1e-12);
    }
    // Some 60 kJ/mol; fluctuations of the second order of 0.1 rad per step.
    EXPECT_NEAR(springs.energy() / start, 1, 0.01);
}

TEST(ConstrainedMotion, BondsKeepTheirLengthsForAHundredThousandSteps) {
    Rigid rigid;
    rigid.star(3), rigid.star(1), rigid.tree(12, 2);
    Springs springs(rigid, {1, Constraints::Path::packs}, 0.002);
    const double start = springs.energy();
    const auto n = steps(100000);
    double square = 0;
    for (std::int64_t k = 1; k <= n; ++k) {
        springs.step();
        if (k % (n / 200) != 0) continue;
        const auto deviation = springs.deviation();
        ASSERT_LT(deviation.largest, 1e-4);  // order 4, one iteration
        square += deviation.rms * deviation.rms;
    }
    EXPECT_LT(std::sqrt(square / 200), 1e-5);
    EXPECT_NEAR(springs.energy() / start, 1, 0.02);
}

/// Standard deviation of the energy over 2 ps from one start.
double fluctuation(const Rigid& start, double dt) {
    Rigid rigid = start;
    Springs springs(rigid, {1, Constraints::Path::packs}, dt);
    const auto n = static_cast<int>(std::lround(2 / dt));
    const double first = springs.energy();
    double sum = 0, square = 0;
    for (int k = 0; k < n; ++k) {
        springs.step();
        const double e = springs.energy() - first;
        sum += e, square += e * e;
    }
    return std::sqrt(square / n - sum * sum / n / n);
}

TEST(ConstrainedMotion, EnergyFluctuatesWithTheSquareOfTheTimeStep) {
    if (hostile_environment()) GTEST_SKIP() << "long, and the same code as otherwise";
    Rigid rigid;
    rigid.water(), rigid.water(), rigid.star(2), rigid.tree(6, 2);
    rigid.spec.order = 16, rigid.spec.iterations = 4;
    const double slow = fluctuation(rigid, 0.0005), fast = fluctuation(rigid, 0.002);
    EXPECT_GT(slow, 0);
    EXPECT_NEAR(std::log(fast / slow) / std::log(4.0), 2, 0.15);
}

TEST(ConstrainedMotion, ATurningDumbbellPullsAsItMust) {
    Rigid rigid;
    const double m_a = 12, m_b = 1.5, d = 0.11, mu = m_a * m_b / (m_a + m_b);
    const auto a = rigid.atom({0.3, 0.2, 0.1}, m_a), b = rigid.atom({0.3 + d, 0.2, 0.1}, m_b);
    rigid.bind(a, b);
    rigid.spec.iterations = 6;
    for (const auto path : {Constraints::Path::packs, Constraints::Path::lanes}) {
        Bench bench(rigid, {1, path});
        const double dt = 0.0005, omega = 40;
        auto r = rigid.position;
        std::vector<Vec3d> v{{0, -omega * d * m_b / (m_a + m_b), 0},
                             {0, omega * d * m_a / (m_a + m_b), 0}};
        ConstraintSums sums;
        double turned = 0;
        Vec3d mean{};
        for (int k = 0; k < 200; ++k) {
            const auto before = r;
            for (std::size_t i = 0; i < 2; ++i) r[i] += dt * v[i];
            sums = bench.move(before, r, &v, 1 / dt);
            const auto u = before[1] - before[0], w = r[1] - r[0];
            turned = std::acos(dot(u, w) / (d * d));
            mean = u;
        }
        // Points on a circle, an angle apart, have second differences −2 (1 − cos) r.
        const double want = -2 * mu * d * d * (1 - std::cos(turned)) / (dt * dt);
        EXPECT_NEAR(sums.virial.trace() / want, 1, 1e-8);
        // The forces of a rotation: −μ ω² d², along the bond; ω dt = 0.02.
        EXPECT_NEAR(sums.virial.trace() / (-mu * omega * omega * d * d), 1, 2e-4);
        EXPECT_NEAR(sums.virial.xy, sums.virial.trace() * mean.x * mean.y / (d * d),
                    1e-8 * std::abs(want));
        EXPECT_NEAR(sums.worst_rotation(), turned, 1e-3);
    }
}

}  // namespace
}  // namespace aureole::md::testing
