// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "amr/hydro/leaves.hpp"
#include "amr/hydro/state.hpp"
#include "amr/simulation.hpp"
#include "amr/tests/problems.hpp"
#include "core/error.hpp"

// Runs on meshes with levels.
namespace aureole::amr {
namespace {

using namespace testing;

Simulation simulate(const Mesh& mesh, const Scheme& scheme, std::vector<RefinedBox> boxes,
                    const char* schedule = "pack", double gamma = 1.4, int threads = 1) {
    return {{.name = "host", .threads = threads, .pin = false},
            mesh,
            gamma,
            scheme,
            {schedule},
            {.regions = std::move(boxes)}};
}

/// Root of the squares of the mean errors of all fields of a sound wave along x = y = ... after a
/// period, with the middle half of the box refined.
double error_of_sound(int dims, int roots, const Scheme& scheme, bool refines) {
    const auto mesh = mesh_of(std::vector<int>(static_cast<std::size_t>(dims), roots));
    const RefinedBox middle{{0.25, 0.25, 0.25}, {0.75, 0.75, 0.75}, 1};
    auto sim = simulate(mesh, scheme, refines ? std::vector{middle} : std::vector<RefinedBox>{},
                        "pack", 5.0 / 3);
    const double amplitude = 1e-6, t = 2 * std::numbers::pi;
    // Averages of the sound in cells are its values at their centres, less a factor that depends on
    // the level.
    const auto start = on_leaves(sim.tree(), [&](Vec3d x, double size) -> State {
        double phase = 0;
        for (int axis = 0; axis < dims; ++axis) phase += t * component(x, axis);
        const double half = t * size * mesh.spacing(0) / 2;
        const double rise = amplitude * std::pow(std::sin(half) / half, dims) * std::sin(phase);
        State w{1 + rise, 0, 0, 0, 0.6 + rise};
        for (int axis = 0; axis < dims; ++axis)
            w[static_cast<std::size_t>(1 + axis)] = rise / std::sqrt(dims);
        return w;
    });
    sim.set_leaves(start);
    const auto before = sim.conserved_of_leaves();
    sim.run(1'000'000, 1 / std::sqrt(dims), no_interruption);
    const auto after = sim.conserved_of_leaves();
    const int cells = mesh.shape().cells();
    double squares = 0;
    for (int f = 0; f < fields; ++f) {
        double sum = 0, volume = 0;
        for (std::int64_t leaf = 0; leaf < sim.tree().size(); ++leaf)
            for (int cell = 0; cell < cells; ++cell) {
                const auto i = static_cast<std::size_t>((leaf * fields + f) * cells + cell);
                const double part = std::pow(sim.tree().refinement(leaf), -dims);
                sum += part * std::abs(after[i] - before[i]), volume += part;
            }
        squares += sum * sum / (volume * volume);
    }
    return std::sqrt(squares);
}

TEST(Levels, SoundPassesThrough) {
    // Minmod in place of the slopes of halos gives 2.8e-9 with ppm along a line.
    EXPECT_LE(error_of_sound(1, 8, plm, true), 1.4e-8);
    EXPECT_LE(error_of_sound(1, 8, ppm, true), 5e-11);
    EXPECT_LE(error_of_sound(2, 4, plm, true), 7e-8);
    EXPECT_LE(error_of_sound(2, 4, ppm, true), 8e-10);
}

TEST(Levels, AUniformFlowStaysSo) {
    for (int dims = 1; dims <= 3; ++dims)
        for (const auto& scheme : {plm, ppm}) {
            const auto mesh = mesh_of(std::vector<int>(static_cast<std::size_t>(dims), 2));
            auto sim = simulate(mesh, scheme, {{{0.2, 0.2, 0.2}, {0.4, 0.4, 0.4}, 2}});
            EXPECT_GT(sim.tree().deepest_level(), 1);
            sim.set_leaves(on_leaves(sim.tree(), [](Vec3d) -> State {
                return {1.3, 0.7, -0.4, 0.2, 0.9};
            }));
            const auto before = sim.conserved_of_leaves();
            sim.run(dims == 3 ? 5 : 20, no_end, no_interruption);
            const auto after = sim.conserved_of_leaves();
            for (std::size_t k = 0; k < after.size(); ++k) EXPECT_NEAR(after[k], before[k], 1e-13);
        }
}

TEST(Levels, MassMomentumAndEnergyAreKept) {
    for (int dims = 1; dims <= 3; ++dims)
        for (const auto& scheme : {plm, ppm}) {
            const auto mesh = mesh_of(std::vector<int>(static_cast<std::size_t>(dims), 2));
            auto sim = simulate(
                mesh, scheme,
                {{{0.2, 0.2, 0.2}, {0.6, 0.6, 0.6}, 1}, {{0.3, 0.3, 0.3}, {0.4, 0.4, 0.4}, 2}});
            sim.set_leaves(on_leaves(sim.tree(), [&](Vec3d x) -> State {
                double square = 0;
                for (int axis = 0; axis < dims; ++axis)
                    square += (component(x, axis) - 0.5) * (component(x, axis) - 0.5);
                return {1, 0.1, dims > 1 ? 0.2 : 0, 0, square < 0.04 ? 10.0 : 0.1};
            }));
            const auto before = sim.totals();
            sim.run(dims == 3 ? 20 : 60, no_end, no_interruption);
            expect_kept(before, sim.totals());
        }
}

TEST(Levels, ABoxThatIsRefinedAsAWholeIsAMeshOfMoreRoots) {
    const auto run = [](int roots, std::vector<RefinedBox> boxes, const char* schedule) {
        auto sim = simulate(mesh_of({roots, roots}), ppm, std::move(boxes), schedule);
        sim.set_leaves(on_leaves(sim.tree(), lumps));
        sim.run(10, no_end, no_interruption);
        return std::pair(sim.conserved_of_leaves(), sim.time());
    };
    const auto expected = run(4, {}, "pack");
    for (const char* schedule : {"pack", "lanes", "subgrids", "aggregate"})
        EXPECT_EQ(run(2, {{{0, 0, 0}, {1, 1, 1}, 1}}, schedule), expected) << schedule;
}

TEST(Levels, AllSchedulesHaveTheSameBits) {
    for (int dims = 1; dims <= 3; ++dims)
        for (const auto& scheme : {plm, ppm}) {
            if (dims == 3 && scheme.reconstruct == "plm") continue;  // slow
            const auto mesh =
                mesh_of(std::vector<int>(static_cast<std::size_t>(dims), 2), Boundary::reflecting);
            const auto run = [&](const char* schedule, int threads) {
                auto sim = simulate(mesh, scheme, {{{0.1, 0.2, 0.2}, {0.3, 0.4, 0.4}, 2}}, schedule,
                                    1.4, threads);
                sim.set_leaves(on_leaves(sim.tree(), lumps));
                sim.run(dims == 3 ? 2 : 12, no_end, no_interruption);
                return std::pair(sim.conserved_of_leaves(), sim.time());
            };
            const auto one = run("pack", 1);
            EXPECT_EQ(run("lanes", 1), one);
            EXPECT_EQ(run("pack", 2), one);
            for (const char* schedule : {"subgrids", "aggregate"})
                for (const int threads : {1, 2}) EXPECT_EQ(run(schedule, threads), one) << schedule;
        }
}

/// A mesh whose faces are all fixed to a state, with sub-grids of other levels at some.
Mesh fixed_to(const State& w, int dims) {
    auto mesh = mesh_of(std::vector<int>(static_cast<std::size_t>(dims), 2), Boundary::fixed);
    for (auto& beyond : mesh.beyond) to_conserved(Ideal{1.4}, w.data(), beyond.data());
    return mesh;
}

TEST(Levels, AUniformFlowThroughFixedFacesStaysSo) {
    const State flow{1.3, 0.7, -0.4, 0.2, 0.9};
    for (int dims = 1; dims <= 3; ++dims)
        for (const auto& scheme : {plm, ppm})
            for (const int level : {0, 2}) {
                auto sim =
                    simulate(fixed_to(flow, dims), scheme, {{{0, 0, 0}, {0.2, 0.2, 0.2}, level}});
                EXPECT_EQ(sim.tree().deepest_level(), level);
                sim.set_leaves(on_leaves(sim.tree(), [&](Vec3d) { return flow; }));
                const auto before = sim.conserved_of_leaves();
                sim.run(20, no_end, no_interruption);
                const auto after = sim.conserved_of_leaves();
                for (std::size_t k = 0; k < after.size(); ++k)
                    EXPECT_NEAR(after[k], before[k], 1e-13);
            }
}

TEST(Levels, StatesBeyondFixedFacesAreThoseOfAGas) {
    EXPECT_THROW(simulate(mesh_of({2}, Boundary::fixed), plm, {}), core::InputError);
    EXPECT_THROW(simulate(fixed_to({1, 0, 0, 0, -1}, 2), plm, {}), core::InputError);
    EXPECT_THROW(simulate(fixed_to({no_end, 0, 0, 0, 1}, 1), plm, {}), core::InputError);
    simulate(fixed_to({1, 0, 0, 0, 1}, 2), plm, {});
}

TEST(Levels, GasFlowsInThroughFixedFacesInAllSchedules) {
    for (int dims = 1; dims <= 3; ++dims)
        for (const int level : {0, 1}) {
            auto mesh = fixed_to({2, 3, 0, 0, 1}, dims);
            mesh.boundary = {Boundary::fixed,    Boundary::outflow,  Boundary::periodic,
                             Boundary::periodic, Boundary::periodic, Boundary::periodic};
            const auto run = [&](const char* schedule, int threads) {
                auto sim = simulate(mesh, ppm, {{{0, 0, 0}, {0.2, 0.2, 0.2}, level}}, schedule, 1.4,
                                    threads);
                sim.set_leaves(on_leaves(sim.tree(), [](Vec3d) -> State {
                    return {1, 0, 0, 0, 1};
                }));
                EXPECT_EQ(sim.run(1, no_end, no_interruption), 1);
                // |v| + c of what flows in, in the finest cells beside it.
                const double across = dims > 1 ? std::sqrt(1.4 / 2) * (dims - 1) : 0;
                const double rate = (3 + std::sqrt(1.4 / 2) + across) * 16 * (1 << level);
                EXPECT_NEAR(sim.dt(), 0.4 / rate, 1e-12);
                sim.run(dims == 3 ? 2 : 12, no_end, no_interruption);
                return std::pair(sim.conserved_of_leaves(), sim.time());
            };
            const auto one = run("pack", 1);
            EXPECT_GT(one.first[0], 1.2);  // the density of the first cell
            for (const char* schedule : {"lanes", "subgrids", "aggregate"})
                EXPECT_EQ(run(schedule, 1), one) << schedule;
            for (const char* schedule : {"pack", "subgrids", "aggregate"})
                EXPECT_EQ(run(schedule, 2), one) << schedule;
        }
}

}  // namespace
}  // namespace aureole::amr
