// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "md/bonded/map.hpp"
#include "md/bonded/tests/terms.hpp"

// Numbers known otherwise, and inputs that are refused.
namespace aureole::md::testing {
namespace {

const core::Box box{100, 100, 100};

double energy(const std::string& name, const std::vector<double>& parameters,
              const std::vector<Vec3d>& x, double coulomb = 1) {
    BondedTerms terms;
    terms.set_constants({coulomb, {}});
    TermSpec spec{name, {}, {0}, parameters};
    for (int p = 0; p < term_kind(name).particles; ++p) spec.particles.push_back(p);
    terms.add(spec, static_cast<std::int64_t>(x.size()));
    return reference(terms, box, x).energy;
}

/// Four particles with right angles and the dihedral φ.
std::vector<Vec3d> crank(double phi) {
    return {{1, 0, 0}, {0, 0, 0}, {0, 0, 1.5}, {2 * std::cos(phi), 2 * std::sin(phi), 1.5}};
}
std::vector<Vec3d> corner(double theta) {
    return {{1.5, 0, 0}, {0, 0, 0}, {std::cos(theta), std::sin(theta), 0}};
}

TEST(BondedEnergies, AreThoseOfTheirFormulas) {
    const std::vector<Vec3d> two{{0, 0, 0}, {0, 1.2, 0}};
    EXPECT_NEAR(energy("harmonic_bond", {1, 50}, two), 1, 1e-13);
    EXPECT_NEAR(energy("g96_bond", {1, 50}, two), 12.5 * 0.44 * 0.44, 1e-13);
    EXPECT_NEAR(energy("morse_bond", {1, 3, 2}, two), 3 * std::pow(1 - std::exp(-0.4), 2), 1e-13);
    EXPECT_NEAR(energy("cubic_bond", {1, 50, -2}, two), 50 * (0.04 - 2 * 0.008), 1e-13);
    EXPECT_NEAR(energy("pair", {2, 3, 0.5}, two, 10),
                3 / std::pow(1.2, 12) - 2 / std::pow(1.2, 6) + 5 / 1.2, 1e-13);
    EXPECT_NEAR(energy("position_restraint", {1, 2, 3, 0.5, -0.5, 1}, {{0, 0, 0}}),
                0.5 * (0.25 + 0.5 + 3), 1e-14);
    EXPECT_NEAR(energy("fene_bond", {1.5, 30}, two), -15 * 2.25 * std::log(1 - 0.64), 1e-12);
    EXPECT_EQ(energy("fene_bond", {1.1, 30}, two), INFINITY);
    EXPECT_NEAR(energy("range_restraint", {1.4, 1.5, 2, 50}, two), 25 * 0.04, 1e-13);
    EXPECT_EQ(energy("range_restraint", {1.1, 1.3, 2, 50}, two), 0);
    EXPECT_NEAR(energy("range_restraint", {0.5, 1.1, 2, 50}, two), 25 * 0.01, 1e-13);
    EXPECT_NEAR(energy("range_restraint", {0.5, 0.8, 1, 50}, two), 25 * 0.04 + 10 * 0.2, 1e-13);
    for (const double theta : {0.7, 1.5, 2.9}) {
        const auto x = corner(theta);
        const double dt = theta - 1.9;
        EXPECT_NEAR(energy("quartic_angle", {1.9, 1, 2, 3, 4, 5}, x),
                    1 + dt * (2 + dt * (3 + dt * (4 + dt * 5))), 1e-12);
        const std::vector<Vec3d> pairs{
            {3, 3, 3}, x[0] + Vec3d{3, 3, 3}, {1, 2, 4}, x[2] + Vec3d{1, 2, 4}};
        const std::vector<Vec3d> up{{3, 3, 3}, {3 + std::sin(theta), 3, 3 + std::cos(theta)}};
        for (const int n : {1, 2, 3, -3}) {
            const double u = 5 * (1 - std::cos(n * (theta - 0.6)));
            EXPECT_NEAR(energy("angle_restraint", {0.6, 5, double(n)}, pairs), u, 1e-12);
            EXPECT_NEAR(energy("angle_restraint_z", {0.6, 5, double(n)}, up), u, 1e-12);
        }
        const double dc = std::cos(theta) - std::cos(1.9), s = std::sin(theta);
        EXPECT_NEAR(energy("harmonic_angle", {1.9, 8}, x), 4 * std::pow(theta - 1.9, 2), 1e-13);
        EXPECT_NEAR(energy("g96_angle", {1.9, 8}, x), 4 * dc * dc, 1e-13);
        EXPECT_NEAR(energy("restricted_angle", {1.9, 8}, x), 4 * dc * dc / (s * s), 1e-11);
        const double r13 = std::sqrt(3.25 - 3 * std::cos(theta));
        EXPECT_NEAR(energy("urey_bradley", {1.9, 8, 2, 30}, x),
                    4 * std::pow(theta - 1.9, 2) + 15 * std::pow(r13 - 2, 2), 1e-12);
        EXPECT_NEAR(energy("cross_bonds", {1.2, 1.1, 8}, x), 8 * 0.3 * -0.1, 1e-13);
        EXPECT_NEAR(energy("cross_bond_angle", {1.2, 1.1, 2, 8}, x), 8 * (r13 - 2) * 0.2, 1e-12);
    }
    for (const double phi : {-3.0, -1.2, -0.1, 0.4, 2.2, 3.1}) {  // φ = 0 is cis
        const auto x = crank(phi);
        const double c = std::cos(phi), s = std::sin(phi);
        for (const int n : {0, 1, 2, 3, 6, -3, 17, 63})
            EXPECT_NEAR(energy("periodic_dihedral", {0.6, 5, double(n)}, x),
                        5 * (1 + std::cos(n * phi - 0.6)), 1e-12 * (1 + std::abs(n)));
        double rb = 0;
        for (int n = 0; n < 6; ++n) rb += (n + 1.0) * std::pow(std::cos(phi - M_PI), n);
        EXPECT_NEAR(energy("ryckaert_bellemans", {1, 2, 3, 4, 5, 6}, x), rb, 1e-12);
        const double off = std::remainder(phi - 2.8, 2 * M_PI);
        EXPECT_NEAR(energy("harmonic_improper", {2.8, 4}, x), 2 * off * off, 1e-12);
        EXPECT_NEAR(energy("unwrapped_dihedral", {2.8, 4}, x), 2 * std::pow(phi - 2.8, 2), 1e-12);
        EXPECT_NEAR(energy("dihedral_restraint", {2.8, 0.9, 4}, x),
                    2 * std::pow(std::max(std::abs(off) - 0.9, 0.0), 2), 1e-12);
        EXPECT_NEAR(energy("restricted_dihedral", {1.1, 4}, x),
                    2 * std::pow((c - std::cos(1.1)) / s, 2), 1e-9);
        EXPECT_NEAR(energy("bending_torsion", {1, 2, 3, 4, 5}, x),
                    1 + c * (2 + c * (3 + c * (4 + 5 * c))), 1e-12);
    }
}

/// Restraints of angles may be of two pairs that begin with the same particle.
TEST(BondedEnergies, MayShareAParticleBetweenPairs) {
    for (const double theta : {0.7, 2.9}) {
        BondedTerms terms;
        terms.add({"angle_restraint", {1, 0, 1, 2}, {0}, {1.1, 4, 1}}, 3);
        const auto x = corner(theta);
        const auto got = reference(terms, box, x);
        EXPECT_NEAR(got.energy, 4 * (1 - std::cos(theta - 1.1)), 1e-13);
        // dU/dθ of the far particles at 1.5 and 1; the one in the middle takes what is left.
        const double slope = 4 * std::sin(theta - 1.1);
        EXPECT_NEAR(size(got.force[0] - Vec3d{0, slope / 1.5, 0}), 0, 1e-13);
        EXPECT_NEAR(size(got.force[0] + got.force[1] + got.force[2]), 0, 1e-14);
    }
}

TEST(BondedEnergies, OfFlatBottomsCountTheComponentsOfTheirGeometry) {
    const Vec3d d{0.3, -0.4, 1.2}, at{0.5, -0.5, 1};
    const double far[] = {1.3, 0.5, 0.3, 0.4, 1.2, std::hypot(0.4, 1.2), std::hypot(0.3, 1.2), 0.5};
    for (int geometry = 1; geometry <= 8; ++geometry)
        for (const double radius : {0.35, -0.45, 0.0, -1.25}) {
            const double out = far[geometry - 1] - std::abs(radius);
            const double u = (radius < 0 ? out < 0 : out > 0) ? 3.5 * out * out : 0;
            EXPECT_NEAR(energy("flat_bottom_restraint",
                               {double(geometry), radius, 7, at.x, at.y, at.z}, {at + d}),
                        u, 1e-13)
                << geometry << ", " << radius;
        }
}

/// The second derivatives of a periodic spline have no jump at its nodes, which the slopes of a
/// natural spline through two periods only nearly achieve.
TEST(BondedEnergies, OfMapsWithPeriodicSplinesBendNowhere) {
    for (const int m : {2, 4, 5, 24}) {
        const auto map = wavy_map(m, 0);
        double jump[2] = {0, 0}, bend = 0;
        for (const bool periodic : {false, true}) {
            const auto nodes = map_nodes(map, m, periodic);
            const auto at = [&](int i, int j, int k) {
                const auto row = (i + m) % m, column = (j + m) % m;
                return nodes[static_cast<std::size_t>(numbers_of_node * (row * m + column) + k)];
            };
            for (int i = 0; i < m; ++i)
                for (int j = 0; j < m; ++j)
                    for (const int along : {1, 2}) {
                        const int a = along == 1 ? 1 : 0, b = 1 - a;
                        const double before = at(i - a, j - b, 0), here = at(i, j, 0),
                                     after = at(i + a, j + b, 0);
                        const double from = at(i - a, j - b, along), own = at(i, j, along),
                                     to = at(i + a, j + b, along);
                        const double left = 6 * (before - here) + 2 * from + 4 * own;
                        const double right = 6 * (after - here) - 4 * own - 2 * to;
                        jump[periodic] = std::max(jump[periodic], std::abs(right - left));
                        bend = std::max(bend, std::abs(left));
                    }
        }
        EXPECT_LE(jump[1], 1e-13 * bend) << m;
        if (m == 4) {
            EXPECT_GT(jump[0], 1e-3 * bend);
        }
    }
}

TEST(BondedEnergies, OfMapsGoThroughTheNodesAndFollowSmoothFunctions) {
    constexpr int m = 24;
    const auto map = wavy_map(m, 0);
    BondedTerms terms;
    terms.set_constants({1, {map}});
    const auto value = [&](double phi, double psi) {
        return interpolate_one(terms.map_table().data(), m, phi, psi);
    };
    const double h = 2 * M_PI / m;
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < m; ++j)
            EXPECT_NEAR(value(i * h - M_PI, j * h - M_PI).energy,
                        map[static_cast<std::size_t>(i * m + j)], 1e-12);
    // Splines of a function are off by h⁴/384 of its fourth derivative (3⁴ for sin 3φ): about 1e-3.
    for (double phi = -3.1; phi < 3.1; phi += 0.37)
        for (double psi = -3.1; psi < 3.1; psi += 0.41) {
            const double want = 3 * std::cos(phi) + 2 * std::sin(2 * psi) * std::cos(phi) +
                                0.7 * std::sin(3 * phi - psi + 0.4);
            EXPECT_NEAR(value(phi, psi).energy, want, 2e-3);
        }
    // One side of the seam at ±π is the other.
    EXPECT_NEAR(value(M_PI, 0.3).energy, value(-M_PI, 0.3).energy, 1e-12);
    EXPECT_NEAR(value(M_PI, 0.3).along_psi, value(-M_PI, 0.3).along_psi, 1e-12);
    EXPECT_NEAR(value(M_PI - 1e-9, 0.3).along_phi, value(1e-9 - M_PI, 0.3).along_phi, 1e-6);
}

TEST(BondedTermsInput, IsRefusedWithTheReason) {
    const auto refused = [](const TermSpec& spec, const std::string& words) {
        BondedTerms terms;
        try {
            terms.add(spec, 4);
            ADD_FAILURE() << "accepted, not refused for: " << words;
        } catch (const core::InputError& e) {
            EXPECT_NE(std::string(e.what()).find(words), std::string::npos) << e.what();
        }
    };
    refused({"harmonic_spring", {0, 1}, {0}, {1, 1}}, "no bonded term 'harmonic_spring'");
    refused({"harmonic_bond", {0, 1, 2}, {0}, {1, 1}}, "wrong number of particles");
    refused({"harmonic_bond", {0, 4}, {0}, {1, 1}}, "unknown particle 4");
    refused({"harmonic_bond", {-1, 2}, {0}, {1, 1}}, "unknown particle -1");
    refused({"harmonic_bond", {2, 2}, {0}, {1, 1}}, "names particle 2 twice");
    refused({"harmonic_bond", {1, 2}, {1}, {1, 1}}, "unknown row 1");
    refused({"harmonic_bond", {1, 2}, {0}, {1, 1, 1}}, "wrong number of parameters");
    refused({"harmonic_bond", {1, 2}, {0}, {1, NAN}}, "parameter k in row 0");
    refused({"periodic_dihedral", {0, 1, 2, 3}, {0}, {0, 1, 2.5}}, "whole number");
    refused({"dihedral_restraint", {0, 1, 2, 3}, {0}, {0, -1, 2}}, "width must not be negative");
    refused({"flat_bottom_restraint", {0}, {0}, {9, 1, 1, 0, 0, 0}}, "between 1 and 8");
    refused({"range_restraint", {0, 1}, {0}, {1, 0.9, 2, 1}}, "low <= up1 <= up2");
    refused({"fene_bond", {0, 1}, {0}, {0, 1}}, "r_max must be positive");
    refused({"angle_restraint", {0, 1, 2, 2}, {0}, {1, 1, 1}}, "names particle 2 twice");
    refused({"angle_restraint_z", {0, 1}, {0}, {1, 1, 1.5}}, "whole number");
    refused({"cmap", {0, 1, 2, 3, 1}, {0}, {0}}, "names particle 1 twice");
    BondedTerms terms;
    EXPECT_THROW(terms.set_constants({1, {{1, 2, 3}}}), core::InputError);
    EXPECT_THROW(terms.set_constants({INFINITY, {}}), core::InputError);
    EXPECT_THROW(terms.add({"cmap", {0, 1, 2, 3, 4}, {0}, {0}}, 5), core::InputError);
    terms.add({"harmonic_bond", {0, 1}, {0}, {1, 1}}, 4);
    terms.add({"harmonic_bond", {1, 2}, {0}, {2, 1}}, 4);
    ASSERT_EQ(terms.lists().size(), 1u);
    EXPECT_EQ(terms.lists()[0].spec.row, (std::vector<std::int32_t>{0, 1}));
}

}  // namespace
}  // namespace aureole::md::testing
