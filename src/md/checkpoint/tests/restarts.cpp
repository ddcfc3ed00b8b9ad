// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>

#include "md/simulation/tests/molecules_systems.hpp"

// A restart is the uninterrupted run to the bit, at every step of a list lifetime, with the lists
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

// In these units pairs give so little that a drift must be small to ask for a width at all.
constexpr double tolerated = 2e-6;
ListSpec by_tolerance() { return {.exact = false, .tolerance = tolerated}; }
ListSpec short_lived() { return {.exact = false, .tolerance = tolerated, .outer_lifetime = 12}; }
ListSpec of_a_width(double width) {
    return {.exact = false, .buffer = width, .inner_lifetime = 3, .outer_lifetime = 9};
}

std::vector<Ensemble> ensembles() {
    using enum Scheme;
    using enum BoxShape;
    using B = Barostat;
    using H = Thermostat;
    return {
        {"c_rescale", leap_frog, H::bussi, B::c_rescale, isotropic, false, short_lived()},
        {"c_rescale_verlet", verlet, H::bussi, B::c_rescale, semi_isotropic, true, by_tolerance()},
        {"parrinello_rahman", leap_frog, H::nose_hoover, B::parrinello_rahman, anisotropic, true,
         by_tolerance()},
        {"berendsen", leap_frog, H::berendsen, B::berendsen, isotropic, false, short_lived()},
        {"stochastic", stochastic, H::none, B::c_rescale, anisotropic, false, short_lived()},
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
    sim->set_mesh({.grid = {16, 16, 16}});
    sim->set_constraints(constraints);
    sim->set_list(e.list);
    std::vector<std::uint8_t> axes(static_cast<std::size_t>(n), moves_freely);
    axes[20] = axes[21] = 0;
    sim->set_free_axes(axes);
    CouplingSpec coupling;
    coupling.thermostat = e.thermostat, coupling.every = 2;
    coupling.groups = {{1.5, 0.1, 2.5 * n - 3, {}, {}, false}};
    auto& b = coupling.barostat;
    b.kind = e.barostat, b.shape = e.shape, b.every = 2;
    b.tau = e.barostat == Barostat::parrinello_rahman ? 1.5 : 0.1;
    b.compressibility = {0.05, 0.05, 0.05, 0, 0, 0};
    b.pressure = {8, 8, 8, 0, 0, 0};
    sim->set_coupling(coupling, std::vector<std::uint8_t>(static_cast<std::size_t>(n), 0));
    sim->set_motion(motion(e.scheme, 0.004, true), {});
    sim->constrain_start();
    return sim;
}

/// Everything that a run tells, and what its lists are like.
struct Told {
    Phase phase;
    std::vector<Vec3d> force;
    std::vector<double> numbers;
    friend bool operator==(const Told&, const Told&) = default;
};

Told told(Simulation& sim) {
    const auto forces = sim.forces();
    const auto t = sim.thermo();
    const auto& box = sim.system().box;
    const auto lists = sim.statistics();
    const auto lifetimes = sim.tuning();
    return {phase(sim),
            to_tag_order(forces, download_tags(sim.queue(), sim.particles())),
            {t.potential, t.kinetic, t.pressure, t.given, box.lx, box.lz, box.xy,
             double(lifetimes.inner_lifetime), double(lifetimes.outer_lifetime),
             double(lists.searches), double(lists.prunings), lists.inner_buffer, lists.outer_buffer,
             lists.inner_tiles, lists.outer_tiles}};
}

std::vector<DeviceSpec> devices() {
    auto all = everywhere();  // host1, host3, hostlanes1, ...
    all[1].threads = 2;
    all.resize(3);
    return all;
}

class Restarts : public ::testing::TestWithParam<std::tuple<DeviceSpec, Ensemble>> {};
INSTANTIATE_TEST_SUITE_P(Engines, Restarts,
                         ::testing::Combine(::testing::ValuesIn(devices()),
                                            ::testing::ValuesIn(ensembles())),
                         [](const auto& of) {
                             return name_of(std::get<0>(of.param)) + "_" +
                                    std::get<1>(of.param).name;
                         });

TEST_P(Restarts, AtEveryStepOfAListLifetime) {
    const auto& [device, ensemble] = GetParam();
    const auto path = scratch_file("restart_" + name_of(device) + ensemble.name);
    // Each engine sees both.
    const auto precision =
        ensemble.tilted == (device.threads > 1) ? Precision::full : Precision::mixed;
    const std::int64_t first = steps(60), cuts = steps(24), beyond = steps(24);
    const auto sim = make(ensemble, device, precision);
    sim->run(first, no_interruption);
    std::vector<std::filesystem::path> files;
    std::vector<Told> want;
    for (std::int64_t k = 0; k < cuts + beyond; ++k, sim->run(1, no_interruption)) {
        want.push_back(told(*sim));
        if (k >= cuts) continue;
        files.push_back(path.string() + std::to_string(k));
        sim->write_checkpoint(files.back(), "");
    }
    if (ensemble.list.outer_lifetime > 0 && first == 60) {
        EXPECT_GE(sim->statistics().searches, 6);  // some in what was tried
    }
    if (ensemble.barostat != Barostat::none && first == 60) {  // or nothing was tried
        EXPECT_GT(std::abs(sim->system().box.volume() / sim->system().first_volume - 1), 0.02);
    }
    std::string note;
    for (std::size_t k = 0; k < files.size(); ++k) {
        const auto again = Simulation::read_checkpoint(files[k], device, note);
        EXPECT_EQ(told(*again), want[k]) << "read at once " << k;
        again->run(beyond, no_interruption);
        EXPECT_EQ(told(*again).numbers, want[k + std::size_t(beyond)].numbers) << k;
        EXPECT_EQ(told(*again), want[k + std::size_t(beyond)]) << k;
        if (HasFailure()) break;
    }
}

}  // namespace
}  // namespace aureole::md::testing
