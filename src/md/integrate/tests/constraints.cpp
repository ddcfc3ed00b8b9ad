// SPDX-License-Identifier: Apache-2.0
#include "md/integrate/constraints/constraints.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "md/pair/tests/all_pairs.hpp"
#include "md/simulation/tests/rigid_systems.hpp"

// Constraints against SHAKE made to converge, and what they must keep.
namespace aureole::md::testing {
namespace {

/// A step after which bonds have turned by some degrees, as in 2 fs.
constexpr double step_width = 0.001;

Rigid waters() {
    Rigid rigid;
    for (int k = 0; k < 21; ++k) rigid.water();
    for (int k = 0; k < 3; ++k) rigid.water(0.09572, 0.15139);  // TIP3P
    return rigid;
}
Rigid stars() {
    Rigid rigid;
    for (int k = 0; k < 13; ++k)
        for (int n = 1; n <= 4; ++n) rigid.star(n);
    return rigid;
}
Rigid triangles() {
    Rigid rigid;
    for (int k = 0; k < 9; ++k) rigid.triangle();
    return rigid;
}
Rigid tetrahedra() {
    Rigid rigid;
    for (int k = 0; k < 9; ++k) rigid.tetrahedron();
    return rigid;
}
Rigid chains() {
    Rigid rigid;
    for (const int n : {3, 5, 30, 4, 12}) rigid.tree(n, 2);
    return rigid;
}
Rigid trees() {
    Rigid rigid;
    rigid.tree(50, 4), rigid.tree(7, 4), rigid.tree(50, 3);
    return rigid;
}
Rigid angled_chains() {
    Rigid rigid;
    rigid.angled_chain(4), rigid.angled_chain(9);
    return rigid;
}
Rigid everything() {
    Rigid rigid = waters();
    for (int n = 1; n <= 4; ++n) rigid.star(n);
    rigid.triangle(), rigid.tetrahedron();
    rigid.tree(30, 2), rigid.tree(50, 4), rigid.tree(200, 4);
    return rigid;
}

/// Σ r ⊗ m Δx by tag, for positions that are not wrapped.
core::Sym3d virial_of(const Rigid& rigid, const std::vector<Vec3d>& before,
                      const std::vector<Vec3d>& after, double factor) {
    core::Sym3d sum{};
    for (std::size_t i = 0; i < before.size(); ++i) {
        const auto r = rigid.position[i];
        const auto f = factor * rigid.spec.mass[i] * (after[i] - before[i]);
        sum += core::Sym3d{r.x * f.x,
                           r.y * f.y,
                           r.z * f.z,
                           0.5 * (r.x * f.y + r.y * f.x),
                           0.5 * (r.x * f.z + r.z * f.x),
                           0.5 * (r.y * f.z + r.z * f.y)};
    }
    return sum;
}
core::Sym3d minus(const core::Sym3d& a, const core::Sym3d& b) { return a + (-1.0) * b; }

class ConstraintTest : public ::testing::TestWithParam<Runner> {
  protected:
    /// Corrects a step and compares with SHAKE: positions to `error` [length].
    void compare(Rigid rigid, double error, double deviation) {
        const auto start = rigid.moved(step_width);
        const auto want = shake(rigid, rigid.position, start);
        ASSERT_GT(largest_difference(want, start), 1e-4);
        Bench bench(rigid, GetParam());
        const double inverse_dt = 500;
        auto got = start;
        std::vector<Vec3d> velocity(start.size(), Vec3d{1, -2, 3});
        const auto sums = bench.move(rigid.position, got, &velocity, inverse_dt);
        EXPECT_LT(largest_difference(got, want), error);
        EXPECT_LT(bench.deviation(got).largest, deviation);
        EXPECT_LE(bench.deviation(got).rms, bench.deviation(got).largest);
        auto kicked = got;
        for (std::size_t i = 0; i < got.size(); ++i)
            kicked[i] = Vec3d{1, -2, 3} + inverse_dt * (got[i] - start[i]);
        EXPECT_LT(largest_difference(velocity, kicked), 1e-10);
        const auto virial = virial_of(rigid, start, got, inverse_dt * inverse_dt);
        EXPECT_GT(largest_component(virial), 1);
        EXPECT_LT(largest_component(minus(sums.virial, virial)),
                  1e-9 * largest_component(virial) + 1e-7);
    }
    void with_iterations(Rigid rigid, double one, double many) {
        compare(rigid, one, 100 * one);
        rigid.spec.order = 40, rigid.spec.iterations = 12;
        compare(rigid, many, 20 * many);
    }
};
INSTANTIATE_TEST_SUITE_P(Runners, ConstraintTest, ::testing::ValuesIn(runners()),
                         ::testing::PrintToStringParamName());

// SHAKE ends at 5e-14 of a squared length; bonds are 0.1 long, and positions of some units are
// rounded at 4e-16.
TEST_P(ConstraintTest, SettleIsConvergedShake) { compare(waters(), 2e-14, 1e-13); }

// One correction leaves the fourth order of the angle (0.05 rad, so 1e-6 of a length), the
// expansion to fourth order some more.
TEST_P(ConstraintTest, SmallGroupsAreConvergedShake) { with_iterations(stars(), 2e-6, 5e-14); }
TEST_P(ConstraintTest, TrianglesAreConvergedShake) { with_iterations(triangles(), 2e-6, 5e-14); }
TEST_P(ConstraintTest, TetrahedraAreConvergedShake) { with_iterations(tetrahedra(), 5e-6, 1e-13); }
TEST_P(ConstraintTest, ChainsAreConvergedShake) { with_iterations(chains(), 5e-5, 1e-12); }
TEST_P(ConstraintTest, TreesAreConvergedShake) { with_iterations(trees(), 5e-5, 1e-12); }
TEST_P(ConstraintTest, TrianglesInChainsAreConvergedShake) {
    Rigid rigid = angled_chains();
    compare(rigid, 3e-4, 1e-2);  // what the expansion leaves, not the angle
    rigid.spec.order = 100, rigid.spec.iterations = 12;
    compare(rigid, 1e-12, 2e-11);
}

TEST_P(ConstraintTest, ImagesDoNotMatter) {
    Rigid rigid = everything();
    const auto start = rigid.moved(step_width);
    Bench bench(rigid, GetParam());
    auto straight = start;
    const auto sums = bench.move(rigid.position, straight, nullptr, 500);
    // Every particle into the box by itself, before and after the move by the same lattice vector.
    const auto reference = rigid.wrapped(rigid.position);
    auto folded = start;
    for (std::size_t i = 0; i < folded.size(); ++i) folded[i] += reference[i] - rigid.position[i];
    const auto before = folded;
    const auto same = bench.move(reference, folded, nullptr, 500);
    for (std::size_t i = 0; i < folded.size(); ++i) folded[i] += rigid.position[i] - reference[i];
    EXPECT_LT(largest_difference(folded, straight), 1e-13);
    EXPECT_LT(largest_component(minus(sums.virial, same.virial)),
              1e-10 * largest_component(sums.virial));
    EXPECT_GT(largest_difference(rigid.position, reference), 1);
}

TEST_P(ConstraintTest, MomentaAreKept) {
    Rigid rigid = everything();
    const auto start = rigid.moved(step_width);
    Bench bench(rigid, GetParam());
    auto got = start;
    bench.move(rigid.position, got, nullptr, 500);
    Vec3d momentum{}, angular{};
    double scale = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        const auto p = rigid.spec.mass[i] * (got[i] - start[i]);
        const auto& r = rigid.position[i];
        momentum += p;
        angular += Vec3d{r.y * p.z - r.z * p.y, r.z * p.x - r.x * p.z, r.x * p.y - r.y * p.x};
        scale += std::sqrt(dot(p, p));
    }
    EXPECT_GT(scale, 1e-2);
    EXPECT_LT(std::sqrt(dot(momentum, momentum)), 1e-13 * scale);
    EXPECT_LT(std::sqrt(dot(angular, angular)), 1e-12 * scale);
}

TEST_P(ConstraintTest, VelocitiesLoseWhatIsAlongConstraints) {
    Rigid rigid = everything();
    rigid.spec.order = 80, rigid.spec.iterations = 3;
    std::vector<Vec3d> start(rigid.size());
    for (auto& v : start) v = rigid.normal(1);
    const auto want = rattle(rigid, rigid.position, start);
    Bench bench(rigid, GetParam());
    auto got = start;
    const auto sums = bench.stop(rigid.wrapped(rigid.position), got, 1000);
    EXPECT_LT(largest_difference(got, want), 1e-12);
    for (const auto& p : rigid.pairs()) {
        const auto d = rigid.position[p.a] - rigid.position[p.b];
        EXPECT_LT(std::abs(dot(d, got[p.a] - got[p.b])), 1e-12);
    }
    const auto virial = virial_of(rigid, start, got, 1000);
    EXPECT_LT(largest_component(minus(sums.virial, virial)), 1e-11 * largest_component(virial));
    auto again = got;
    bench.stop(rigid.position, again);
    EXPECT_LT(largest_difference(again, got), 1e-12);
}

TEST_P(ConstraintTest, RepeatedRunsGiveTheSameBits) {
    Rigid rigid = everything();
    const auto start = rigid.moved(step_width);
    Bench bench(rigid, GetParam()), other(rigid, GetParam());
    auto first = start, second = start, third = start;
    const auto a = bench.move(rigid.position, first, nullptr, 500);
    const auto b = bench.move(rigid.position, second, nullptr, 500, false);
    const auto c = other.move(rigid.position, third, nullptr, 500);
    EXPECT_EQ(first, second);
    EXPECT_EQ(first, third);
    EXPECT_EQ(a.virial.xy, c.virial.xy);
    EXPECT_EQ(b.virial.xy, 0);
}

TEST(Constraints, CutMoleculesAreAsWholeOnes) {
    Rigid rigid;
    rigid.tree(900, 4), rigid.tree(300, 2), rigid.angled_chain(80), rigid.tree(9, 3);
    const auto start = rigid.moved(step_width);
    for (const int iterations : {0, 1, 3}) {
        rigid.spec.iterations = iterations;
        Bench whole(rigid, {1, Constraints::Path::packs});
        auto want = start;
        const auto sums = whole.move(rigid.position, want, nullptr, 500);
        for (const Runner& how :
             {Runner{4, Constraints::Path::packs}, Runner{13, Constraints::Path::packs},
              Runner{1, Constraints::Path::lanes}}) {
            Bench cut(rigid, how);
            auto got = start;
            const auto same = cut.move(rigid.position, got, nullptr, 500);
            EXPECT_LT(largest_difference(got, want), 1e-13);
            EXPECT_LT(largest_component(minus(sums.virial, same.virial)),
                      1e-12 * largest_component(sums.virial));
            EXPECT_NEAR(same.stretch, sums.stretch, 1e-12);
        }
    }
}

TEST_P(ConstraintTest, TheWorstRotationIsNamed) {
    Rigid rigid;
    for (int k = 0; k < 20; ++k) rigid.star(3);
    rigid.tree(20, 2);
    auto start = rigid.moved(1e-4);
    // Turn one bond by 40 degrees about its first atom.
    const auto pair = rigid.pairs()[25];
    const auto d = rigid.position[pair.b] - rigid.position[pair.a];
    const auto side = Vec3d{d.y, -d.x, 0};
    const double angle = 40 * M_PI / 180;
    start[pair.b] = start[pair.a] + std::cos(angle) * d +
                    (std::sin(angle) * std::sqrt(dot(d, d) / dot(side, side))) * side;
    Bench bench(rigid, GetParam());
    auto got = start;
    rigid.spec.iterations = 1;
    const auto sums = bench.move(rigid.position, got, nullptr, 500);
    const auto worst = bench.rotation(rigid.position, got);
    EXPECT_EQ(static_cast<std::size_t>(std::min(worst.tag_a, worst.tag_b)),
              std::min(pair.a, pair.b));
    EXPECT_EQ(static_cast<std::size_t>(std::max(worst.tag_a, worst.tag_b)),
              std::max(pair.a, pair.b));
    EXPECT_GT(worst.angle, 0.5);
    // The other bonds of the group shift it once more, by little.
    EXPECT_NEAR(worst.angle, sums.worst_rotation(), 0.02);
}

TEST_P(ConstraintTest, LengthsCanBeChanged) {
    Rigid rigid;
    rigid.star(3), rigid.tree(12, 3), rigid.triangle();
    rigid.spec.iterations = 10, rigid.spec.order = 30;
    Bench bench(rigid, GetParam());
    auto lengths = rigid.spec.constraint.parameters;
    for (auto& d : lengths) d *= 1.01;
    bench.constraints.set_lengths(bench.queue(), lengths);
    auto got = rigid.position;
    bench.move(rigid.position, got, nullptr, 500);
    EXPECT_LT(bench.deviation(got).largest, 1e-9);
    EXPECT_NEAR(bench.deviation(rigid.position).largest, 0.01 / 1.01, 1e-9);
    EXPECT_THROW(bench.constraints.set_lengths(bench.queue(), {0.1}), core::InputError);
}

/// Five particles at fixed distances have one constraint more than degrees of freedom.
TEST(Constraints, RingsWithCommonSidesAreToldOf) {
    Rigid rigid;
    rigid.tree(8, 3), rigid.triangle(), rigid.tetrahedron();
    const auto first = static_cast<std::int32_t>(rigid.spec.mass.size());
    rigid.tetrahedron();
    const auto fifth = rigid.atom(rigid.position.back() + Vec3d{0, 0.1, 0.05}, 12);
    for (std::int32_t k = first; k < fifth; ++k) rigid.bind(k, fifth);
    for (std::int32_t tag = 0; tag <= fifth; ++tag) {
        const auto remark = remark_on_rings(rigid.spec, tag);
        if (tag < first)
            EXPECT_EQ(remark, "") << tag;
        else
            EXPECT_NE(remark.find("10 constraints between 5 particles"), std::string::npos) << tag;
    }
}

TEST(Constraints, DegreesAreCounted) {
    Rigid rigid = waters();
    rigid.star(3), rigid.tree(6, 2);
    Bench bench(rigid, {1, Constraints::Path::packs});
    EXPECT_EQ(bench.constraints.degrees_removed(), 24 * 3 + 3 + 6);
    const auto& of = bench.constraints.degrees_removed_of_tags();
    EXPECT_EQ(of[0], 1);     // each corner of a water has two edges
    EXPECT_EQ(of[72], 1.5);  // a carbon with three hydrogens
    EXPECT_EQ(of[73], 0.5);
    EXPECT_EQ(std::accumulate(of.begin(), of.end(), 0.0), 24 * 3 + 9);
}

TEST(Constraints, WhatCannotBeSatisfiedIsRefused) {
    const auto refused = [](auto&& edit) {
        Rigid rigid;
        rigid.water(), rigid.star(2), rigid.tree(5, 2);
        edit(rigid);
        EXPECT_THROW(sort_constraints(rigid.spec), core::InputError);
    };
    refused([](Rigid& r) { r.spec.constraint.parameters[0] = 0; });
    refused([](Rigid& r) { r.spec.constraint.parameters[1] = NAN; });
    refused([](Rigid& r) { r.spec.constraint.particles[1] = r.spec.constraint.particles[0]; });
    refused([](Rigid& r) { r.bind(4, 3); });  // twice
    refused([](Rigid& r) { r.bind(0, 5); });  // an atom of a water
    refused([](Rigid& r) { r.spec.constraint.particles[3] = 99; });
    refused([](Rigid& r) { r.spec.constraint.row[0] = 99; });
    refused([](Rigid& r) { r.spec.mass[4] = 0; });
    refused([](Rigid& r) { r.spec.mass[3] = r.spec.mass[4] = INFINITY; });
    refused([](Rigid& r) { r.spec.settle.parameters[1] = 0.3; });
    refused([](Rigid& r) { r.spec.mass[2] = 2; });
    refused([](Rigid& r) { r.spec.settle.particles.pop_back(); });
    refused([](Rigid& r) { r.spec.order = 0; });
}

}  // namespace
}  // namespace aureole::md::testing
