// SPDX-License-Identifier: Apache-2.0
#include "device/batch.hpp"

#include <numeric>
#include <thread>

#include "core/error.hpp"
#include "device/launch.hpp"
#include "device/reduce_ops.hpp"
#include "device/tests/devices.hpp"
#include "device/tests/kernels.hpp"

namespace aureole::device {
namespace {

class Launch : public testing::OnDevices {};

TEST_P(Launch, ForVisitsEachIndexOnce) {
    for (const std::int64_t n : {0, 1, 511, 512, 513, 100'003}) {
        Buffer<std::int32_t> visits(queue, n);
        fill(queue, visits.view(), 0);
        parallel_for(queue, "visit", n, testing::Add{visits.view(), 1});
        EXPECT_EQ(download(visits), std::vector<std::int32_t>(n, 1)) << n;
    }
}

TEST_P(Launch, WhatFollowsAllItemsHappensOnceAndSeesThem) {
    constexpr std::int64_t launches = 20;
    for (const std::int64_t n : {1, 255, 256, 257, 20'003}) {
        Buffer<std::int32_t> values(queue, n);
        Buffer<std::int64_t> sums(queue, launches), listed(queue, 1);
        Buffer<std::uint32_t> done(queue, 1);
        fill(queue, values.view(), 0), fill(queue, listed.view(), 0), fill(queue, done.view(), 0u);
        for (int k = 0; k < launches; ++k)
            parallel_for(
                queue, "add", n,
                testing::AddAndSum{values.view(), sums.view(), listed.data(), done.data()});
        EXPECT_EQ(download(listed)[0], launches);
        std::int64_t of_one = 0;
        for (std::int64_t i = 0; i < n; ++i) of_one += i % 7;
        const auto found = download(sums);
        for (std::int64_t k = 0; k < launches; ++k)
            EXPECT_EQ(found[static_cast<std::size_t>(k)], (k + 1) * of_one) << n << ' ' << k;
        EXPECT_EQ(download(done)[0], 0u);
    }
}

TEST_P(Launch, CommandsOfAQueueRunInOrder) {
    constexpr std::int64_t n = 3000;
    Buffer<std::int64_t> values(queue, n);
    parallel_for(queue, "start", n, testing::Count{values.view()});
    for (int round = 0; round < 50; ++round)
        parallel_for(queue, "step", n, testing::Scramble{values.view()});
    std::vector<std::int64_t> expected(n);
    std::iota(expected.begin(), expected.end(), 0);
    for (int round = 0; round < 50; ++round)
        for (auto& e : expected) e = testing::Scramble::next(e);
    EXPECT_EQ(download(values), expected);
}

TEST_P(Launch, BatchesVisitEachIndexOfEachLoopOnce) {
    constexpr std::int64_t most = 700;
    for (const int count : {0, 1, 2, 8, 9, 64, 65, 150}) {
        Buffer<std::int32_t> visits(queue, count * most);
        fill(queue, visits.view(), 0);
        std::vector<Loop<testing::Add>> loops;
        std::int64_t items = 0;
        for (int k = 0; k < count; ++k) {
            const std::int64_t n = k % 5 == 3 ? 0 : (k * 97) % most + 1;  // some have nothing
            loops.push_back({n, {visits.view().part(k * most, n), k + 1}});
            items += n;
        }
        const auto before = queue.counts();
        parallel_for_batch<testing::Add>(queue, "add", loops);
        const auto counts = queue.counts();
        EXPECT_EQ(counts.items - before.items, items);
        const int launches = GetParam().gpu ? (count + 63) / 64 : count > 0;
        EXPECT_EQ(counts.launches - before.launches, launches);
        const auto found = download(visits);
        for (int k = 0; k < count; ++k)
            for (std::int64_t i = 0; i < most; ++i)
                ASSERT_EQ(found[k * most + i], i < loops[k].n ? k + 1 : 0) << count << ' ' << k;
    }
}

TEST_P(Launch, FunctorsMayBeAsLargeAsTheParametersOfAKernel) {
    constexpr std::int64_t n = 5000;
    Buffer<std::int64_t> values(queue, n);
    testing::LookUp look{values.view(), {}};
    for (std::int64_t k = 0; k < look.size; ++k) look.table[k] = k * k;
    constexpr std::size_t most = gpu::vendor_of(gpu_vendor).parameter_bytes;
    static_assert(sizeof look > most - 300 && sizeof look < most);
    parallel_for(queue, "look up", n, look);
    auto found = download(values);
    for (std::int64_t i = 0; i < n; ++i) ASSERT_EQ(found[i], (i % look.size) * (i % look.size));
    team_for(queue, "look up", {n, 8, 0}, look);
    found = download(values);
    for (std::int64_t i = 0; i < n; ++i)
        ASSERT_EQ(found[i], look.table[look.size - 1 - i % look.size]);
}

TEST_P(Launch, ReduceIsExactForIntegers) {
    Buffer<std::int64_t> out(queue, 1);
    for (const std::int64_t n : {0, 1, 3, 1000, 1024, 1025, 70'000, 1'000'001}) {
        parallel_reduce(queue, "sum", n, 0, testing::IndexModulo{1 << 30}, Sum{}, out.data());
        EXPECT_EQ(download(out)[0], n * (n - 1) / 2) << n;
    }
    parallel_reduce(queue, "max", 5000, -1, testing::IndexModulo{4096}, Max{}, out.data());
    EXPECT_EQ(download(out)[0], 4095);
}

TEST_P(Launch, ReduceOfStructs) {
    Buffer<testing::Moments> out(queue, 1);
    parallel_reduce(queue, "moments", 10'000, testing::Moments{}, testing::MomentsOf{},
                    testing::AddMoments{}, out.data());
    double sum = 0, square = 0;
    for (int i = 0; i < 10'000; ++i) sum += i % 7, square += (i % 7) * (i % 7);
    const testing::Moments found = download(out)[0];
    EXPECT_EQ(found.sum, sum);
    EXPECT_EQ(found.square, square);
    EXPECT_EQ(found.count, 10'000);
}

double harmonic_sum(Queue& queue, std::int64_t n) {
    Buffer<double> out(queue, 1);
    parallel_reduce(queue, "sum", n, 0, testing::Harmonic{}, Sum{}, out.data());
    double value = 0;
    copy_to_host(queue, &value, out.view());
    return value;
}

TEST_P(Launch, ReduceHasTheSameBitsInEveryRunAndForEveryThreadCount) {
    Device one = Device::host({.threads = 1});
    Queue single(one);
    for (const std::int64_t n : {900, 12'345, 300'000}) {
        const double sum = harmonic_sum(queue, n), on_host = harmonic_sum(single, n);
        for (int round = 0; round < 5; ++round) EXPECT_EQ(harmonic_sum(queue, n), sum);
        if (GetParam().gpu) {
            EXPECT_NEAR(sum, on_host, 1e-13 * on_host);  // another order of the same terms
        } else {
            EXPECT_EQ(sum, on_host);
        }
    }
}

TEST_P(Launch, HostTaskGetsTheThreadsInQueueOrder) {
    AUREOLE_HOST_ONLY();
    Buffer<int> values(queue, 8);
    fill(queue, values.view(), 5);
    host_task(queue, "task", [v = values.view()](ThreadPool& pool) {
        pool.run([&](int rank) {
            if (rank == 0) v[3] += pool.size();
        });
    });
    EXPECT_EQ(download(values)[3], 5 + GetParam().threads);
}

TEST_P(Launch, ExceptionsReachTheCallerAndTheQueueGoesOn) {
    AUREOLE_HOST_ONLY();
    const auto failing = [&] {
        parallel_for(queue, "fail", 2000, [](std::int64_t i) {
            if (i == 1500) throw core::InputError("particle 1500 is bad");
        });
        queue.synchronize();
    };
    EXPECT_THROW(failing(), core::InputError);
    EXPECT_NO_THROW(queue.synchronize());
    Buffer<int> values = upload(std::vector<int>{1});
    EXPECT_EQ(download(values)[0], 1);
}

TEST_P(Launch, SeveralThreadsMaySubmitToOneQueue) {
    Buffer<int> values(queue, 1000);
    fill(queue, values.view(), 0);
    const auto submit = [&] {
        for (int round = 0; round < 100; ++round)
            parallel_for(queue, "add", 1000, testing::Add{values.view(), 1});
    };
    std::thread other(submit);
    submit();
    other.join();
    EXPECT_EQ(download(values), std::vector<int>(1000, 200));
}

INSTANTIATE_TEST_SUITE_P(Devices, Launch, ::testing::ValuesIn(testing::all_setups()),
                         testing::name_of);

}  // namespace
}  // namespace aureole::device
