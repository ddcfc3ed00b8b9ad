// SPDX-License-Identifier: Apache-2.0
#include "amr/step/look.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "amr/hydro/leaves.hpp"
#include "amr/step/clock.kernel.hpp"
#include "amr/step/look.kernel.hpp"
#include "amr/tests/problems.hpp"
#include "core/error.hpp"
#include "device/buffer.hpp"
#include "device/copy.hpp"
#include "device/launch.hpp"

namespace aureole::amr {
namespace {

using namespace testing;

constexpr double endless = std::numeric_limits<double>::infinity();
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
constexpr double wrong_values[] = {0, -0.0, -1, -endless, endless, nothing};

TEST(Look, StatesAreBadByDensityOrPressure) {
    const State fine{2, -3, 0, 1, 0.5};
    EXPECT_TRUE(is_physical(fine.data()));
    for (const int field : {at::density, at::pressure})
        for (const double value : wrong_values) {
            State state = fine;
            state[static_cast<std::size_t>(field)] = value;
            EXPECT_FALSE(is_physical(state.data())) << field << " " << value;
        }
}

/// Conserved fields [block][field][cell] at rest, with a signal rate that differs in all cells.
std::vector<double> at_rest(const Mesh& mesh) {
    const auto cells = mesh.shape().cells();
    std::vector<double> all(static_cast<std::size_t>(fields * mesh.cells()), 0);
    for (std::int64_t i = 0; i < mesh.cells(); ++i) {
        const auto place = static_cast<std::size_t>(i / cells * fields * cells + i % cells);
        all[place + static_cast<std::size_t>(at::density * cells)] = 1;
        all[place + static_cast<std::size_t>(at::energy * cells)] =
            1 + 0.01 * static_cast<double>(i * 7919 % 101);
    }
    return all;
}

double& value_of(std::vector<double>& all, const Mesh& mesh, std::int64_t block, int field,
                 int cell) {
    return all[static_cast<std::size_t>((block * fields + field) * mesh.shape().cells() + cell)];
}

TEST(Look, NamesTheFieldThatIsBad) {
    const auto mesh = mesh_of({1});
    for (const double value : wrong_values) {
        auto all = at_rest(mesh);
        value_of(all, mesh, 0, at::density, 5) = value;
        const auto by_density = look_at(Tree(mesh), Ideal{1.4}, all.data()).bad;
        EXPECT_EQ(by_density.field, at::density) << value;
        EXPECT_EQ(by_density.cell, 5);
        EXPECT_TRUE(by_density.value == value ||
                    (std::isnan(value) && std::isnan(by_density.value)));
        all = at_rest(mesh);
        value_of(all, mesh, 0, at::energy, 5) = value;
        const auto by_pressure = look_at(Tree(mesh), Ideal{1.4}, all.data()).bad;
        EXPECT_EQ(by_pressure.field, at::pressure) << value;
        EXPECT_EQ(by_pressure.cell, 5);
    }
}

TEST(Look, JoinsTheFirstBadCellAndTheLargestRate) {
    const Look fine{3, {}}, faster{5, {}}, bad{1, {2, 7, at::density, -1}},
        later{1, {4, 0, at::pressure, -2}};
    EXPECT_EQ(joined(fine, faster).rate, 5);
    EXPECT_EQ(joined(faster, fine).rate, 5);
    EXPECT_EQ(joined(fine, faster).bad.block, -1);
    EXPECT_EQ(joined(bad, later).bad.block, 2);
    EXPECT_EQ(joined(fine, bad).bad.block, 2);
    EXPECT_EQ(joined(bad, fine).bad.block, 2);
}

/// A device whose teams have so many threads.
device::Device teams_of(int threads) {
    return device::Device::host({.threads = threads, .pin = false, .team_threads = threads});
}

/// Findings of teams of lanes in all sub-grids.
std::vector<Look> by_lanes(const Mesh& mesh, const std::vector<double>& all, int lanes) {
    auto host = teams_of(lanes);
    device::Queue queue{host};
    device::Buffer<double> there{queue, static_cast<std::int64_t>(all.size())};
    device::Buffer<Look> looks{queue, mesh.blocks()};
    device::copy_from_host(queue, there.view(), all.data());
    const std::vector<double> ones(static_cast<std::size_t>(mesh.blocks()), 1.0);
    device::Buffer<double> refined{queue, mesh.blocks()};
    device::copy_from_host(queue, refined.view(), ones.data());
    device::team_for(queue, "look at cells", {mesh.blocks(), lanes},
                     LookAtCells<Ideal>{mesh.shape(), Ideal{1.4}, mesh.inverse_spacings(),
                                        refined.data(), there.data(), looks.data()});
    std::vector<Look> found(static_cast<std::size_t>(mesh.blocks()));
    device::copy_to_host(queue, found.data(), looks.view());
    return found;
}

TEST(Look, OfLanesIsThatOfOne) {
    const auto mesh = mesh_of({2, 1});
    const int cells = mesh.shape().cells();
    for (int bad = -1; bad < cells; ++bad) {  // in each lane once, and in none
        auto all = at_rest(mesh);
        if (bad >= 0) value_of(all, mesh, 1, at::energy, bad) = -1;
        if (bad >= 0 && bad + 20 < cells) value_of(all, mesh, 1, at::density, bad + 20) = -1;
        for (const int lanes : {1, 4}) {
            const auto found = by_lanes(mesh, all, lanes);
            for (std::int64_t block = 0; block < mesh.blocks(); ++block) {
                const auto one =
                    look_at(Ideal{1.4}, all.data(), mesh.shape(), mesh.inverse_spacings(), block);
                const auto& other = found[static_cast<std::size_t>(block)];
                EXPECT_EQ(other.bad.block, one.bad.block) << bad << ", lanes " << lanes;
                EXPECT_EQ(other.bad.cell, one.bad.cell) << bad << ", lanes " << lanes;
                EXPECT_EQ(other.bad.field, one.bad.field) << bad << ", lanes " << lanes;
                if (one.bad.block < 0) {
                    EXPECT_EQ(other.rate, one.rate);
                }
            }
        }
    }
}

/// A clock after a step whose groups ended so, by a team of lanes.
Clock after(const std::vector<Look>& ends, Clock clock, int lanes) {
    auto host = teams_of(lanes);
    device::Queue queue{host};
    device::Buffer<Look> there{queue, static_cast<std::int64_t>(ends.size())};
    device::Buffer<Clock> clocks{queue, 1};
    device::copy_from_host(queue, there.view(), ends.data());
    device::copy_from_host(queue, clocks.view(), &clock);
    device::team_for(
        queue, "clock of fluids", {1, 32},
        TickClock{there.data(), static_cast<std::int64_t>(ends.size()), clocks.data(), 0.4});
    device::copy_to_host(queue, &clock, clocks.view());
    return clock;
}

TEST(Look, TheClockTakesTheFirstBadGroup) {
    Clock before;
    before.last_step = 10, before.until = endless, before.rate = 4;
    before.plan(0.4);
    for (const std::set<int>& bad : std::vector<std::set<int>>{
             {}, {0}, {5}, {99}, {8, 40, 72}, {40, 72}, {9, 40}, {40, 9, 98}, {31, 63, 64}}) {
        std::vector<Look> ends(100);
        for (int g = 0; g < 100; ++g) {
            auto& end = ends[static_cast<std::size_t>(g)];
            end.rate = 1 + (g * 37) % 100;
            if (bad.count(g) > 0) end.bad = {g, 3, at::density, -1};
        }
        for (const int lanes : {1, 4}) {
            const auto clock = after(ends, before, lanes);
            EXPECT_EQ(clock.bad.block, bad.empty() ? -1 : *bad.begin()) << lanes;
            EXPECT_EQ(clock.step, bad.empty() ? 1 : 0);
            EXPECT_EQ(clock.running, bad.empty());
            if (bad.empty()) {
                EXPECT_EQ(clock.rate, 100);  // the largest
                EXPECT_EQ(clock.time, 0.1);
            }
        }
    }
}

TEST(Look, AllSchedulesNameTheFirstOfManyBadCells) {
    // A vacuum opens at twelve places at once, in two groups of sub-grids.
    const auto mesh = mesh_of({12});
    const auto start = primitive(mesh, [](Vec3d x) -> State {
        const double place = 12 * x.x - std::floor(12 * x.x);
        return place < 0.5 ? State{1, -40, 0, 0, 1e-4} : State{1e-12, 40, 0, 0, 1e-12};
    });
    std::set<std::string> words;
    for (const char* schedule : {"subgrids", "aggregate", "pack", "lanes"}) {
        Simulation sim({.name = "host", .threads = 1, .pin = false}, mesh, 1.4,
                       {"plm", "hllc", 2, 1, false}, {schedule});
        sim.set(start);
        try {
            sim.run(1000, endless, no_interruption);
            FAIL() << "nothing went bad";
        } catch (const core::BlowUpError& error) {
            words.insert(error.what());
            EXPECT_EQ(error.what_happened.place.find("sub-grid 0, "), 0u) << error.what();
        }
    }
    EXPECT_EQ(words.size(), 1u) << *words.begin() << "\n" << *words.rbegin();
}

}  // namespace
}  // namespace aureole::amr
