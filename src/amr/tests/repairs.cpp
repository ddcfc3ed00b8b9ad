// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "amr/hydro/leaves.hpp"
#include "amr/hydro/state.hpp"
#include "amr/simulation.hpp"
#include "amr/step/careful.kernel.hpp"
#include "amr/tests/problems.hpp"
#include "core/error.hpp"
#include "device/buffer.hpp"
#include "device/copy.hpp"
#include "device/launch.hpp"

// Steps that are made again with care, as they would leave cells without positive pressure.
namespace aureole::amr {
namespace {

using namespace testing;

/// Streams that part, beside nearly empty gas: in a corner of the box, so that cells of several
/// sub-grids and levels go bad.
State parting(Vec3d x) {
    const double place = 2 * (x.x + 0.3 * x.y + 0.2 * x.z) - 0.7;
    return place - std::floor(place) < 0.5 ? State{1, -30, 4, 0, 1e-4}
                                           : State{1e-9, 30, -4, 0, 1e-9};
}

struct Way {
    const char* schedule = "pack";
    int threads = 1;
    std::string device = "host";
};

Simulation simulate(int dims, const Scheme& scheme, Way way = {}, int level = 1) {
    const auto mesh =
        mesh_of(std::vector<int>(static_cast<std::size_t>(dims), 2), Boundary::periodic);
    std::vector<RefinedBox> boxes;
    if (level > 0) boxes.push_back({{0.1, 0.1, 0.1}, {0.4, 0.4, 0.4}, level});
    return {{.name = way.device, .threads = way.threads, .pin = false},
            mesh,
            1.4,
            scheme,
            {way.schedule},
            {.regions = std::move(boxes)}};
}

void set(Simulation& sim, const std::function<State(Vec3d)>& state) {
    sim.set_leaves(on_leaves(sim.tree(), state));
}

const std::vector<Scheme> schemes{
    {"plm", "hllc", 2, 0.8}, {"ppm", "hllc", 3, 0.8}, {"wenoz", "hlle", 3, 0.8}};

TEST(Repairs, KeepCellsPositiveAndTotalsAcrossLevels) {
    for (int dims = 1; dims <= 3; ++dims)
        for (const auto& scheme : schemes) {
            auto sim = simulate(dims, scheme);
            set(sim, parting);
            const auto before = sim.totals();
            sim.run(dims == 3 ? 5 : 20, no_end, no_interruption);
            const auto& repairs = sim.repairs();
            EXPECT_GT(repairs.steps, 0) << dims << scheme.reconstruct;
            EXPECT_GE(repairs.cells, repairs.steps);
            EXPECT_EQ(repairs.floors, 0);
            expect_kept(before, sim.totals(), 30);
        }
}

/// Compares runs with one on one thread of the host.
void expect_the_same(const std::vector<Way>& ways) {
    for (int dims = 1; dims <= 3; ++dims)
        for (const auto& scheme : schemes) {
            const auto run = [&](const Way& way) {
                auto sim = simulate(dims, scheme, way);
                set(sim, parting);
                for (const int steps : {2, 1, dims == 3 ? 1 : 9})
                    EXPECT_EQ(sim.run(steps, no_end, no_interruption), steps);
                EXPECT_GT(sim.repairs().steps, 0);
                return std::tuple(sim.conserved_of_leaves(), sim.time(), sim.repairs().cells);
            };
            const auto expected = run({});
            for (const auto& way : ways)
                EXPECT_EQ(run(way), expected) << way.schedule << dims << scheme.reconstruct;
        }
}

TEST(Repairs, HaveTheSameBitsInAllSchedules) {
    expect_the_same({{"pack", 2}, {"lanes", 1}, {"subgrids", 2}, {"aggregate", 2}});
}

class RepairsOn : public ::testing::TestWithParam<std::string> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(RepairsOn);
INSTANTIATE_TEST_SUITE_P(Devices, RepairsOn, ::testing::ValuesIn(gpus()),
                         [](const auto&) { return std::string("gpu"); });

TEST_P(RepairsOn, HaveTheBitsOfTheHost) {
    expect_the_same({{"pack", 1, GetParam()}, {"subgrids", 1, GetParam()}});
}

TEST(Repairs, LeaveOtherStepsAsTheyAre) {
    for (const auto& one : schemes) {
        const auto run = [&](bool repair) {
            auto scheme = one;
            scheme.repair = repair;
            auto sim = simulate(2, scheme);
            set(sim, lumps);
            sim.run(10, no_end, no_interruption);
            EXPECT_EQ(sim.repairs().steps, 0);
            return sim.conserved_of_leaves();
        };
        EXPECT_EQ(run(true), run(false));
    }
}

TEST(Repairs, AreCountedInCheckpoints) {
    const auto file = std::filesystem::temp_directory_path() /
                      ("aureole-repairs-" + std::to_string(getpid()) + ".ckpt");
    auto whole = simulate(2, schemes[1]);
    set(whole, parting);
    whole.run(5, no_end, no_interruption);
    whole.write_checkpoint(file, "");
    auto again = simulate(2, schemes[1], {"aggregate", 2});
    again.read_checkpoint(file);
    EXPECT_EQ(again.repairs().cells, whole.repairs().cells);
    EXPECT_GT(again.repairs().steps, 0);
    for (auto* sim : {&whole, &again}) sim->run(10, no_end, no_interruption);
    EXPECT_EQ(again.conserved_of_leaves(), whole.conserved_of_leaves());
    EXPECT_EQ(again.repairs().cells, whole.repairs().cells);
    std::filesystem::remove(file);
}

TEST(Repairs, FloorsAreAPartOfWhatWasThere) {
    device::Device device(device::open({.name = "host", .threads = 1, .pin = false}, 1));
    device::Queue queue(device);
    const BlockShape shape{.dims = 1};
    const Ideal gas{1.4};
    const State before{2, 3, 0.5, -1, 4};
    const int cells = shape.cells();
    std::vector<double> input(fields * edge), output;
    State u;
    to_conserved(gas, before.data(), u.data());
    for (int f = 0; f < fields; ++f)
        for (int cell = 0; cell < cells; ++cell)
            input[static_cast<std::size_t>(f * cells + cell)] = u[static_cast<std::size_t>(f)];
    output = input;
    const auto at = [&](int field, int cell) -> double& {
        return output[static_cast<std::size_t>(field * cells + cell)];
    };
    at(0, 1) = -1;                                        // no density
    at(4, 2) = 0;                                         // no pressure
    at(0, 3) = std::numeric_limits<double>::quiet_NaN();  // nothing helps
    device::Buffer<double> in(queue, std::ssize(input)), out(queue, std::ssize(input));
    device::Buffer<int> floored(queue, 1);
    device::copy_from_host(queue, in.view(), input.data());
    device::copy_from_host(queue, out.view(), output.data());
    device::team_for(queue, "floors", {1, 4},
                     FloorCells<Ideal>{shape, gas, in.data(), out.data(), floored.data()});
    int count = 0;
    device::copy_to_host(queue, &count, floored.view());
    EXPECT_EQ(count, 2);
    device::copy_to_host(queue, output.data(), out.view());
    for (int cell = 0; cell < cells; ++cell) {
        State w, v;
        for (int f = 0; f < fields; ++f) v[static_cast<std::size_t>(f)] = at(f, cell);
        to_primitive(gas, v.data(), w.data());
        if (cell == 3) {
            EXPECT_TRUE(std::isnan(at(0, cell)));
            continue;
        }
        EXPECT_NEAR(w[0], cell == 1 ? 0.002 : 2, 1e-15) << cell;
        EXPECT_NEAR(w[1], 3, 1e-12) << cell;
        if (cell == 2) {
            EXPECT_NEAR(w[4], 0.004, 1e-12);
        } else {
            EXPECT_GT(w[4], 3.9) << cell;
        }
    }
}

TEST(Repairs, OfWhatCannotBeEndTheRun) {
    // A cell whose energy overflows in the first step has no pressure, whatever the fluxes.
    auto sim = simulate(1, schemes[0], {}, 0);
    set(sim, [](Vec3d x) -> State { return {1, x.x < 0.5 ? 1e153 : -1e153, 0, 0, 1e305}; });
    EXPECT_THROW(sim.run(1000, no_end, no_interruption), core::BlowUpError);
    for (const double value : sim.conserved()) EXPECT_TRUE(std::isfinite(value));
    EXPECT_EQ(sim.repairs().steps, 0);
}

}  // namespace
}  // namespace aureole::amr
