// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "md/simulation/tests/systems.hpp"

namespace aureole::md::testing {

/// Results of a whole simulation on ranks, particles in the order of their tags.
struct Outcome {
    Thermo start, end;
    core::Box box;  ///< at the end
    std::vector<Vec3d> force, position, velocity;
};

inline Outcome run(Simulation& sim, std::int64_t steps) {
    Outcome out;
    out.start = sim.thermo();
    out.force = sim.by_tag(sim.forces());
    sim.run(steps, no_interruption);
    out.end = sim.thermo();
    out.box = sim.system().box;
    out.position = sim.by_tag(download(sim.queue(), sim.particles().position));
    out.velocity = sim.by_tag(download(sim.queue(), sim.particles().velocity));
    return out;
}

/// Outcome of the simulation that make(world) returns, on ranks that are threads.
template <class Make>
Outcome run_on(int ranks, const Make& make, std::int64_t steps) {
    if (ranks == 1) return run(*make(nullptr), steps);
    Outcome out;
    comm::World::of_threads(ranks, [&](comm::World& world) {
        const auto own = run(*make(&world), steps);
        if (world.rank() == 0) out = own;
    });
    return out;
}

inline double rms(const std::vector<Vec3d>& a) {
    double sum = 0;
    for (const auto& one : a) sum += dot(one, one);
    return std::sqrt(sum / static_cast<double>(a.size()));
}
inline double rms_difference(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
    std::vector<Vec3d> difference;
    for (std::size_t i = 0; i < a.size(); ++i) difference.push_back(a[i] - b[i]);
    return rms(difference);
}

/// Forces, and energy and virial of each term.
inline void expect_same_start(const Outcome& many, const Outcome& one, double tolerance) {
    ASSERT_EQ(many.start.of_force.size(), one.start.of_force.size());
    for (std::size_t k = 0; k < one.start.of_force.size(); ++k) {
        const auto &got = many.start.of_force[k], &want = one.start.of_force[k];
        EXPECT_GT(std::abs(want.energy), 1) << "term " << k;
        EXPECT_NEAR(got.energy, want.energy, tolerance * std::abs(want.energy)) << "term " << k;
        EXPECT_NEAR(got.virial.trace(), want.virial.trace(),
                    tolerance * (std::abs(want.virial.trace()) + std::abs(want.energy)))
            << "term " << k;
    }
    EXPECT_LT(rms_difference(many.force, one.force), tolerance * rms(one.force));
}

}  // namespace aureole::md::testing
