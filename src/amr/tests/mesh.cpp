// SPDX-License-Identifier: Apache-2.0
#include "amr/mesh.hpp"

#include <gtest/gtest.h>

#include "amr/memory.hpp"
#include "amr/simulation.hpp"
#include "amr/tests/layers.hpp"
#include "amr/tests/problems.hpp"
#include "core/error.hpp"

namespace aureole::amr {
namespace {

using testing::layer_beyond, testing::mesh_of;

TEST(Mesh, PlacesSubgridsAndCells) {
    auto mesh = mesh_of({3, 2, 4});
    mesh.lower = {-1, 0, 2}, mesh.upper = {2, 1, 4};
    EXPECT_EQ(mesh.cells(), 3 * 2 * 4 * 512);
    for (std::int64_t block = 0; block < mesh.blocks(); ++block)
        EXPECT_EQ(mesh.block_at(mesh.place(block)), block);
    EXPECT_DOUBLE_EQ(mesh.spacing(0), 3.0 / 24);
    EXPECT_DOUBLE_EQ(mesh.spacing(2), 2.0 / 32);
    // The last cell's centre is half a cell from the upper corner.
    const auto last = Tree(mesh).center(mesh.blocks() - 1, 511);
    EXPECT_DOUBLE_EQ(last.x, 2 - 1.5 / 24);
    EXPECT_DOUBLE_EQ(last.y, 1 - 0.5 / 16);
    EXPECT_DOUBLE_EQ(last.z, 4 - 1.0 / 32);
}

TEST(Mesh, LinesHoldEachCellOnce) {
    for (int dims = 1; dims <= 3; ++dims) {
        const BlockShape shape{dims};
        for (int axis = 0; axis < dims; ++axis) {
            std::vector<int> seen(static_cast<std::size_t>(shape.cells()), 0);
            for (int line = 0; line < shape.lines(); ++line)
                for (int k = 0; k < edge; ++k) {
                    const int cell = shape.line_start(axis, line) + k * shape.stride(axis);
                    ++seen.at(static_cast<std::size_t>(cell));
                    EXPECT_EQ(shape.line_of(axis, cell), line);
                }
            for (const int times : seen) EXPECT_EQ(times, 1);
        }
    }
}

TEST(Mesh, LayersBeyondFaces) {
    auto mesh = mesh_of({2, 2});
    mesh.boundary[2] = mesh.boundary[3] = Boundary::reflecting;
    const auto is = [](const Layer& found, std::int64_t block, int layer, bool mirrored) {
        return found.block == block && found.layer == layer && found.mirrored == mirrored;
    };
    EXPECT_TRUE(is(layer_beyond(mesh, 0, 0, true, 2), 1, 1, false));   // a neighbour
    EXPECT_TRUE(is(layer_beyond(mesh, 0, 0, false, 1), 1, 7, false));  // around the box
    EXPECT_TRUE(is(layer_beyond(mesh, 3, 0, true, 3), 2, 2, false));
    EXPECT_TRUE(is(layer_beyond(mesh, 1, 1, false, 3), 1, 2, true));  // mirrored
    EXPECT_TRUE(is(layer_beyond(mesh, 3, 1, true, 1), 3, 7, true));
    EXPECT_TRUE(is(layer_beyond(mesh, 3, 1, false, 1), 1, 7, false));
    mesh.boundary[0] = mesh.boundary[1] = Boundary::outflow;
    EXPECT_TRUE(is(layer_beyond(mesh, 0, 0, false, 3), 0, 0, false));
    EXPECT_TRUE(is(layer_beyond(mesh, 3, 0, true, 2), 3, 7, false));
    // Faces of one axis that differ.
    mesh.boundary[0] = Boundary::reflecting;
    EXPECT_TRUE(is(layer_beyond(mesh, 0, 0, false, 2), 0, 1, true));
    EXPECT_TRUE(is(layer_beyond(mesh, 3, 0, true, 2), 3, 7, false));
    mesh.boundary[0] = Boundary::outflow, mesh.boundary[1] = Boundary::reflecting;
    EXPECT_TRUE(is(layer_beyond(mesh, 0, 0, false, 2), 0, 0, false));
    EXPECT_TRUE(is(layer_beyond(mesh, 3, 0, true, 2), 3, 6, true));
}

TEST(Mesh, RefusesWhatCannotBe) {
    const auto refused = [](auto change) {
        auto mesh = mesh_of({2, 2});
        change(mesh);
        EXPECT_THROW(check(mesh), core::InputError);
    };
    check(mesh_of({2, 2}));
    refused([](Mesh& m) { m.dims = 4; });
    refused([](Mesh& m) { m.dims = 0, m.roots = {1, 1, 1}; });
    refused([](Mesh& m) { m.dims = 1, m.roots = {(1 << 20) + 1, 1, 1}; });
    refused([](Mesh& m) { m.roots.x = 0; });
    refused([](Mesh& m) { m.roots.z = 2; });
    refused([](Mesh& m) { m.roots = {1 << 20, 1 << 20, 1}; });
    refused([](Mesh& m) { m.upper.y = m.lower.y; });
    refused([](Mesh& m) { m.upper.x = std::numeric_limits<double>::quiet_NaN(); });
    refused([](Mesh& m) { m.upper.x = std::numeric_limits<double>::infinity(); });
    refused([](Mesh& m) { m.lower.x = -1e308, m.upper.x = 1e308; });
    refused([](Mesh& m) { m.boundary[1] = Boundary::outflow; });
    refused([](Mesh& m) { m.boundary[0] = Boundary::outflow; });
    refused([](Mesh& m) { m.boundary[2] = Boundary::reflecting; });
    EXPECT_THROW(boundary_named("open"), core::InputError);
}

TEST(Mesh, HasRoomOrIsRefusedBeforeItIsMade) {
    // In three dimensions 512 cells with five fields of eight bytes, four times.
    EXPECT_GT(bytes_of_subgrid({3}), 4 * 5 * 512 * 8);
    EXPECT_LT(bytes_of_subgrid({3}), 4.1 * 5 * 512 * 8);
    const Room room({3}, 10.5 * static_cast<double>(bytes_of_subgrid({3})));
    room.check(10);
    EXPECT_THROW(room.check(11), core::InputError);
    EXPECT_GT(free_memory(), 1e7);
    // 66 TB of fields; keys alone would be 8 GB.
    EXPECT_THROW(Simulation({.name = "host", .threads = 1, .pin = false},
                            mesh_of({1024, 1024, 1024}), 1.4, {}),
                 core::InputError);
    const Refining all{.regions = {{{0, 0, 0}, {1, 1, 1}, 19}}};
    EXPECT_THROW(Simulation({.name = "host", .threads = 1, .pin = false}, mesh_of({2, 2, 2}), 1.4,
                            {}, {}, all),
                 core::InputError);
}

}  // namespace
}  // namespace aureole::amr
