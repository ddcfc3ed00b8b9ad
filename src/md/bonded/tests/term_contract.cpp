// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "md/bonded/tests/terms.hpp"

// What every leaf file of a bonded term promises, in double precision.
namespace aureole::md::testing {
namespace {

class TermContract : public ::testing::TestWithParam<std::string> {
  protected:
    const Term& kind = term_kind(GetParam());
    const core::Box box{40, 41, 42, 0.1, -0.2, 0.15};

    BondedTerms one_term(int row) const {
        BondedTerms terms;
        terms.set_constants(test_constants());
        TermSpec spec{kind.name, {}, {row}, some_parameters(kind)};
        for (int p = 0; p < kind.particles; ++p) spec.particles.push_back(p);
        terms.add(spec, 5);
        return terms;
    }
    /// f(terms, positions) for each row at random geometries.
    template <class F>
    void for_each_case(F&& f) const {
        std::mt19937_64 random(5);
        for (int row = 0; row < 3; ++row) {
            const auto terms = one_term(row);
            for (int repeat = 0; repeat < 40; ++repeat) f(terms, chain(5, random));
        }
    }

    /// The force by differences of the fourth order, against the leaf's.
    void check_slopes(const BondedTerms& terms, const std::vector<Vec3d>& x, double h,
                      double tolerance) const {
        const auto want = reference(terms, box, x);
        double scale = want.scale;
        for (const auto& f : want.force) scale = std::max(scale, size(f));
        for (int p = 0; p < kind.particles; ++p)
            for (int axis = 0; axis < 3; ++axis) {
                const auto u = [&](double step) {
                    auto moved = x;
                    (&moved[static_cast<std::size_t>(p)].x)[axis] += step;
                    return reference(terms, box, moved).energy;
                };
                const double slope = (8 * (u(h) - u(-h)) - (u(2 * h) - u(-2 * h))) / (12 * h);
                const double force = (&want.force[static_cast<std::size_t>(p)].x)[axis];
                ASSERT_NEAR(force, -slope, tolerance * scale) << "particle " << p;
            }
    }
};
INSTANTIATE_TEST_SUITE_P(Leaves, TermContract, ::testing::ValuesIn(term_names()),
                         [](const auto& p) { return p.param; });

TEST_P(TermContract, ForcesAreTheSlopesOfTheEnergy) {
    // Differences of the fourth order: h⁴ ≈ 1e-14 of the fifth derivative, which for the steepest
    // (n = 6, restricted) is 1e4 of the energy, and rounding 1e-16/h. Maps bend at their nodes'
    // lines: the third derivative jumps there.
    const bool map = GetParam() == "cmap";
    for_each_case([&](const BondedTerms& terms, const std::vector<Vec3d>& x) {
        check_slopes(terms, x, map ? 1e-5 : 3e-4, map ? 3e-8 : 2e-8);
    });
}

TEST_P(TermContract, ForcesHoldNearlyStraightToo) {
    if (kind.particles < 3) GTEST_SKIP() << "a term of " << kind.particles << " has no angle";
    if (GetParam().starts_with("restricted")) GTEST_SKIP() << "the energy has a pole there";
    // Impropers have a seam where ξ − ξ0 = ±π; this seed keeps off it.
    std::mt19937_64 random(11);
    std::normal_distribution<double> normal;
    for (const double bend : {1e-2, 2e-3})
        for (const double turn : {1.0, -1.0}) {  // straight, folded
            std::vector<Vec3d> x{{0, 0, 0}};
            for (int p = 1; p < 5; ++p) {
                const double along = p == 2 ? turn : 1.0;
                x.push_back(x.back() + Vec3d{along * (1 + 0.1 * p), bend * normal(random),
                                             bend * normal(random)});
            }
            // Steps far below the bend; forces of dihedrals grow with its inverse.
            for (int row = 0; row < 3; ++row) check_slopes(one_term(row), x, 3e-3 * bend, 1e-5);
        }
}

TEST_P(TermContract, CoincidingAndCollinearParticlesGetFiniteForces) {
    const std::vector<Vec3d> lines[] = {
        {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}},
        {{0, 0, 0}, {1, 0, 0}, {0.3, 0, 0}, {1.3, 0, 0}, {0.1, 0, 0}},
        {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 1, 0}, {2, 1, 1}},
        {{0.3, 0.3, 0.3}, {0.1, 0.7, 0.2}, {-0.1, 1.1, 0.1}, {-0.3, 1.5, 0.0}, {-0.5, 1.9, -0.1}}};
    for (int row = 0; row < 3; ++row)
        for (const auto& x : lines) {
            const auto got = reference(one_term(row), box, x);
            EXPECT_TRUE(std::isfinite(got.energy));
            for (const auto& f : got.force) EXPECT_TRUE(std::isfinite(size(f)));
        }
}

TEST_P(TermContract, ForcesAndTorquesAddUpToNothing) {
    if (pulls_from_outside(GetParam())) GTEST_SKIP() << "it pulls from outside";
    for_each_case([&](const BondedTerms& terms, const std::vector<Vec3d>& x) {
        const auto got = reference(terms, box, x);
        Vec3d force{}, torque{};
        double scale = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const auto& f = got.force[i];
            force += f;
            torque += Vec3d{x[i].y * f.z - x[i].z * f.y, x[i].z * f.x - x[i].x * f.z,
                            x[i].x * f.y - x[i].y * f.x};
            scale += size(f) * (1 + size(x[i]));
        }
        EXPECT_LE(size(force), 1e-13 * scale);
        EXPECT_LE(size(torque), 1e-12 * scale);
    });
}

TEST_P(TermContract, TheVirialIsTheMomentOfTheForces) {
    for_each_case([&](const BondedTerms& terms, const std::vector<Vec3d>& x) {
        const auto got = reference(terms, box, x);
        core::Sym3d want{};
        double scale = 1e-10;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const auto &r = x[i], &f = got.force[i];
            want += core::Sym3d{r.x * f.x,
                                r.y * f.y,
                                r.z * f.z,
                                0.5 * (r.x * f.y + r.y * f.x),
                                0.5 * (r.x * f.z + r.z * f.x),
                                0.5 * (r.y * f.z + r.z * f.y)};
            scale += size(r) * size(f);
        }
        for (int k = 0; k < 6; ++k)
            ASSERT_NEAR((&got.virial.xx)[k], (&want.xx)[k], 1e-12 * scale) << "component " << k;
    });
}

TEST_P(TermContract, TheVirialIsTheSlopeOfTheEnergyInTheBoxsScale) {
    const bool map = GetParam() == "cmap";
    for_each_case([&](const BondedTerms& terms, const std::vector<Vec3d>& x) {
        const auto u = [&](double s) {
            auto scaled = x;
            for (auto& r : scaled) r = (1 + s) * r;
            core::Box larger = box;
            larger.lx *= 1 + s, larger.ly *= 1 + s, larger.lz *= 1 + s;
            return reference(terms, larger, scaled).energy;
        };
        const double h = map ? 1e-5 : 1e-4;
        const double slope = (8 * (u(h) - u(-h)) - (u(2 * h) - u(-2 * h))) / (12 * h);
        const auto got = reference(terms, box, x);
        // Angles do not change at all: what is left is rounding of energies over h.
        EXPECT_NEAR(got.virial.trace(), -slope, 1e-8 * (got.scale + std::abs(slope) + 1));
    });
}

TEST_P(TermContract, PeriodicImagesAreTheSame) {
    std::mt19937_64 random(8);
    std::uniform_int_distribution<int> boxes(-2, 2);
    for (int row = 0; row < 3; ++row) {
        const auto terms = one_term(row);
        const auto x = chain(5, random);
        auto moved = x;
        for (auto& r : moved) r += box.lattice(boxes(random), boxes(random), boxes(random));
        const auto want = reference(terms, box, x), got = reference(terms, box, moved);
        // 1e-16 of places near 100, times forces' stiffness
        EXPECT_NEAR(got.energy, want.energy, 1e-11 * (want.scale + 1));
        for (std::size_t i = 0; i < x.size(); ++i)
            EXPECT_LT(size(got.force[i] - want.force[i]), 1e-10 * (size(want.force[i]) + 1));
    }
}

}  // namespace
}  // namespace aureole::md::testing
