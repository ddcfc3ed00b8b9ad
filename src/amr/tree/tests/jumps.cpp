// SPDX-License-Identifier: Apache-2.0
#include "amr/tree/jumps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "amr/tests/layers.hpp"
#include "amr/tests/problems.hpp"

namespace aureole::amr {
namespace {

using testing::mesh_of;

constexpr int most = 3;  // levels

/// x² + 2xy − z² + yz + 3 and its like for each field, averaged over a box in units of root cells.
/// Density and energy are large enough for a gas.
double average(const double* low, double size, int dims, int field) {
    const auto square = [&](double a) { return a * a + size * a + size * size / 3; };
    const double half = size / 2;
    double x[3];
    for (int axis = 0; axis < 3; ++axis) x[axis] = axis < dims ? low[axis] + half : 0;
    double sum = (field == 0 || field == 4 ? 1e5 : 0) + 3 + field +
                 (1 + 0.1 * field) * square(low[0]) + 0.5 * x[0];
    if (dims > 1) sum += 2 * x[0] * x[1] - 0.3 * square(low[1]) + field * x[1];
    if (dims > 2) sum += -square(low[2]) + x[1] * x[2] + 0.2 * x[0] * x[1] * x[2];
    return sum;
}

/// Low corner of a cell of a leaf, in cells of the roots; halo cells are before 0 and behind 7.
void corner_of(const Tree& tree, std::int64_t leaf, core::Vec3i cell, double* low) {
    const double size = std::pow(0.5, tree.level(leaf));
    const auto place = tree.key(leaf).place();
    for (int axis = 0; axis < 3; ++axis)
        low[axis] = axis < tree.mesh().dims
                        ? (component(place, axis) * edge + component(cell, axis)) * size
                        : 0;
}

std::vector<double> fields_of(const Tree& tree) {
    const auto shape = tree.mesh().shape();
    std::vector<double> all;
    for (std::int64_t leaf = 0; leaf < tree.size(); ++leaf)
        for (int f = 0; f < fields; ++f)
            for (int cell = 0; cell < shape.cells(); ++cell) {
                double low[3];
                corner_of(tree, leaf, {cell % edge, cell / edge % edge, cell / (edge * edge)}, low);
                all.push_back(average(low, std::pow(0.5, tree.level(leaf)), tree.mesh().dims, f));
            }
    return all;
}

std::vector<double> halos_of(const Tree& tree, const Jumps& jumps, int halo,
                             const std::vector<double>& input) {
    const auto shape = tree.mesh().shape();
    std::vector<double> halos(
        static_cast<std::size_t>(std::ssize(jumps.faces) * HalosAtJumps::values(shape, halo)));
    const auto beyond = states_beyond(tree.mesh());
    const HalosAtJumps find{shape,         halo,         jumps.faces.data(), jumps.places.data(),
                            beyond.data(), input.data(), halos.data()};
    std::vector<double> patch(static_cast<std::size_t>(HalosAtJumps::scratch_bytes(shape)) / 8);
    for (std::int64_t face = 0; face < std::ssize(jumps.faces); ++face) {
        find.fill(face, 0, 1, patch.data());
        find.put(face, 0, 1, patch.data());
    }
    return halos;
}

class Halos : public ::testing::TestWithParam<int> {
  protected:
    std::mt19937 draw_{static_cast<unsigned>(GetParam())};
    int below(int n) { return static_cast<int>(draw_() % static_cast<unsigned>(n)); }

    Tree random_tree(Boundary boundary) {
        const int dims = 1 + GetParam() % 3;
        std::vector<int> roots;
        for (int axis = 0; axis < dims; ++axis) roots.push_back(2 + below(dims == 3 ? 1 : 3));
        Tree tree(mesh_of(roots, boundary));
        for (int round = 0; round < most; ++round) {
            const int one_in = 2 + below(tree.mesh().dims * 8);
            tree = tree.refined([&](NodeKey) { return below(one_in) == 0; }, most);
        }
        return tree;
    }
};

/// Averages of polynomials of second degree come back at any jump inside the box. Returns how many
/// values were compared.
int compare_polynomials(const Tree& tree, int halo) {
    const auto shape = tree.mesh().shape();
    const int dims = tree.mesh().dims;
    const auto jumps = jumps_of(tree);
    const auto halos = halos_of(tree, jumps, halo, fields_of(tree));
    std::size_t at = 0;
    int compared = 0;
    for (const auto& face : jumps.faces) {
        const double size = std::pow(0.5, tree.level(face.block));
        for (int f = 0; f < fields; ++f)
            for (int line = 0; line < shape.lines(); ++line)
                for (int depth = 0; depth < halo; ++depth, ++at) {
                    const int start = shape.line_start(face.axis, line);
                    core::Vec3i cell{start % edge, start / edge % edge, start / (edge * edge)};
                    component(cell, face.axis) = face.side == 1 ? edge + depth : -1 - depth;
                    double low[3];
                    corner_of(tree, face.block, cell, low);
                    bool is_inside = true;  // with all cells that are used
                    for (int axis = 0; axis < dims; ++axis) {
                        const double room = face.is_to_finer ? 0 : 8 * size;
                        is_inside =
                            is_inside && low[axis] >= room &&
                            low[axis] + size + room <= component(tree.mesh().roots, axis) * edge;
                    }
                    if (!is_inside) continue;
                    ++compared;
                    const double want = average(low, size, dims, f);
                    EXPECT_NEAR(halos[at], want, 1e-11 * (1 + std::abs(want)));
                }
    }
    return compared;
}

TEST_P(Halos, AreExactForPolynomials) {
    compare_polynomials(random_tree(Boundary::outflow), 2 + GetParam() % 2);
}

/// Both sides of all faces around the middle of a box.
TEST(HalosOfTheMiddle, AreExactForPolynomials) {
    for (int dims = 1; dims <= 3; ++dims) {
        Tree tree(mesh_of(std::vector<int>(static_cast<std::size_t>(dims), 4), Boundary::outflow));
        tree = tree.refined(
            [&](NodeKey key) {
                bool inside = true;
                for (int axis = 0; axis < dims; ++axis) {
                    const int place = component(key.place(), axis);
                    inside = inside && place >= 1 && place <= 2;
                }
                return inside;
            },
            1);
        const int lines = dims == 1   ? 1
                          : dims == 2 ? 8
                                      : 64,
                  faces = 2 * dims * (1 << 2 * (dims - 1));
        const int of_fine = faces, of_coarse = faces >> (dims - 1);
        EXPECT_EQ(std::ssize(jumps_of(tree).faces), of_fine + of_coarse);
        EXPECT_EQ(compare_polynomials(tree, 3), (of_fine + of_coarse) * fields * lines * 3);
    }
}

/// A uniform state stays so, in all boxes; momenta are zero at walls.
TEST_P(Halos, AreThoseOfAUniformState) {
    for (const auto boundary : {Boundary::periodic, Boundary::outflow, Boundary::reflecting}) {
        const auto tree = random_tree(boundary);
        const auto shape = tree.mesh().shape();
        const auto jumps = jumps_of(tree);
        std::vector<double> input;
        for (std::int64_t leaf = 0; leaf < tree.size(); ++leaf)
            for (int f = 0; f < fields; ++f)
                input.insert(input.end(), static_cast<std::size_t>(shape.cells()),
                             f == 0 || f == 4 ? 0.1 + f : 0.0);
        const auto halos = halos_of(tree, jumps, 3, input);
        for (std::size_t k = 0; k < halos.size(); ++k) {
            const auto f = static_cast<int>(k) / 3 / shape.lines() % fields;
            EXPECT_EQ(halos[k], f == 0 || f == 4 ? 0.1 + f : 0.0);
        }
    }
}

/// Strong contrasts give no negative pressures, which the limits of single fields do not prevent.
TEST_P(Halos, ArePhysicalWhereCellsAre) {
    const auto tree = random_tree(Boundary::reflecting);
    const auto shape = tree.mesh().shape();
    const auto cells = static_cast<std::size_t>(shape.cells());
    const auto jumps = jumps_of(tree);
    std::vector<double> input(static_cast<std::size_t>(tree.size()) * fields * cells);
    std::uniform_real_distribution<double> exponent(-3, 3), speed(-5, 5);
    for (std::size_t k = 0; k < static_cast<std::size_t>(tree.size()) * cells; ++k) {
        double* const u = &input[k / cells * fields * cells + k % cells];
        const double density = std::pow(10, exponent(draw_));
        double motion = 0;
        u[0] = density;
        for (std::size_t axis = 1; axis < 4; ++axis) {
            u[axis * cells] = density * speed(draw_);
            motion += u[axis * cells] * u[axis * cells];
        }
        u[4 * cells] = 0.5 * motion / density + std::pow(10, exponent(draw_));
    }
    const int halo = 3;
    const auto halos = halos_of(tree, jumps, halo, input);
    const auto step = static_cast<std::size_t>(shape.lines() * halo);
    for (std::size_t n = 0; n < jumps.faces.size(); ++n)
        for (std::size_t k = 0; k < step; ++k) {
            const double* const u = &halos[n * fields * step + k];
            double motion = 0;
            for (std::size_t axis = 1; axis < 4; ++axis) motion += u[axis * step] * u[axis * step];
            EXPECT_GT(u[0], 0);
            EXPECT_GT(u[4 * step], 0.5 * motion / u[0]);
        }
}

/// The cells that halos of finer sub-grids stand for have the coarse averages, and those of coarser
/// ones the means of the fine cells: what one side keeps, the other one has.
TEST_P(Halos, HaveTheAveragesOfTheCellsTheyStandFor) {
    const auto tree = random_tree(Boundary::periodic);
    const auto shape = tree.mesh().shape();
    const int dims = tree.mesh().dims, halo = 2;
    const auto jumps = jumps_of(tree);
    std::vector<double> input(static_cast<std::size_t>(tree.size() * fields * shape.cells()));
    std::uniform_real_distribution<double> number(0.5, 1.5);
    for (std::size_t k = 0; k < input.size(); ++k) {
        const auto field = static_cast<int>(k) / shape.cells() % fields;
        input[k] = number(draw_) + (field == 4 ? 10 : 0);  // the energy of a gas that moves so
    }
    const auto halos = halos_of(tree, jumps, halo, input);
    for (std::size_t n = 0; n < jumps.faces.size(); ++n) {
        const auto& face = jumps.faces[n];
        if (face.is_to_finer) continue;
        const PatchShape patch{dims, face.axis, face.side};
        const int one = face.axis == 0 ? 1 : 0, two = face.axis == 2 ? 1 : 2;
        for (int f = 0; f < fields; ++f)
            for (int b = 0; b < (dims > 2 ? 4 : 1); ++b)
                for (int a = 0; a < (dims > 1 ? 4 : 1); ++a) {
                    double sum = 0;
                    for (int k = 0; k < 1 << (dims - 1); ++k) {
                        const int line = (dims > 1 ? 2 * a + (k & 1) : 0) +
                                         (dims > 2 ? edge * (2 * b + (k >> 1)) : 0);
                        for (int depth = 0; depth < 2; ++depth)
                            sum += halos[((n * fields + static_cast<std::size_t>(f)) *
                                              static_cast<std::size_t>(shape.lines()) +
                                          static_cast<std::size_t>(line)) *
                                             halo +
                                         static_cast<std::size_t>(depth)];
                    }
                    const int at = patch.layer(0) * patch.stride(face.axis) +
                                   (dims > 1 ? (a + 2) * patch.stride(one) : 0) +
                                   (dims > 2 ? (b + 2) * patch.stride(two) : 0);
                    const auto& place = jumps.places[static_cast<std::size_t>(face.beyond[0] + at)];
                    EXPECT_EQ(place.is_mean, 0);
                    const double coarse = input[static_cast<std::size_t>(
                        (place.block * fields + f) * shape.cells() + place.cell)];
                    EXPECT_NEAR(sum / (1 << dims), coarse, 1e-14);
                }
    }
}

/// What fluxes of any kind change, with the corrections, is nothing in all.
TEST_P(Halos, FluxesAtJumpsAreCorrected) {
    const auto tree = random_tree(Boundary::periodic);
    const auto shape = tree.mesh().shape();
    const int dims = tree.mesh().dims;
    const auto jumps = jumps_of(tree);
    std::uniform_real_distribution<double> number(0.5, 1.5);
    std::vector<double> fluxes(
        static_cast<std::size_t>(std::ssize(jumps.faces) * CorrectFluxes::values(shape)));
    for (auto& one : fluxes) one = number(draw_);
    std::vector<double> output(static_cast<std::size_t>(tree.size() * fields * shape.cells())),
        refined;
    for (std::int64_t leaf = 0; leaf < tree.size(); ++leaf)
        refined.push_back(std::pow(2.0, tree.level(leaf)));
    const double change = 0.3;
    const std::array<double, 3> inverse{1, 1, 1};  // cells of the roots have a length of one
    double through[fields] = {};  // what the sub-grids' own fluxes at jumps bring, in all
    for (std::size_t n = 0; n < jumps.faces.size(); ++n) {
        const auto& face = jumps.faces[n];
        const double size = 1 / refined[static_cast<std::size_t>(face.block)];
        for (int f = 0; f < fields; ++f)
            for (int line = 0; line < shape.lines(); ++line) {
                const double flux = fluxes[(n * fields + static_cast<std::size_t>(f)) *
                                               static_cast<std::size_t>(shape.lines()) +
                                           static_cast<std::size_t>(line)];
                through[f] += (face.side == 1 ? -1 : 1) * change * flux * std::pow(size, dims - 1);
            }
    }
    const CorrectFluxes correct{shape,         jumps.of_block.data(), jumps.faces.data(),
                                fluxes.data(), output.data(),         change,
                                inverse,       refined.data()};
    for (const auto face : jumps.to_finer)
        for (int i = 0; i < CorrectFluxes::values(shape); ++i) correct.correct(face, i);
    for (std::int64_t leaf = 0; leaf < tree.size(); ++leaf)
        for (int f = 0; f < fields; ++f)
            for (int cell = 0; cell < shape.cells(); ++cell)
                through[f] +=
                    output[static_cast<std::size_t>((leaf * fields + f) * shape.cells() + cell)] *
                    std::pow(refined[static_cast<std::size_t>(leaf)], -dims);
    for (const double all : through) EXPECT_NEAR(all, 0, 1e-10);
}

INSTANTIATE_TEST_SUITE_P(Random, Halos, ::testing::Range(0, 30));

/// Without levels, layers are those of the mesh, sub-grids in Morton order.
TEST(LayersOfATree, AreThoseOfTheMesh) {
    for (const auto& roots : {std::vector{3}, {2, 3}, {2, 2, 3}})
        for (const auto boundary : {Boundary::periodic, Boundary::outflow, Boundary::reflecting}) {
            const auto mesh = mesh_of(roots, boundary);
            const Tree tree(mesh);
            const auto of_mesh = testing::layers_beyond(mesh, 3),
                       of_tree = layers_beyond(tree, jumps_of(tree), 3);
            ASSERT_EQ(of_tree.size(), of_mesh.size());
            EXPECT_TRUE(jumps_of(tree).faces.empty());
            for (std::int64_t leaf = 0; leaf < tree.size(); ++leaf) {
                const auto block = mesh.block_at(tree.key(leaf).place());
                for (int axis = 0; axis < mesh.dims; ++axis)
                    for (int side = 0; side < 2; ++side)
                        for (int depth = 0; depth < 3; ++depth) {
                            const auto at = [&](std::int64_t of) {
                                return static_cast<std::size_t>(
                                    layer_place(mesh.dims, 3, of, axis, side, depth));
                            };
                            const auto& here = of_tree[at(leaf)];
                            const auto& there = of_mesh[at(block)];
                            EXPECT_EQ(mesh.block_at(tree.key(here.block).place()), there.block);
                            EXPECT_EQ(here.layer, there.layer);
                            EXPECT_EQ(here.mirrored, there.mirrored);
                        }
            }
        }
}

}  // namespace
}  // namespace aureole::amr
