// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "md/simulation/tests/systems.hpp"

// Systems of molecules for the tests of their steps, which run in every engine.
namespace aureole::md::testing {

/// Cluster lists and flat lists on the host, and a GPU if there is one.
inline std::vector<DeviceSpec> engines() {
    std::vector<DeviceSpec> all = everywhere();
    std::erase_if(all, [](const DeviceSpec& spec) { return spec.threads == 3; });
    if (all[1].name == "host-lanes" && all.size() > 2 && all[2].name == "host-lanes")
        all.erase(all.begin() + 1);
    return all;
}

inline DeviceSpec under_test = host(1);
/// The device under test, with so many threads if it is that of clusters.
inline DeviceSpec on(int threads) {
    auto spec = under_test;
    if (spec.name == "host") spec.threads = threads;
    return spec;
}

class OnEngines : public ::testing::TestWithParam<DeviceSpec> {
  protected:
    void SetUp() override { under_test = GetParam(); }
};
inline std::string engine_name(const ::testing::TestParamInfo<DeviceSpec>& of) {
    return name_of(of.param);
}

inline MotionSpec motion(Scheme scheme, double dt, bool coupled = false) {
    MotionSpec m = nve(dt);
    m.scheme = scheme, m.coupled = coupled;
    return m;
}

/// Pairs of neighbours in a crystal, bound at the length that each has.
inline TermColumns dumbbells(const Start& start) {
    TermColumns terms;
    for (std::int32_t a = 0; a + 1 < static_cast<std::int32_t>(start.particles.position.size());
         a += 2) {
        const auto d = start.box.minimum_image(start.particles.position[std::size_t(a)] -
                                               start.particles.position[std::size_t(a) + 1]);
        terms.particles.push_back(a), terms.particles.push_back(a + 1);
        terms.row.push_back(a / 2);
        terms.parameters.push_back(std::sqrt(dot(d, d)));
    }
    return terms;
}

inline std::unique_ptr<Simulation> bound(const Start& start, const MotionSpec& m, int threads = 1,
                                         Precision precision = Precision::full) {
    auto sim = std::make_unique<Simulation>(on(threads), precision, start.box, start.particles,
                                            start.n_types, 7);
    sim->add_pair(lennard_jones(2.2, EnergyMode::force_shift));
    ConstraintSpec spec;
    spec.constraint = dumbbells(start);
    sim->set_constraints(spec);
    sim->set_motion(m, {});
    sim->constrain_start();
    return sim;
}

inline double worst_length(Simulation& sim, const TermColumns& terms) {
    const auto now = phase(sim);
    double worst = 0;
    for (std::size_t k = 0; k < terms.row.size(); ++k) {
        const auto d =
            sim.system().box.minimum_image(now.position[std::size_t(terms.particles[2 * k])] -
                                           now.position[std::size_t(terms.particles[2 * k + 1])]);
        worst = std::max(worst, std::abs(std::sqrt(dot(d, d)) / terms.parameters[k] - 1));
    }
    return worst;
}

inline void couple_all(Simulation& sim, double kT, double tau) {
    CouplingSpec spec;
    const auto n = static_cast<std::size_t>(sim.particles().n);
    spec.groups = {{kT, tau, 3.0 * static_cast<double>(n), {}, {}, false}};
    sim.set_coupling(spec, std::vector<std::uint8_t>(n, 0));
}

}  // namespace aureole::md::testing
