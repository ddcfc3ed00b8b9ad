// SPDX-License-Identifier: Apache-2.0
#include "amr/fluid_state.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "amr/tests/problems.hpp"
#include "core/error.hpp"
#include "io/checkpoint.hpp"

namespace aureole::amr {
namespace {

using namespace testing;

FluidState numbered(const Mesh& mesh) {
    FluidState state;
    state.clock.step = 7, state.clock.time = 0.5, state.clock.rest = 1e-17;
    state.clock.rate = 3, state.clock.first_rate = 2, state.clock.dt = 0.1;
    for (std::int64_t k = 0; k < fields * mesh.cells(); ++k)
        state.conserved.push_back(static_cast<double>(k));
    state.checked = 4, state.calm.resize(static_cast<std::size_t>(mesh.blocks()), 1);
    return state;
}

TEST(FluidState, ComesBackAsItWas) {
    for (const auto& roots : {std::vector{5}, {3, 2}, {2, 3, 5}}) {
        const auto mesh = mesh_of(roots);
        const auto state = numbered(mesh);
        io::StateBlocks blocks;
        put_state(blocks, Tree(mesh), state);
        const auto again = get_state(blocks, mesh).second;
        EXPECT_EQ(again.conserved, state.conserved);
        EXPECT_EQ(again.clock.step, 7);
        EXPECT_EQ(again.clock.time, 0.5);
        EXPECT_EQ(again.clock.rest, 1e-17);
        EXPECT_EQ(again.clock.rate, 3);
        EXPECT_EQ(again.clock.first_rate, 2);
        EXPECT_EQ(again.clock.dt, 0.1);
        EXPECT_EQ(again.checked, 4);
        EXPECT_EQ(again.calm, state.calm);
    }
}

TEST(FluidState, BlocksThatNoRunGoesOnWithAreRefused) {
    const auto mesh = mesh_of({2, 2});
    io::StateBlocks good;
    put_state(good, Tree(mesh), numbered(mesh));
    const auto refused = [&](const io::StateBlocks& blocks, const Mesh& of) {
        EXPECT_THROW(get_state(blocks, of), core::FileError);
    };
    for (const char* missing : {"fluid", "keys", "cells"}) {
        auto blocks = good;
        blocks.erase(missing);
        refused(blocks, mesh);
    }
    refused(good, mesh_of({4}));
    refused(good, mesh_of({2, 1}));
    refused(good, mesh_of({4, 1}));
    refused(good, mesh_of({2, 2, 1}));
    auto blocks = good;
    std::swap(blocks["keys"][0], blocks["keys"][8]);
    std::swap(blocks["keys"][7], blocks["keys"][15]);
    refused(blocks, mesh);
    const auto altered = [&](auto change) {
        auto state = numbered(mesh);
        change(state);
        io::StateBlocks made;
        put_state(made, Tree(mesh), state);
        refused(made, mesh);
    };
    const double nan = std::nan("");
    altered([&](FluidState& s) { s.conserved[77] = nan; });
    altered([&](FluidState& s) { s.clock.step = -1; });
    altered([&](FluidState& s) { s.clock.time = no_end; });
    altered([&](FluidState& s) { s.clock.rest = 1e-3; });
    altered([&](FluidState& s) { s.clock.rate = 0; });
    altered([&](FluidState& s) { s.clock.first_rate = 0; });
    altered([&](FluidState& s) { s.clock.dt = -1; });
}

class FluidCheckpoint : public ::testing::Test {
  protected:
    FluidCheckpoint() { std::filesystem::create_directories(folder_); }
    ~FluidCheckpoint() override { std::filesystem::remove_all(folder_); }

    static Simulation simulate(const Mesh& mesh, const Scheme& scheme, const char* schedule) {
        return {{.name = "host", .threads = 2, .pin = false}, mesh, 1.4, scheme, {schedule}};
    }

    std::filesystem::path folder_ =
        std::filesystem::temp_directory_path() / ("aureole-fluid-" + std::to_string(::getpid()));
    std::filesystem::path file_ = folder_ / "blast.ckpt";
};

TEST_F(FluidCheckpoint, RunsGoOnToTheBit) {
    for (const auto& scheme : {plm, ppm})
        for (const char* before : {"pack", "subgrids", "aggregate", "lanes"}) {
            const auto mesh = mesh_of({3, 2, 1}, Boundary::reflecting);
            auto whole = simulate(mesh, scheme, before);
            whole.set(primitive(mesh, lumps));
            whole.run(5, no_end, no_interruption);
            whole.write_checkpoint(file_, "more");
            whole.run(6, no_end, no_interruption);
            auto again = simulate(mesh, scheme, "pack");
            again.read_checkpoint(file_);
            EXPECT_EQ(again.step(), 5);
            again.run(6, no_end, no_interruption);
            EXPECT_EQ(again.conserved(), whole.conserved());
            EXPECT_EQ(again.time(), whole.time());
            EXPECT_EQ(again.dt(), whole.dt());
        }
}

TEST_F(FluidCheckpoint, OfAMeshWithLevelsGoOnToTheBit) {
    const auto mesh = mesh_of({2, 2}, Boundary::outflow);
    const RefinedBox refined[] = {{{0.2, 0.2, 0}, {0.6, 0.6, 1}, 2}};
    for (const char* schedule : {"pack", "subgrids", "aggregate"}) {
        const auto make = [&](std::span<const RefinedBox> boxes, const char* way) {
            return Simulation({.name = "host", .threads = 2, .pin = false}, mesh, 1.4, ppm, {way},
                              {.regions = {boxes.begin(), boxes.end()}, .most_level = 2});
        };
        auto whole = make(refined, schedule);
        std::vector<double> start;
        const int cells = mesh.shape().cells();
        for (std::int64_t leaf = 0; leaf < whole.tree().size(); ++leaf)
            for (std::size_t f = 0; f < fields; ++f)
                for (int cell = 0; cell < cells; ++cell)
                    start.push_back(lumps(whole.tree().center(leaf, cell))[f]);
        whole.set_leaves(start);
        whole.run(5, no_end, no_interruption);
        whole.write_checkpoint(file_, "more");
        whole.run(6, no_end, no_interruption);
        auto again = make({}, "pack");  // the levels come from the file
        again.read_checkpoint(file_);
        EXPECT_EQ(again.tree().deepest_level(), 2);
        again.run(6, no_end, no_interruption);
        EXPECT_EQ(again.conserved_of_leaves(), whole.conserved_of_leaves());
        EXPECT_EQ(again.time(), whole.time());
    }
}

TEST_F(FluidCheckpoint, AFileThatIsRefusedChangesNothing) {
    const auto mesh = mesh_of({2, 2});
    auto sim = simulate(mesh, plm, "pack");
    EXPECT_THROW(sim.write_checkpoint(file_, ""), core::InputError);  // no state yet
    sim.set(primitive(mesh, lumps));
    sim.write_checkpoint(file_, "");
    auto other = simulate(mesh_of({4}), plm, "pack");
    other.set(primitive(mesh_of({4}), lumps));
    other.run(3, no_end, no_interruption);
    const auto before = other.conserved();
    EXPECT_THROW(other.read_checkpoint(file_), core::FileError);
    EXPECT_EQ(other.conserved(), before);
    EXPECT_EQ(other.step(), 3);
    // Another time step than that of the cells, signed as ours are.
    auto state = FluidState{};
    auto blocks = io::read_blocks(file_);
    state = get_state(blocks, mesh).second;
    const auto signed_with = [&] {
        put_state(blocks, Tree(mesh), state);
        io::write_blocks(file_, blocks);
    };
    state.clock.rate /= 2;
    signed_with();
    EXPECT_THROW(sim.read_checkpoint(file_), core::FileError);
    state.clock.rate *= 2, state.clock.first_rate = state.clock.rate / 1.01e6;
    signed_with();
    sim.read_checkpoint(file_);
    try {
        sim.run(1, no_end, no_interruption);
        FAIL() << "the step is too short";
    } catch (const core::BlowUpError& error) {
        EXPECT_NE(std::string(error.what()).find("a million times"), std::string::npos);
        EXPECT_EQ(error.what_happened.place.find("sub-grid "), 0u);
        EXPECT_EQ(sim.step(), 0);
    }
    state.clock.first_rate = state.clock.rate / 0.99e6;
    signed_with();
    sim.read_checkpoint(file_);
    EXPECT_EQ(sim.run(1, no_end, no_interruption), 1);
    state.conserved[0] = -1;  // a density
    signed_with();
    EXPECT_THROW(sim.read_checkpoint(file_), core::FileError);
}

}  // namespace
}  // namespace aureole::amr
