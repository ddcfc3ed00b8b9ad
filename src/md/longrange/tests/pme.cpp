// SPDX-License-Identifier: Apache-2.0
#include "md/longrange/pme.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "core/error.hpp"
#include "md/longrange/tests/pme_runs.hpp"

// The mesh against Ewald's sum from its definition.
namespace aureole::md::testing {
namespace {

const core::Box brick{3.0, 3.4, 2.7};
const core::Box tilted{3.0, 3.3, 2.8, 0.35, -0.25, 0.4};
constexpr double coulomb = 138.935458, beta = 3.1;

class PmeOfOrder : public ::testing::TestWithParam<int> {};

/// A denser mesh costs more than the rest of the test: the error must be as estimated on both.
TEST_P(PmeOfOrder, ErrsAsEstimated) {
    for (const auto& box : {brick, tilted})
        for (const double net : {0.0, 2.5}) {
            const auto charges = random_charges(box, 150, net, 17);
            const auto exact = reciprocal_sum(charges, coulomb, beta);
            double before = 1e300;
            for (const int n : {24, 36, 54}) {
                const PmeSpec spec{{n, n + 2, n - 4}, GetParam(), beta, coulomb};
                const auto got = run_pme(charges, spec);
                const double error = rms_difference(got, exact);
                const double expected = mesh_force_error(spec, box, sums_of(charges), 150);
                EXPECT_LT(error, 2 * expected) << n;
                EXPECT_GT(error, 0.5 * expected) << n;
                EXPECT_LT(error, 0.6 * before);
                before = error;
            }
        }
}

TEST_P(PmeOfOrder, FindsEnergyAndVirial) {
    for (const auto& box : {brick, tilted}) {
        const auto charges = random_charges(box, 100, 1.5, 5);
        const auto exact = reciprocal_sum(charges, coulomb, beta);
        const PmeSpec spec{{60, 64, 54}, GetParam(), beta, coulomb};
        const auto got = run_pme(charges, spec);
        // The energy errs like forces times what they reach over, about 1/β; the mean over pairs
        // has no sign.
        const double force_error = mesh_force_error(spec, box, sums_of(charges), 100);
        const double tolerance = 100 * force_error / beta + 1e-12 * std::abs(exact.total.energy);
        EXPECT_NEAR(got.total.energy, exact.total.energy, tolerance);
        const auto w = components(got.total.virial), want = components(exact.total.virial);
        for (int k = 0; k < 6; ++k) EXPECT_NEAR(w[k], want[k], 3 * tolerance) << k;
    }
}

TEST_P(PmeOfOrder, ForcesAreSlopesOfTheEnergy) {
    const PmeSpec spec{{20, 24, 21}, GetParam(), beta, coulomb};
    auto charges = random_charges(tilted, 20, 0.7, 3);
    const auto got = run_pme(charges, spec);
    const double h = 1e-5, scale = rms_force(got);
    for (const std::size_t i : {0u, 7u, 19u})
        for (int axis = 0; axis < 3; ++axis) {
            const auto energy_at = [&](double shift) {
                auto moved = charges;
                auto& r = moved.position[i];
                (axis == 0 ? r.x : axis == 1 ? r.y : r.z) += shift;
                return run_pme(moved, spec).total.energy;
            };
            const auto& f = got.force[i];
            // Splines of order 4 have a third derivative with steps: the error of the difference
            // is of the second order in h at best.
            EXPECT_NEAR((energy_at(-h) - energy_at(h)) / (2 * h),
                        axis == 0   ? f.x
                        : axis == 1 ? f.y
                                    : f.z,
                        1e-6 * scale);
        }
}

TEST_P(PmeOfOrder, VirialIsTheSlopeOfTheEnergyByTheBox) {
    const PmeSpec spec{{20, 24, 22}, GetParam(), beta, coulomb};
    for (const auto& box : {brick, tilted}) {
        const auto charges = random_charges(box, 20, 0.7, 4);
        const auto got = components(run_pme(charges, spec).total.virial);
        double scale = 0;
        for (const double w : got) scale += std::abs(w);
        for (int k = 0; k < 6; ++k) {
            const auto energy_at = [&](double e) {
                // r → (1 + ε) r with one element in the upper triangle
                const auto strained = [&](Vec3d r) {
                    const Vec3d d[] = {{r.x, 0, 0}, {0, r.y, 0}, {0, 0, r.z},
                                       {r.y, 0, 0}, {r.z, 0, 0}, {0, r.z, 0}};
                    return r + e * d[k];
                };
                Charges c = charges;
                for (auto& r : c.position) r = strained(r);
                const auto a = strained(box.lattice(1, 0, 0)), b = strained(box.lattice(0, 1, 0)),
                           d = strained(box.lattice(0, 0, 1));
                c.box = {a.x, b.y, d.z, b.x / b.y, d.x / d.z, d.y / d.z};
                return run_pme(c, spec).total.energy;
            };
            const double h = 1e-5;
            EXPECT_NEAR((energy_at(-h) - energy_at(h)) / (2 * h), got[k], 1e-7 * scale) << k;
        }
    }
}

TEST_P(PmeOfOrder, SinglePrecisionIsDoubleButForRounding) {
    const auto charges = random_charges(tilted, 300, 0, 9);
    const PmeSpec spec{{36, 40, 33}, GetParam(), beta, coulomb};
    const auto exact = run_pme<double>(charges, spec), got = run_pme<float>(charges, spec);
    // Weights have 24 bits, potentials a few more roundings.
    EXPECT_LT(rms_difference(got, exact), 2e-6 * rms_force(exact));
    // Long splines smooth so much that the spectrum's rounding is magnified on the way back.
    EXPECT_NEAR(got.total.energy, exact.total.energy, 5e-6 * std::abs(exact.total.energy));
}

INSTANTIATE_TEST_SUITE_P(Orders, PmeOfOrder, ::testing::Values(4, 5, 6, 7, 8));

TEST(Pme, SumsOfBothSpacesDoNotDependOnTheSplitting) {
    const auto charges = random_charges(tilted, 40, 1.2, 8);
    Coulomb before;
    for (const double b : {3.0, 4.5}) {
        const PmeSpec spec{{72, 80, 70}, 8, b, coulomb};
        auto sum = run_pme(charges, spec);
        sum += pair_sum(charges, coulomb, b, 5.6 / b);  // erfc(5.6) = 2e−15
        if (!before.force.empty()) {
            EXPECT_NEAR(sum.total.energy, before.total.energy, 1e-7 * std::abs(sum.total.energy));
            EXPECT_LT(rms_difference(sum, before),
                      2 * mesh_force_error(spec, tilted, sums_of(charges), 40));
            const auto a = components(sum.total.virial), w = components(before.total.virial);
            for (int k = 0; k < 6; ++k) EXPECT_NEAR(a[k], w[k], 1e-6 * std::abs(a[0]));
        }
        before = sum;
    }
}

// −E r₀/f per pair of ions; digits: D. Borwein, J. M. Borwein, K. F. Taylor, J. Math. Phys. 26
// (1985) 2999 (NaCl); Y. Sakamoto, J. Chem. Phys. 28 (1958) 164 (CsCl).
TEST(Pme, MadelungConstants) {
    const Vec3d off{0.137, -0.291, 0.053};  // off the mesh's points, where splines are exact
    Charges salt{{2, 2, 2}, {}, {}};
    for (int x = 0; x < 2; ++x)
        for (int y = 0; y < 2; ++y)
            for (int z = 0; z < 2; ++z) {
                salt.position.push_back(Vec3d{double(x), double(y), double(z)} + off);
                salt.charge.push_back((x + y + z) % 2 == 0 ? 1 : -1);
            }
    const double edge = 2 / std::sqrt(3.0);
    const Charges caesium{
        {edge, edge, edge}, {off, off + Vec3d{edge / 2, edge / 2, edge / 2}}, {1, -1}};
    const auto constant = [](const Charges& c, double b) {
        auto sum = run_pme(c, {{64, 64, 64}, 8, b, 1});
        sum += pair_sum(c, 1, b, 6 / b);
        return -2 * sum.total.energy / double(c.charge.size());
    };
    EXPECT_NEAR(constant(salt, 3), 1.7475645946331822, 1e-8);
    EXPECT_NEAR(constant(caesium, 4), 1.7626747730709884, 1e-8);
}

TEST(Pme, ExcludedPairsAreWhatTheMeshSeesOfThem) {
    // Two charges that exclude each other feel their images alone: a dipole p in a cubic lattice of
    // its like, surrounded by a conductor, has −(2π/3) p²/V (Lorentz' field; J. D. Jackson,
    // Classical Electrodynamics, section 4.5). The next order is smaller by (0.1/12)².
    const Charges pair{{12, 12, 12}, {{0.1, 0.2, 0}, {0.15, 0.2, 0.08}}, {1, -1}};
    auto got = run_pme(pair, {{96, 96, 96}, 6, 1.0, 1.0}).total;
    got += excluded_pair(-1, 1.0, pair.position[0] - pair.position[1]);
    const double p2 = 0.05 * 0.05 + 0.08 * 0.08, images = -2 * std::numbers::pi / 3 * p2 / 1728;
    EXPECT_NEAR(got.energy, images, 1e-7);
    EXPECT_NEAR(got.virial.trace(), images, 1e-6);  // the energy goes with 1/L
    // The pair's own components are 2e-3 and 3e-3.
    EXPECT_NEAR(got.virial.xx, 0, 2 * std::abs(images));
    EXPECT_NEAR(got.virial.xz, 0, 2 * std::abs(images));
}

TEST(Pme, ChargedBoxesHaveABackground) {
    // A lone charge in a cube: −2.837297 q²/(2L) (Madelung energy of a simple cubic lattice;
    // digits: B. R. A. Nijboer, T. W. Ruijgrok, J. Stat. Phys. 53 (1988) 361).
    const Charges one{{2, 2, 2}, {{0.3, 0.1, -0.2}}, {1}};
    auto sum = run_pme(one, {{64, 64, 64}, 8, 3, 1});
    sum += pair_sum(one, 1, 3, 2);
    EXPECT_NEAR(sum.total.energy, -2.8372974794806 / 4, 1e-8);
    // Its energy goes with 1/L alone.
    EXPECT_NEAR(sum.total.virial.trace(), sum.total.energy, 1e-7);
}

/// In upright boxes one mode stands for all that differ in signs, to the bit; a box on the device
/// gives what the same box gives by value.
class InfluenceWith : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Signs, InfluenceWith, ::testing::Bool());

TEST_P(InfluenceWith, HasTheFactorOfEachWave) {
    const bool both_signs = GetParam();
    for (const auto& box : {brick, tilted})
        for (const fft::GridSize n : {fft::GridSize{6, 9, 8}, fft::GridSize{7, 8, 5}}) {
            std::vector<double> moduli(static_cast<std::size_t>(n.x + n.y + n.z));
            for (std::size_t k = 0; k < moduli.size(); ++k) moduli[k] = 1 + 0.1 * double(k);
            const double *bx = moduli.data(), *by = bx + n.x, *bz = by + n.y;
            const MeshMap map(box);
            Influence<GaussianSplit> known{{n, 4}, box, bx, by, bz, {beta}, coulomb};
            known.both_signs = both_signs;
            auto there = known;
            there.box = OfBox<MeshMap>(&map);
            const auto size = known.layout.size();
            std::vector<SeenMode> modes(static_cast<std::size_t>(size));
            for (std::int64_t i = 0; i < size; ++i) FindModes{known, modes.data()}(i);
            for (const auto& influence : {known, there}) {
                std::vector<double> octant(static_cast<std::size_t>(known.octant_size()));
                std::vector<double> got(modes.size(), -1);
                for (std::int64_t i = 0; i < known.octant_size(); ++i)
                    FillOctant{influence, octant.data()}(i);
                for (std::int64_t i = 0; i < size; ++i) {
                    double expected = 0;
                    FillInfluence<double, GaussianSplit>{influence, modes.data(), octant.data(),
                                                         got.data()}(i);
                    const auto k = known.seen(known.layout.mode(i));
                    if (k.weight != 0 && (k.x != 0 || k.y != 0 || k.z != 0)) {
                        expected = known.bare(map, k);
                        if (known.ambiguous(k))
                            expected = 0.5 * (expected + known.bare(map, known.conjugate(k)));
                        expected *= known.window(k);
                    }
                    EXPECT_EQ(got[static_cast<std::size_t>(i)], expected) << i;
                }
            }
        }
}

/// Modes of half the mesh with the mean of both signs, beside the sum over the whole spectrum in
/// which each mode has the number that OpenMM gives it.
TEST(Influence, OfBothSignsIsTheMeanOverTheWholeSpectrum) {
    const fft::GridSize n{6, 7, 8};
    const std::vector<double> moduli(static_cast<std::size_t>(n.x + n.y + n.z), 1.0);
    const double *bx = moduli.data(), *by = bx + n.x, *bz = by + n.y;
    const MeshMap map(tilted);
    const Influence<GaussianSplit> of{{n, 4}, tilted, bx, by, bz, {beta}, coulomb, true};
    const auto number = [](int index, int size) {
        return index < (size + 1) / 2 ? index : index - size;
    };
    const auto at = [&](int x, int y, int z) {
        const auto turn = [](int k, int size) { return (k % size + size) % size; };
        return of.bare(map, {number(turn(x, n.x), n.x), number(turn(y, n.y), n.y),
                             number(turn(z, n.z), n.z), 1});
    };
    const auto size = of.layout.size();
    std::vector<SeenMode> modes(static_cast<std::size_t>(size));
    std::vector<double> got(modes.size(), -1);
    int differ = 0;
    for (std::int64_t i = 0; i < size; ++i) {
        FindModes{of, modes.data()}(i);
        FillInfluence<double, GaussianSplit>{of, modes.data(), nullptr, got.data()}(i);
        const auto k = of.layout.mode(i);
        if (k.weight == 0 || (k.x == 0 && k.y == 0 && k.z == 0)) continue;
        const double one = at(k.x, k.y, k.z), other = at(-k.x, -k.y, -k.z);
        EXPECT_NEAR(got[static_cast<std::size_t>(i)], 0.5 * (one + other), 1e-15 * (one + other));
        differ += one != other ? 1 : 0;
    }
    EXPECT_GT(differ, 20);
}

/// Output of grompp 2022.5 for this box: "Using a fourier grid of 14x17x28".
TEST(Pme, GridsAreThoseOfGrompp) {
    const core::Box box{1.3, 2.0, 4.0};
    EXPECT_EQ(mesh_for_spacing(box, 0.15, 8, {0, 17, 0}), (fft::GridSize{14, 17, 28}));
    EXPECT_EQ(mesh_for_spacing(box, 0.15, 4), (fft::GridSize{10, 14, 28}));
    EXPECT_EQ(mesh_for_spacing(box, 0.15, 6), (fft::GridSize{10, 14, 28}));
    EXPECT_EQ(mesh_for_spacing(box, 0.5, 4), (fft::GridSize{6, 6, 8}));
}

TEST(Pme, RefusesWhatMakesNoSense) {
    auto device = device::Device::host({.threads = 1, .pin = false});
    device::Queue queue(device);
    const auto make = [&](const PmeSpec& spec) { Pme<float> pme(queue, spec); };
    EXPECT_THROW(make({{20, 20, 20}, 3, 3}), core::InputError);
    EXPECT_THROW(make({{20, 20, 20}, 9, 3}), core::InputError);
    EXPECT_THROW(make({{20, 20, 5}, 6, 3}), core::InputError);
    EXPECT_THROW(make({{20, 20, 20}, 4, 0}), core::InputError);
    EXPECT_THROW(mesh_for_spacing(brick, 0, 4), core::InputError);
    EXPECT_THROW(ewald_beta(0, 1e-5), core::InputError);
    EXPECT_NEAR(ewald_beta(1.0, 1e-5), 3.12341, 1e-5);  // as grompp prints it
    EXPECT_NEAR(std::erfc(ewald_beta(0.9, 1e-6) * 0.9), 1e-6, 1e-18);
}

}  // namespace
}  // namespace aureole::md::testing
