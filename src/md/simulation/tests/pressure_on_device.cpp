// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "md/simulation/tests/water_systems.hpp"

// Water at constant pressure on flat lists: rigid molecules with a virtual site, a mesh, and a
// barostat, whose strains are found and applied while the host does not look.
namespace aureole::md::testing {
namespace {

CouplingSpec pressed(Barostat kind) {
    CouplingSpec spec;
    spec.thermostat = Thermostat::bussi, spec.every = 10;
    spec.groups = {{2.494, 0.1, 6.0 * waters - 3, {}, {}, false}};
    auto& b = spec.barostat;
    b.kind = kind, b.every = 10, b.tau = 2;
    b.compressibility = {7.5e-4, 7.5e-4, 7.5e-4, 0, 0, 0};
    b.pressure = {0.06, 0.06, 0.06, 0, 0, 0};
    return spec;
}

DeviceSpec lanes() {
    auto device = host(hostile_environment() ? 1 : 2);  // teams of threads are slow
    device.name = "host-lanes";
    return device;
}

std::unique_ptr<Simulation> water(Barostat barostat, bool exact,
                                  Scheme scheme = Scheme::leap_frog) {
    auto sim = resting_water(lanes(), Coulomb::ewald);
    sim->set_coupling(pressed(barostat), std::vector<std::uint8_t>(atoms, 0));
    ListSpec list;
    list.exact = exact;
    sim->set_motion(motion(scheme, 0.001, true), {});
    sim->set_list(list);
    sim->constrain_start();
    return sim;
}

constexpr Barostat barostats[] = {Barostat::c_rescale, Barostat::parrinello_rahman,
                                  Barostat::berendsen};

class PressureOnDevice : public ::testing::TestWithParam<Barostat> {};
INSTANTIATE_TEST_SUITE_P(Barostats, PressureOnDevice, ::testing::ValuesIn(barostats));

/// Searches of a run.
std::int64_t expect_few_looks(Barostat barostat, bool exact) {
    const auto sim = water(barostat, exact);
    auto& queue = sim->queue();
    auto& system = const_cast<System&>(sim->system());
    const auto engine = make_flat_engine<float>(queue, system);
    engine->prepare();
    // The barostat acts at step 10. Tolerance lists are looked at in each step until they have
    // lasted.
    engine->advance(exact ? std::max<std::int64_t>(steps(60), 12) : 600);
    const auto before = queue.counts();
    const auto searches = engine->statistics().searches;
    const double volume = system.box.volume();
    const auto n = std::max<std::int64_t>(steps(200), 12);
    engine->advance(n);
    const auto after = queue.counts();
    const auto lists = engine->statistics().searches - searches;
    EXPECT_EQ(system.box.volume() == volume, barostat == Barostat::none);
    // What a list wants to know comes with the look at the end of the steps before. Where an exact
    // one expired, there is one look more, and one in ten steps. Lists that sort look for bonds
    // that turn and how dense particles lie, and the last one is waited for.
    const std::int64_t of_list = exact ? 2 : 1, of_steps = exact ? n / 10 : 0,
                       of_sort = (exact ? 3 : 5) * (lists / 16 + 1), of_end = of_list + 1;
    EXPECT_LE(after.looks - before.looks, of_list * lists + of_steps + of_sort + of_end);
    EXPECT_LE(after.allocations - before.allocations, 1);  // a list may outgrow its room
    return lists;
}

/// Looks belong to searches and to segments; the pressure needs none, and no step takes memory.
TEST_P(PressureOnDevice, TakesNoLookOfItsOwn) {
    if (hostile_environment())
        GTEST_SKIP() << "long, and the same code as StrainsTakeNoSearchOfExactOnes";
    const auto lists = expect_few_looks(GetParam(), false);
    const auto n = std::max<std::int64_t>(steps(200), 12);
    EXPECT_GE(lists, n / 40);
    EXPECT_LE(lists, n / 3);
}

/// Exact lists last under each barostat, whose 20 strains are small, about as long as without.
TEST(PressureOnDeviceLists, StrainsTakeNoSearchOfExactOnes) {
    const auto constant = expect_few_looks(Barostat::none, true);
    for (const auto kind : barostats) {
        if (hostile_environment() && kind != Barostat::parrinello_rahman) continue;  // for its time
        SCOPED_TRACE(static_cast<int>(kind));
        EXPECT_LE(expect_few_looks(kind, true), constant + constant / 5 + 1);
    }
}

/// A run in one piece, and step by step, where the host looks after each.
TEST_P(PressureOnDevice, SegmentsChangeNoBit) {
    for (const bool exact : {false, true}) {
        const auto whole = water(GetParam(), exact), pieces = water(GetParam(), exact);
        const auto n = std::max<std::int64_t>(steps(60), 12);  // the barostat acts at step 10
        whole->run(n, no_interruption);
        for (std::int64_t k = 0; k < n; ++k) pieces->run(1, no_interruption);
        EXPECT_EQ(phase(*whole), phase(*pieces)) << exact;
        EXPECT_EQ(whole->system().box.volume(), pieces->system().box.volume()) << exact;
        EXPECT_EQ(whole->thermo().given, pieces->thermo().given) << exact;
    }
}

/// Checkpoints hold an exact list that was searched in another box.
TEST_P(PressureOnDevice, ListsOfAnotherBoxGoOnFromACheckpoint) {
    const auto path = scratch_file("strained");
    const auto sim = water(GetParam(), true);
    sim->run(23, no_interruption);
    sim->write_checkpoint(path, "");
    std::string extra;
    const DeviceSpec device = lanes();
    const auto again = Simulation::read_checkpoint(path, device, extra);
    const auto n = std::max<std::int64_t>(steps(40), 12);
    sim->run(n, no_interruption), again->run(n, no_interruption);
    EXPECT_EQ(phase(*sim), phase(*again));
    EXPECT_EQ(sim->system().box.volume(), again->system().box.volume());
}

}  // namespace
}  // namespace aureole::md::testing
