// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "md/external/registry.hpp"

// What every leaf file of external forces must keep to: those of extension folders too.
namespace aureole::md::testing {
namespace {

class ExternalContract : public ::testing::TestWithParam<const External*> {};

std::vector<const External*> all_kinds() {
    std::vector<const External*> all;
    for (const auto& kind : external_kinds()) all.push_back(&kind);
    return all;
}
INSTANTIATE_TEST_SUITE_P(Leaves, ExternalContract, ::testing::ValuesIn(all_kinds()),
                         [](const auto& p) { return std::string(p.param->name); });

/// One particle in an open box, with plausible numbers in all columns and parameters.
struct OneParticle {
    core::Vec3d position;
    core::Vec3i image{1, -2, 0};
    StepState state;
    std::vector<std::vector<double>> columns;
    ExternalView view{};

    OneParticle(const External& kind, std::mt19937_64& random) {
        std::uniform_real_distribution<double> uniform(0.5, 1.5), at(-3, 3);
        position = {at(random), at(random), at(random)};
        state.step = 40;
        std::vector<double> parameters;
        for (std::size_t k = 0; k < kind.parameters.size(); ++k)
            parameters.push_back(uniform(random));
        state.box = {8, 9, 10, 0, 0, 0, false, false, false};
        EXPECT_EQ(kind.problem(parameters.data(), state.box), nullptr);
        kind.derive(parameters.data(), view.coefficient);
        columns.reserve(kind.columns.size());
        for (std::size_t c = 0; c < kind.columns.size(); ++c) {
            columns.push_back({uniform(random), uniform(random), uniform(random)});
            view.column[c] = columns.back().data();
        }
        view.position = &position, view.image = &image, view.state = &state;
        view.start = 1, view.dt = 0.01;
    }
};

TEST_P(ExternalContract, TheForceIsTheSlopeOfTheEnergy) {
    const auto& kind = *GetParam();
    std::mt19937_64 random(5);
    int looked_at = 0;
    for (int trial = 0; trial < 1000; ++trial) {
        OneParticle one(kind, random);
        const auto here = kind.evaluate(one.view, 0);
        if (!std::isfinite(here.energy)) continue;  // where the particle cannot be
        const auto at = one.position;
        constexpr double h = 1e-6;
        double slope[3];
        for (int axis = 0; axis < 3; ++axis) {
            double energy[2];
            for (int side = 0; side < 2; ++side) {
                one.position = at;
                (&one.position.x)[axis] += side == 0 ? -h : h;
                energy[side] = kind.evaluate(one.view, 0).energy;
            }
            slope[axis] = (energy[1] - energy[0]) / (2 * h);
        }
        const double size = std::sqrt(dot(here.force, here.force));
        if (!std::isfinite(slope[0] + slope[1] + slope[2]) || size > 1e4) continue;
        for (int axis = 0; axis < 3; ++axis)
            ASSERT_NEAR((&here.force.x)[axis], -slope[axis], 1e-6 * (1 + size)) << "axis " << axis;
        ++looked_at;
    }
    EXPECT_GT(looked_at, 50);
}

TEST_P(ExternalContract, SaysWhatItIs) {
    const auto& kind = *GetParam();
    EXPECT_GT(std::string(kind.words).size(), 20u);
    EXPECT_FALSE(kind.parameters.empty());
    for (const auto& parameter : kind.parameters) EXPECT_NE(std::string(parameter.words), "");
}

}  // namespace
}  // namespace aureole::md::testing
