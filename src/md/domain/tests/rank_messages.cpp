// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>

#include "core/error.hpp"
#include "md/simulation/tests/systems.hpp"

// Messages of start and of renewals that arrive altered.
namespace aureole::md::testing {
namespace {

/// Runs on two ranks; alter(k, bytes) may write into what the second one leaves for the other.
template <class F>
void run_on_two(const F& alter) {
    const auto start = fcc(7, 0.8, 0.08, 1.5, 5, 2);
    comm::World::of_threads(2, [&](comm::World& world) {
        int left = 0;
        if (world.rank() == 1)
            world.alter_messages([&](std::span<std::byte> bytes) { alter(left++, bytes); });
        DeviceSpec device;
        device.threads = 1, device.pin = false;
        Simulation sim(device, Precision::mixed, start.box, start.particles, start.n_types, 11,
                       &world);
        sim.add_pair(lennard_jones(2.5, EnergyMode::shift, start.n_types));
        sim.set_motion(nve(0.005), {});
        sim.run(120, no_interruption);
    });
}

TEST(RankMessages, AlteredOnesEndTheSimulationOnAllRanks) {
    int all = 0;
    run_on_two([&](int k, std::span<std::byte>) { all = k + 1; });
    ASSERT_GT(all, 10);  // that is, lists were renewed
    std::mt19937_64 random(11 + ::testing::UnitTest::GetInstance()->random_seed());
    for (std::int64_t round = 0; round < steps(100); ++round) {
        const int which = static_cast<int>(random() % static_cast<std::uint64_t>(all));
        bool altered = false;
        std::string said;
        try {
            run_on_two([&](int k, std::span<std::byte> bytes) {
                if (k != which || bytes.empty()) return;
                bytes[random() % bytes.size()] ^= std::byte(1 + random() % 255);
                altered = true;
            });
        } catch (const core::RankError& error) {
            said = error.what();
        }
        ASSERT_EQ(said.find("arrived corrupted") != std::string::npos, altered)
            << "message " << which << " of " << all << ": " << said;
    }
}

}  // namespace
}  // namespace aureole::md::testing
