// SPDX-License-Identifier: Apache-2.0
#include "md/particles/fixed_forces.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "device/launch.hpp"
#include "device/tests/devices.hpp"
#include "md/particles/tests/fixed_force_reads.hpp"

// Sums in fixed point, compared with sums in long double, and with each other in another order.
namespace aureole::md::testing {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Contribution {
    std::int32_t to;
    core::Vec3d force;
};

/// Adds one contribution, in single or double precision.
template <class V>
struct AddContribution {
    const Contribution* from;
    FixedForces to;

    void operator()(std::int64_t k) const {
        const auto& f = from[k].force;
        to.add(from[k].to, core::Vec3<V>{V(f.x), V(f.y), V(f.z)});
    }
};

struct TakeForces {
    FixedForces from;
    core::Vec3d* to;

    void operator()(std::int64_t i) const { to[i] = from.take(i); }
};

class FixedSums : public device::testing::OnDevices {
  protected:
    static constexpr std::int64_t n = 37;

    void SetUp() override {
        if (GetParam().gpu) GTEST_SKIP() << "kernels of this test are for hosts";
        column.emplace(queue, -40);
        column->resize(queue, n);
    }
    std::vector<Contribution> contributions(int count, double least, double most) {
        std::vector<Contribution> all;
        std::uniform_real_distribution<double> exponent(std::log(least), std::log(most));
        std::normal_distribution<double> sign;
        for (int k = 0; k < count; ++k) {
            const double size = std::exp(exponent(random));
            all.push_back({static_cast<std::int32_t>(random() % n),
                           size * core::Vec3d{sign(random), sign(random), sign(random)}});
        }
        return all;
    }
    template <class V = double>
    std::vector<core::Vec3d> sums(const std::vector<Contribution>& of) {
        column->clear(queue);
        const auto there = upload(of);
        device::parallel_for(queue, "add", there.size(),
                             AddContribution<V>{there.data(), column->view()});
        return read_forces(queue, *column, n);
    }
    bool uses_coarse() {
        ForceUnit unit;
        device::copy_to_host(queue, &unit, device::View<const ForceUnit>{column->view().unit, 1});
        return unit.uses_coarse != 0;
    }
    static void expect_sums(const std::vector<core::Vec3d>& got,
                            const std::vector<Contribution>& of, double unit) {
        std::vector<long double> x(n);
        for (const auto& one : of) x[static_cast<std::size_t>(one.to)] += one.force.x;
        const auto terms = static_cast<long double>(of.size());
        for (std::size_t i = 0; i < n; ++i)
            EXPECT_NEAR(got[i].x, x[i], unit * terms + 1e-15L * std::abs(x[i])) << i;
    }

    std::mt19937_64 random{5};
    std::optional<FixedForceColumn> column;
};

TEST_P(FixedSums, AreThoseOfRealNumbers) {
    const auto usual = contributions(3000, 1e-6, 1e3);
    expect_sums(sums(usual), usual, std::ldexp(1, -41));
    EXPECT_FALSE(uses_coarse());
    // Above 2¹⁵ = 2⁵⁵ units contributions are divided.
    const auto large = contributions(3000, 1e-6, 1e12);
    expect_sums(sums(large), large, std::ldexp(1, -40));
    EXPECT_TRUE(uses_coarse());
}

TEST_P(FixedSums, DoNotDependOnTheOrder) {
    for (const double most : {1e3, 1e12}) {
        auto all = contributions(3000, 1e-9, most);
        const auto single = sums<float>(all), full = sums(all);
        std::ranges::shuffle(all, random);
        EXPECT_EQ(sums<float>(all), single);
        EXPECT_EQ(sums(all), full);
    }
}

TEST_P(FixedSums, ForgetNothingBesideALargeForce) {
    const std::vector<Contribution> all{{3, {1e13, 1, 0}}, {3, {1.5, 2, 0}}, {3, {-1e13, 3, 0}}};
    EXPECT_EQ(sums(all)[3], (core::Vec3d{1.5, 6, 0}));
}

TEST_P(FixedSums, AreNoNumbersWhereOneIsNone) {
    for (const double bad : {infinity, -infinity, std::nan(""), 1e30, -1e30}) {
        auto all = contributions(500, 1e-3, 1e3);
        all[100] = {5, {bad, 1, 2}};
        const auto got = sums(all), single = sums<float>(all);
        for (std::size_t i = 0; i < n; ++i) {
            EXPECT_EQ(std::isnan(got[i].x), i == 5) << bad;
            EXPECT_EQ(std::isnan(single[i].x), i == 5) << bad;
            EXPECT_TRUE(std::isfinite(got[i].y));
        }
    }
}

TEST_P(FixedSums, AreZeroOnceTaken) {
    for (const double most : {1e3, 1e12}) {
        const auto want = sums(contributions(300, 1e-3, most));
        device::Buffer<core::Vec3d> taken(queue, n);
        device::parallel_for(queue, "take", n, TakeForces{column->view(), taken.data()});
        EXPECT_EQ(download(taken), want);
        EXPECT_EQ(read_forces(queue, *column, n), std::vector<core::Vec3d>(n));
    }
}

TEST_P(FixedSums, ComeBackAsTheyWereSaved) {
    const auto want = sums(contributions(300, 1e-3, 1e12));
    column->save(queue);
    device::Buffer<core::Vec3d> taken(queue, n);
    device::parallel_for(queue, "take", n, TakeForces{column->view(), taken.data()});
    column->restore(queue);
    EXPECT_EQ(read_forces(queue, *column, n), want);
}

TEST_P(FixedSums, ScaleWithTheUnit) {
    const auto all = contributions(300, 1e-6, 1e3);
    const auto want = sums(all);
    for (const int by : {-70, -20, 20, 70}) {
        auto scaled = all;
        for (auto& one : scaled) one.force = std::ldexp(1.0, by) * one.force;
        column->set_exponent(queue, -40 + by);
        auto got = sums(scaled);
        for (auto& f : got) f = std::ldexp(1.0, -by) * f;
        EXPECT_EQ(got, want) << by;
    }
}

INSTANTIATE_TEST_SUITE_P(Devices, FixedSums, ::testing::ValuesIn(device::testing::all_setups()),
                         device::testing::name_of);

}  // namespace
}  // namespace aureole::md::testing
