// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>

#include "device/launch.hpp"
#include "device/tests/devices.hpp"
#include "md/longrange/pme_lanes.kernel.hpp"
#include "md/longrange/tests/pme_runs.hpp"
#include "md/neighbor/column_sort.hpp"

// The mesh on every kind of device, by threads, teams and instruction sets.
namespace aureole::md::testing {
namespace {

const core::Box box{3.2, 3.0, 3.5, 0.2, 0.1, -0.3};
constexpr double beta = 3.0;

/// In the order of columns, as engines keep them.
Charges sorted(Charges c) {
    core::Vec3i image{};
    for (auto& r : c.position) c.box.wrap(r, image);
    device::ThreadPool pool(1);
    ColumnSort sort;
    sort.sort(pool, c.box, {c.position.data(), static_cast<std::int64_t>(c.position.size())});
    Charges out = c;
    for (std::size_t i = 0; i < c.charge.size(); ++i) {
        out.position[i] = c.position[sort.order()[i]];
        out.charge[i] = c.charge[sort.order()[i]];
    }
    return out;
}

class PmeOnDevices : public device::testing::OnDevices {};

TEST_P(PmeOnDevices, AgreesWithEwaldsSum) {
    const auto charges = sorted(random_charges(box, 230, 0, 21));
    const auto exact = reciprocal_sum(charges, 1, beta);
    for (const auto kernels : {MeshKernels::best, MeshKernels::lanes})
        for (const int order : {4, 5, 8}) {
            const PmeSpec spec{{24, 28, 30}, order, beta, 1, kernels};
            Pme<double> pme(queue, spec);
            const auto got = run_pme(queue, pme, charges);
            const double error = mesh_force_error(spec, box, sums_of(charges), 230);
            EXPECT_LT(rms_difference(got, exact), 2 * error);
            EXPECT_NEAR(got.total.energy, exact.total.energy, 230 * error / beta);
            Pme<float> single(queue, spec);
            EXPECT_LT(rms_difference(run_pme(queue, single, charges), got), 2e-6 * rms_force(got));
        }
}

TEST_P(PmeOnDevices, RepeatsToTheBit) {
    const auto charges = sorted(random_charges(box, 500, 0.4, 22));
    for (const auto kernels : {MeshKernels::best, MeshKernels::lanes}) {
        Pme<float> pme(queue, {{24, 24, 32}, 4, beta, 1, kernels});
        const auto first = run_pme(queue, pme, charges);
        auto other = charges;
        other.box.lx *= 1.01;
        run_pme(queue, pme, random_charges(box, 333, 0, 2));
        run_pme(queue, pme, other);
        const auto again = run_pme(queue, pme, charges);
        EXPECT_EQ(again.force, first.force);
        EXPECT_EQ(again.total.energy, first.total.energy);
        EXPECT_EQ(again.total.virial.xz, first.total.virial.xz);
        // Energies on the side change no bit of the forces.
        EXPECT_EQ(run_pme(queue, pme, charges, MeshWant::forces).force, first.force);
    }
}

INSTANTIATE_TEST_SUITE_P(Devices, PmeOnDevices, ::testing::ValuesIn(device::testing::all_setups()),
                         device::testing::name_of);

TEST(PmeOfThreads, AgreeToRounding) {
    // More threads than particles at the end, and particles in no order.
    for (const int n : {3, 400})
        for (const bool in_order : {true, false}) {
            auto charges = random_charges(box, n, 0, 23);
            if (in_order) charges = sorted(charges);
            const PmeSpec spec{{28, 24, 20}, 4, beta, 1};
            const auto one = run_pme<double>(charges, spec, 1);
            for (const int threads : {2, 3, 7}) {
                const auto more = run_pme<double>(charges, spec, threads);
                EXPECT_LT(rms_difference(more, one), 1e-13 * rms_force(one));
                EXPECT_NEAR(more.total.energy, one.total.energy,
                            1e-13 * std::abs(one.total.energy));
            }
        }
}

TEST(PmeOfThreads, LanesDoNotDependOnThem) {
    const auto charges = sorted(random_charges(box, 400, 0, 23));
    PmeSpec spec{{28, 24, 20}, 4, beta, 1};
    spec.kernels = MeshKernels::lanes;
    const auto one = run_pme<float>(charges, spec, 1), three = run_pme<float>(charges, spec, 3);
    EXPECT_EQ(one.force, three.force);  // whole numbers add up alike in any order
}

TEST(PmeSinks, BlocksGetWhatColumnsGet) {
    auto device = device::Device::host({.threads = 2, .pin = false});
    device::Queue queue(device);
    const auto charges = sorted(random_charges(box, 101, 0, 24));
    const auto n = static_cast<std::int64_t>(charges.charge.size());
    Pme<float> pme(queue, {{24, 24, 24}, 4, beta, 1});
    const auto want = run_pme(queue, pme, charges);
    std::vector<std::int32_t> slots;
    for (std::int32_t i = 0; i < n; ++i) slots.push_back(i + i / 5);  // gaps
    device::Buffer<Vec3d> position(queue, n);
    device::Buffer<double> charge(queue, n);
    device::Buffer<std::int32_t> slot(queue, n);
    device::Buffer<float> blocks(queue, 4 * 140);
    device::copy_from_host(queue, position.view(), charges.position.data());
    device::copy_from_host(queue, charge.view(), charges.charge.data());
    device::copy_from_host(queue, slot.view(), slots.data());
    device::fill(queue, blocks.view(), 1.0f);
    pme.compute(queue, {n, position.data(), charge.data()}, box,
                ForceSink<float>::blocks(blocks.data(), slot.data()), MeshWant::forces);
    std::vector<float> got(4 * 140);
    device::copy_to_host(queue, got.data(), blocks.view());
    for (std::int32_t i = 0; i < n; ++i) {
        const auto& f = want.force[i];
        EXPECT_NEAR(got[block_index(slots[i], 0)], 1 + f.x, 1e-5);
        EXPECT_NEAR(got[block_index(slots[i], 1)], 1 + f.y, 1e-5);
        EXPECT_NEAR(got[block_index(slots[i], 2)], 1 + f.z, 1e-5);
        EXPECT_EQ(got[block_index(slots[i], 3)], 1);
    }
}

TEST(PmeSinks, PositionsThatAreNoNumbersHurtNobody) {
    auto device = device::Device::host({.threads = 2, .pin = false});
    device::Queue queue(device);
    auto charges = random_charges(box, 50, 0, 25);
    charges.position[25].x = std::numeric_limits<double>::quiet_NaN();
    charges.position[3].y = std::numeric_limits<double>::infinity();
    charges.position[49].z = 1e300;
    for (const auto kernels : {MeshKernels::packs, MeshKernels::lanes}) {
        Pme<float> pme(queue, {{24, 24, 24}, 4, beta, 1, kernels});
        EXPECT_EQ(run_pme(queue, pme, charges).force.size(), 50u);
    }
}

TEST(PmeSinks, PlacesALittleBelowAWholeNumberAreAtTheStart) {
    const MeshPoint<double, 4> below({-1e-17, 0, 0}, {24, 24, 24}, false);
    const MeshPoint<double, 4> at({0, 0, 0}, {24, 24, 24}, false);
    EXPECT_EQ(below.at[0], at.at[0]);
    for (int k = 0; k < 4; ++k) EXPECT_EQ(below.w[0][k], at.w[0][k]);
}

// Prints; run with --gtest_also_run_disabled_tests --gtest_filter='PmeBench*'. Water-like: 12,000
// charges at 100 per nm³, spacing 0.112 nm.
TEST(PmeBench, DISABLED_Speed) {
    const double edge = std::cbrt(12000 / 100.0);
    auto charges = sorted(random_charges({edge, edge, edge}, 12000, 0, 1));
    for (const int order : {4, 6})
        for (const int threads : {1, 2}) {
            auto device = device::Device::host({.threads = threads});
            device::Queue queue(device);
            const auto time = [&](const char* what, auto&& work) {
                double best = 1e300;
                for (int k = 0; k < 50; ++k) {
                    const auto start = std::chrono::steady_clock::now();
                    work();
                    const std::chrono::duration<double> t =
                        std::chrono::steady_clock::now() - start;
                    best = std::min(best, t.count());
                }
                std::printf("order %d, %d threads, %-14s %8.1f us, %6.1f ns per particle\n", order,
                            threads, what, 1e6 * best, 1e9 * best / 12000);
            };
            const PmeSpec spec{{44, 44, 44}, order, beta, 1};
            const auto n = static_cast<std::int64_t>(charges.charge.size());
            FixedForceColumn force(queue, force_exponent);
            force.resize(queue, n);
            const ForceSink<float> sink{force.view()};
            Pme<float> pme(queue, spec);
            const MeshParticles particles{n, charges.position.data(), charges.charge.data()};
            const auto plan = fft::make_plan<float>(queue, spec.grid);
            std::vector<float> grid(plan->real().size());
            Slabs<float> slabs(threads, spec.grid, order);
            const PmeJob<float> job{
                particles.position, particles.charge, MeshMap(charges.box), spec.grid, 0, 0, sink};
            auto& pool = device.threads();
            time("spread", [&] { pool.run([&](int rank) { slabs.spread(rank, job, n); }); });
            time("sum", [&] {
                pool.run([&](int rank) {
                    slabs.sum(plan->real(), device::part_of(spec.grid.x, rank, threads),
                              grid.data());
                });
            });
            time("gather", [&] {
                pool.run([&](int rank) { slabs.gather(rank, job, plan->real(), grid.data()); });
            });
            time("all",
                 [&] { pme.compute(queue, particles, charges.box, sink, MeshWant::forces); });
            time("all and energy", [&] {
                pme.compute(queue, particles, charges.box, sink, MeshWant::forces_and_energy);
            });
        }
}

}  // namespace
}  // namespace aureole::md::testing
