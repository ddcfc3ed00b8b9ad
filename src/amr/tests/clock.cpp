// SPDX-License-Identifier: Apache-2.0
#include "amr/step/clock.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "amr/tests/problems.hpp"
#include "core/error.hpp"

namespace aureole::amr {
namespace {

using namespace testing;

constexpr double cfl = 0.4;

/// The distance between a number and the next one.
double rounding_of(double value) { return std::nextafter(value, no_end) - value; }

/// After steps of one length.
Clock after_steps(double start, double dt, std::int64_t steps, double until = no_end) {
    Clock clock;
    clock.set(start);
    clock.until = until, clock.rate = cfl / dt, clock.last_step = steps;
    for (clock.plan(cfl); clock.running; clock.plan(cfl)) clock.tick(clock.rate);
    return clock;
}

TEST(FluidClock, AddsUpStepsNearTheRoundingOfTheTime) {
    for (const double start : {0.0, 1e6, -1e6, 3.7e9})
        for (const double of_rounding : {0.6, 1.3, 1.5, 7.7, 1e3}) {
            const std::int64_t steps = 10'000;
            const double dt = cfl / (cfl / (of_rounding * rounding_of(std::abs(start) + 1)));
            const auto clock = after_steps(start, dt, steps);
            EXPECT_EQ(clock.step, steps);
            const double expected = static_cast<double>(steps) * dt;  // on its own
            EXPECT_NEAR(clock.time - start, expected, rounding_of(std::abs(clock.time)))
                << start << " " << of_rounding;
        }
}

TEST(FluidClock, EndsAtATimeThatManyStepsAddUpTo) {
    // 0.1 is not a binary fraction: ten thousand of its sums are off by 1.6e-10.
    const auto clock = after_steps(0, 0.1, 1'000'000, 1e4);
    EXPECT_EQ(clock.time, 1e4);
    EXPECT_EQ(clock.step, 100'000);
    EXPECT_NEAR(clock.dt, 0.1, 1e-11);
    EXPECT_EQ(clock.rest, 0);
}

TEST(FluidClock, StepsAddUpToTheTimeThatARunEndsAt) {
    const double start = 1e6, rounding = rounding_of(start), until = start + 10 * rounding;
    Clock clock;
    clock.set(start);
    clock.until = until, clock.rate = cfl / (1.3 * rounding), clock.last_step = 100;
    double sum = 0;
    for (clock.plan(cfl); clock.running; clock.plan(cfl)) {
        clock.tick(clock.rate);
        sum += clock.dt;
    }
    EXPECT_EQ(clock.time, until);
    EXPECT_EQ(clock.step, 8);  // 7 whole ones, and 0.9 roundings, not 1
    EXPECT_NEAR(sum, until - start, 1e-6 * rounding);
}

TEST(FluidClock, StandsWhereAStepIsBelowTheRounding) {
    const double rounding = rounding_of(1e6);
    EXPECT_TRUE(after_steps(1e6, 0.45 * rounding, 5).stands);
    EXPECT_FALSE(after_steps(1e6, 0.55 * rounding, 5).stands);
    EXPECT_TRUE(after_steps(0, 0, 5).stands);
    EXPECT_FALSE(after_steps(0, 1e-300, 5).stands);
    EXPECT_FALSE(after_steps(1e6, 1, 5, 1e6 + rounding).stands);  // a last step may be short
}

TEST(FluidClock, EndsWhereAStepIsAMillionthOfTheFirst) {
    Clock clock;
    clock.until = no_end, clock.last_step = 5, clock.first_rate = 2;
    const auto plan_at = [&](double rate) {
        clock.rate = rate;
        clock.plan(cfl);
        EXPECT_EQ(clock.running, !clock.shrank);
        return clock.shrank;
    };
    EXPECT_FALSE(plan_at(1.99e6));
    EXPECT_TRUE(plan_at(2.01e6));
    EXPECT_FALSE(plan_at(1e-9));  // longer ones are welcome
    clock.beyond_rate = 30;       // the first step was as short
    EXPECT_FALSE(plan_at(29e6));
    EXPECT_TRUE(plan_at(31e6));
    EXPECT_FALSE(plan_at(1));
    EXPECT_EQ(clock.next_dt, cfl / 30);
}

class FluidTimes : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Schedules, FluidTimes,
                         ::testing::Values("subgrids", "aggregate", "pack", "lanes"),
                         [](const auto& of) { return std::string(of.param); });

/// A gas at rest, whose steps are all of one length.
Simulation at_rest(const char* schedule, double pressure) {
    const auto mesh = mesh_of({1});
    Simulation sim({.name = "host", .threads = 1, .pin = false}, mesh, 1.4, plm, {schedule});
    sim.set(primitive(mesh, [&](Vec3d) -> State { return {1, 0, 0, 0, pressure}; }));
    return sim;
}

TEST_P(FluidTimes, AddUpNearTheRoundingOfTheTime) {
    const double start = 1e6;
    const double sound = cfl / edge / (1.4 * rounding_of(start));  // dt = 1.4 roundings
    auto sim = at_rest(GetParam(), sound * sound / 1.4);
    sim.set_time(start);
    const std::int64_t steps = 200;
    for (int piece = 0; piece < 4; ++piece) sim.run(steps / 4, no_end, no_interruption);
    EXPECT_EQ(sim.step(), steps);
    EXPECT_NEAR(sim.dt(), 1.4 * rounding_of(start), 1e-6 * sim.dt());
    EXPECT_NEAR(sim.time() - start, static_cast<double>(steps) * sim.dt(), rounding_of(start));
}

TEST_P(FluidTimes, OfStepsBelowTheirRoundingAreAnError) {
    auto sim = at_rest(GetParam(), 1e20);
    sim.set_time(1e6);
    const auto before = sim.conserved();
    try {
        sim.run(1000, 1e6 + 1e-6, no_interruption);
        FAIL() << "the time is " << sim.time() << " after step " << sim.step();
    } catch (const core::BlowUpError& error) {
        const std::string words = error.what();
        EXPECT_NE(words.find("stands still at 1e+06 in step 1 (the time step, 4.2"),
                  std::string::npos)
            << words;
        EXPECT_NE(words.find("the rounding of the time, 1.16415e-10"), std::string::npos) << words;
        EXPECT_NEAR(error.what_happened.value, cfl / edge / std::sqrt(1.4e20), 1e-18);
        EXPECT_EQ(error.what_happened.force, "time step");
    }
    EXPECT_EQ(sim.step(), 0);
    EXPECT_EQ(sim.conserved(), before);
    sim.set_time(0);  // where the same steps are seen
    EXPECT_EQ(sim.run(10, no_end, no_interruption), 10);
    EXPECT_NEAR(sim.time(), 10 * sim.dt(), 1e-15 * sim.time());
}

TEST(FluidClock, StandsForTheFastestCellWhichIsNamed) {
    const auto mesh = mesh_of({2, 1});
    Simulation sim({.name = "host", .threads = 1, .pin = false}, mesh, 1.4, plm, {"pack"});
    sim.set(primitive(mesh, [](Vec3d x) -> State {
        const bool hot = std::abs(x.x - 0.65625) < 0.01 && std::abs(x.y - 0.1875) < 0.01;
        return {1, 0, 0, 0, hot ? 1e24 : 1};
    }));
    sim.set_time(1e6);
    try {
        sim.run(1, no_end, no_interruption);
        FAIL();
    } catch (const core::BlowUpError& error) {
        EXPECT_EQ(error.what_happened.place, "sub-grid 1, cell 10 at (0.65625, 0.1875)");
    }
}

TEST(FluidClock, RefusesStatesWhoseStepIsInfinite) {
    const auto refused = [](double length, double density, double pressure) {
        auto mesh = mesh_of({1});
        mesh.upper.x = length;
        Simulation sim({.name = "host", .threads = 1, .pin = false}, mesh, 1.4, plm, {"pack"});
        EXPECT_THROW(sim.set(primitive(mesh,
                                       [&](Vec3d) -> State {
                                           return {density, 0, 0, 0, pressure};
                                       })),
                     core::InputError)
            << length;
    };
    refused(1, 1e308, 5e-324);  // the rate is 0
    refused(1e200, 1, 1e-220);  // its inverse overflows
    refused(1, 1e-200, 1e200);  // it overflows
}

}  // namespace
}  // namespace aureole::amr
