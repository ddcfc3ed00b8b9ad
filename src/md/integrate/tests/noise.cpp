// SPDX-License-Identifier: Apache-2.0
#include "device/launch.hpp"
#include "device/tests/devices.hpp"
#include "md/integrate/move_launch.hpp"

// The noise of Langevin dynamics, drawn for many particles at once, is to the bit that of the
// functor, which draws for one.
namespace aureole::md::testing {
namespace {

using core::Vec3d;

class NoiseOnDevices : public device::testing::OnDevices {
  protected:
    static constexpr int n = 1003;  // no multiple of what is drawn at once

    void SetUp() override {
        for (int i = 0; i < n; ++i) {
            velocity.push_back({0.1 * i, -0.2, 1.0 / (i + 1)});
            mass.push_back(1 + i % 7);
            tag.push_back((std::int64_t{i} * 7919) % n + (i % 3 == 0 ? std::int64_t{5} << 32 : 0));
            moves.push_back(i % 11 == 0 ? 0 : i % 13 == 0 ? moves_x | moves_z : moves_freely);
            group.push_back(static_cast<std::uint8_t>(i % 2));
        }
    }

    template <class Launch>
    std::vector<Vec3d> velocities_after(const Launch& launch) {
        auto v = upload(velocity);
        const auto m = upload(mass);
        const auto t = upload(tag);
        const auto free = upload(moves), of = upload(group);
        const auto groups = upload(std::vector<NoiseOfGroup>{{0.9, 0.3}, {0.5, 1.7}});
        StepState at{};
        at.step = 123456789012;
        const auto state = upload(std::vector<StepState>{at});
        launch(Noise{{nullptr, v.data(), m.data(), t.data(), free.data(), 0},
                     of.data(),
                     groups.data(),
                     0x123456789ABCDEF,
                     state.data()});
        return download(v);
    }

    std::vector<Vec3d> velocity;
    std::vector<double> mass;
    std::vector<Tag> tag;
    std::vector<std::uint8_t> moves, group;
};
INSTANTIATE_TEST_SUITE_P(Devices, NoiseOnDevices,
                         ::testing::ValuesIn(device::testing::all_setups()),
                         device::testing::name_of);

double distance(const Vec3d& a, const Vec3d& b) {
    return std::sqrt(dot(a + -1.0 * b, a + -1.0 * b));
}

TEST_P(NoiseOnDevices, IsThatOfOneParticleAtATime) {
    const auto drawn = velocities_after([&](const Noise& noise) { launch_noise(queue, n, noise); });
    const auto one_by_one = velocities_after(
        [&](const Noise& noise) { device::parallel_for(queue, "noise", n, noise); });
    for (int i = 0; i < n; ++i) {
        EXPECT_EQ(drawn[i], one_by_one[i]) << i;
        if (moves[i] == moves_freely) {
            EXPECT_GT(distance(drawn[i], velocity[i]), 1e-3) << i;
        }
    }
}

}  // namespace
}  // namespace aureole::md::testing
