// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "comm/common.hpp"
#include "core/error.hpp"
#include "device/reduce_ops.hpp"
#include "md/longrange/tests/pme_runs.hpp"

// One mesh that several ranks share: forces, energy and virial of one rank's.
namespace aureole::md::testing {
namespace {

constexpr double coulomb = 138.935458, beta = 3.1;

/// Every third charge and so on: the charges of one rank are everywhere, as nothing says that they
/// must not be.
Charges part_of(const Charges& all, int rank, int ranks) {
    Charges mine{all};
    mine.position.clear(), mine.charge.clear();
    for (std::size_t i = 0; i < all.charge.size(); ++i)
        if (static_cast<int>(i) % ranks == rank)
            mine.position.push_back(all.position[i]), mine.charge.push_back(all.charge[i]);
    return mine;
}

struct Shared {
    int ranks, threads, charges;
    core::Box box;
};

class PmeOfRanks : public ::testing::TestWithParam<Shared> {};

TEST_P(PmeOfRanks, IsThatOfOne) {
    const auto& [ranks, threads, n, box] = GetParam();
    const auto all = random_charges(box, n, 1.5, 17);
    const PmeSpec spec{{28, 33, 25}, 5, beta, coulomb};
    const auto one = run_pme(all, spec);
    std::vector<Vec3d> force(all.charge.size());
    EnergyVirial total;
    comm::World::of_threads(ranks, [&, &threads = threads](comm::World& world) {
        comm::CommonMemory common(world);
        auto device = device::Device::host({.threads = threads, .pin = false});
        device::Queue queue(device);
        const auto mine = part_of(all, world.rank(), world.size());
        EnergyVirial sum;
        for (int made = 0; made < 2; ++made) {  // the second time in memory that was used before
            Pme<double> pme(queue, spec, &common);
            for (int step = 0; step < 3; ++step) {
                const auto got = run_pme(queue, pme, mine);
                for (std::size_t k = 0; k < got.force.size(); ++k)
                    force[k * static_cast<std::size_t>(world.size()) +
                          static_cast<std::size_t>(world.rank())] = got.force[k];
                sum = world.combine(got.total, device::Sum{});
            }
        }
        if (world.rank() == 0) total = sum;
    });
    Coulomb got;
    got.force = force;
    EXPECT_LT(rms_difference(got, one), 1e-13 * rms_force(one));
    EXPECT_NEAR(total.energy, one.total.energy, 1e-12 * std::abs(one.total.energy));
    const auto w = components(total.virial), want = components(one.total.virial);
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(w[k], want[k], 1e-11 * std::abs(one.total.energy));
}

const core::Box brick{3.0, 3.4, 2.7};
const core::Box tilted{3.0, 3.3, 2.8, 0.35, -0.25, 0.4};

INSTANTIATE_TEST_SUITE_P(Ranks, PmeOfRanks,
                         ::testing::Values(Shared{2, 1, 150, brick}, Shared{3, 2, 150, tilted},
                                           Shared{5, 1, 151, tilted}, Shared{4, 1, 3, brick}),
                         [](const auto& test) { return "case" + std::to_string(test.index); });

TEST(PmeOfRanksOnly, RunsWithOurTransformAndPacks) {
    comm::World::of_threads(2, [](comm::World& world) {
        comm::CommonMemory common(world);
        auto device = device::Device::host({.threads = 1, .pin = false});
        device::Queue queue(device);
        PmeSpec spec{{24, 24, 24}, 4, beta, coulomb};
        spec.kernels = MeshKernels::lanes;
        EXPECT_THROW(Pme<double>(queue, spec, &common), core::InputError);
        spec.kernels = MeshKernels::best, spec.library = fft::Library::fftw;
        EXPECT_THROW(Pme<double>(queue, spec, &common), core::InputError);
    });
}

}  // namespace
}  // namespace aureole::md::testing
