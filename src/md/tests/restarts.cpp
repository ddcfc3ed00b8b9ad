// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>

#include "md/tests/molecules_systems.hpp"

// A restart is the uninterrupted run to the bit, at every step of a list's life, with the lists
// that molecules have by default: their buffers follow from a tolerated drift of the energy.
namespace aureole::md::testing {
namespace {

struct Ensemble {
    const char* name;
    Scheme scheme;
    Thermostat thermostat;
    Barostat barostat;
    BoxShape shape;
    bool tilted;
    ListSpec list;
};
void PrintTo(const Ensemble& e, std::ostream* out) { *out << e.name; }

ListSpec by_tolerance() { return {.exact = false}; }
ListSpec of_a_width(double width) {
    return {.exact = false, .buffer = width, .inner_life = 3, .outer_life = 9};
}

std::vector<Ensemble> ensembles() {
    using enum Scheme;
    using enum BoxShape;
    using B = Barostat;
    using H = Thermostat;
    return {
        {"c_rescale", leap_frog, H::bussi, B::c_rescale, isotropic, false, by_tolerance()},
        {"c_rescale_verlet", verlet, H::bussi, B::c_rescale, semi_isotropic, true, by_tolerance()},
        {"parrinello_rahman", leap_frog, H::nose_hoover, B::parrinello_rahman, anisotropic, true,
         by_tolerance()},
        {"berendsen", leap_frog, H::berendsen, B::berendsen, isotropic, false, by_tolerance()},
        {"stochastic", stochastic, H::none, B::c_rescale, anisotropic, false, by_tolerance()},
        {"no_barostat", leap_frog, H::bussi, B::none, isotropic, true, by_tolerance()},
        {"exact", leap_frog, H::bussi, B::berendsen, isotropic, true, ListSpec{}},
        {"own_width", verlet, H::nose_hoover, B::berendsen, anisotropic, false, of_a_width(0.1)},
    };
}

/// Charged dumbbells, bound or rigid, that start at a pressure far from the one asked for.
Start dumbbell_liquid(bool tilted) {
    auto start =
        liquid(tilted ? core::Box{4.4, 4.6, 4.8, 0.2, -0.1, 0.15} : core::Box{4.4, 4.6, 4.8}, 200,
               0.5, 1.0, 3);
    auto& p = start.particles;
    for (std::size_t i = 0; i < p.position.size(); ++i) {
        p.charge.push_back(i % 2 == 0 ? 0.4 : -0.4);
        p.mass[i] = i % 2 == 0 ? 4 : 1;
        if (i % 2 == 0) continue;
        p.position[i] = p.position[i - 1] + Vec3d{0.2, 0.1, 0.05};
        p.image[i] = p.image[i - 1];
        p.velocity[i] = p.velocity[i - 1];
    }
    return start;
}

std::unique_ptr<Simulation> make(const Ensemble& e, const DeviceSpec& device, Precision precision) {
    const auto start = dumbbell_liquid(e.tilted);
    const auto n = static_cast<std::int32_t>(start.particles.position.size());
    auto sim = std::make_unique<Simulation>(device, precision, start.box, start.particles, 1, 3);
    NonbondedSpec spec;
    spec.n_types = 1, spec.c6 = {0.002}, spec.c12 = {2e-5};
    spec.coulomb = Coulomb::ewald, spec.beta = 3;
    spec.r_vdw = spec.r_coulomb = 1.2, spec.coulomb_constant = 1;
    sim->set_nonbonded(spec);
    Exclusions exclusions;
    exclusions.start = {0};
    ConstraintSpec constraints;
    auto& rigid = constraints.constraint;
    rigid.parameters = {std::sqrt(0.0525)};
    for (std::int32_t i = 0; i < n; ++i) {
        exclusions.partner.push_back(i % 2 == 0 ? i + 1 : i - 1);
        exclusions.start.push_back(i + 1);
        if (i % 2 == 1) continue;
        rigid.particles.insert(rigid.particles.end(), {i, i + 1}), rigid.row.push_back(0);
    }
    sim->set_exclusions(exclusions);
    sim->set_mesh({.grid = {16, 16, 16}, .order = 4, .beta = 3});
    sim->set_constraints(constraints);
    sim->set_list(e.list);
    CouplingSpec coupling;
    coupling.thermostat = e.thermostat, coupling.every = 2;
    coupling.groups = {{1.5, 0.1, 2.5 * n - 3, {}, {}, false}};
    auto& b = coupling.barostat;
    b.kind = e.barostat, b.shape = e.shape, b.every = 2, b.tau = 0.1;
    b.compressibility = {0.05, 0.05, 0.05, 0, 0, 0};
    b.pressure = {8, 8, 8, 0, 0, 0};
    sim->set_coupling(coupling, std::vector<std::uint8_t>(static_cast<std::size_t>(n), 0));
    sim->set_motion(motion(e.scheme, 0.004, true), {});
    sim->constrain_start();
    return sim;
}

/// Everything that a run tells, and what its lists are like.
void expect_same(Simulation& a, Simulation& b) {
    EXPECT_EQ(phase(a), phase(b));
    const auto in_order = [](Simulation& sim) {
        return to_tag_order(sim.forces(), download_tags(sim.queue(), sim.particles()));
    };
    EXPECT_EQ(in_order(a), in_order(b));
    const auto of_a = a.thermo(), of_b = b.thermo();
    EXPECT_EQ(of_a.potential, of_b.potential);
    EXPECT_EQ(of_a.kinetic, of_b.kinetic);
    EXPECT_EQ(of_a.pressure, of_b.pressure);
    EXPECT_EQ(of_a.given, of_b.given);
    EXPECT_EQ(a.system().box.lx, b.system().box.lx);
    EXPECT_EQ(a.system().box.lz, b.system().box.lz);
    EXPECT_EQ(a.tuning().inner_life, b.tuning().inner_life);
    EXPECT_EQ(a.tuning().outer_life, b.tuning().outer_life);
    const auto in_a = a.statistics(), in_b = b.statistics();
    EXPECT_EQ(in_a.searches, in_b.searches);
    EXPECT_EQ(in_a.prunings, in_b.prunings);
    EXPECT_EQ(in_a.inner_buffer, in_b.inner_buffer);
    EXPECT_EQ(in_a.outer_buffer, in_b.outer_buffer);
    EXPECT_EQ(in_a.inner_tiles, in_b.inner_tiles);
    EXPECT_EQ(in_a.outer_tiles, in_b.outer_tiles);
}

class Restarts : public ::testing::TestWithParam<std::tuple<DeviceSpec, Ensemble>> {};
INSTANTIATE_TEST_SUITE_P(Engines, Restarts,
                         ::testing::Combine(::testing::ValuesIn(everywhere()),
                                            ::testing::ValuesIn(ensembles())),
                         [](const auto& of) {
                             return name_of(std::get<0>(of.param)) + "_" +
                                    std::get<1>(of.param).name;
                         });

TEST_P(Restarts, AtEveryStepOfAListsLife) {
    const auto& [device, ensemble] = GetParam();
    const auto path = std::filesystem::path(::testing::TempDir()) /
                      ("aureole_restart_" + name_of(device) + ensemble.name + ".ckpt");
    // Double precision in one of the two, so that each engine has seen both.
    const auto precision = device.threads > 1 ? Precision::full : Precision::mixed;
    const std::int64_t first = steps(60), cuts = steps(30), last = first + cuts + steps(50);
    const auto straight = make(ensemble, device, precision);
    straight->run(last, no_interruption);
    if (ensemble.barostat != Barostat::none && first == 60) {  // or nothing was tried
        EXPECT_GT(std::abs(straight->system().box.volume() / straight->system().first_volume - 1),
                  0.02);
    }
    const auto cut = make(ensemble, device, precision);
    cut->run(first, no_interruption);
    std::string note;
    for (std::int64_t at = first; at < first + cuts; ++at) {
        SCOPED_TRACE("written at step " + std::to_string(at));
        cut->write_checkpoint(path, note);
        const auto sim = Simulation::read_checkpoint(path, device, note);
        expect_same(*sim, *cut);
        sim->run(last - at, no_interruption);
        expect_same(*sim, *straight);
        cut->run(1, no_interruption);
        if (HasFailure()) break;
    }
    std::filesystem::remove(path);
    std::filesystem::remove(path.string() + ".prev");
}

}  // namespace
}  // namespace aureole::md::testing
