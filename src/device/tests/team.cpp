// SPDX-License-Identifier: Apache-2.0
#include "device/team.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/error.hpp"
#include "device/launch.hpp"
#include "device/tests/devices.hpp"
#include "device/tests/kernels.hpp"

namespace aureole::device {
namespace {

class Teams : public testing::OnDevices {};

TEST_P(Teams, StridedSumIsRightForEveryTeamSize) {
    constexpr std::int64_t rows = 37, columns = 53;
    std::vector<int> matrix(rows * columns), expected(rows, 0);
    std::iota(matrix.begin(), matrix.end(), 1);
    for (std::int64_t i = 0; i < rows * columns; ++i) expected[i / columns] += matrix[i];
    const Buffer<int> in = upload(matrix);
    Buffer<int> sums(queue, rows);
    for (const int size : {1, 2, 8, 32}) {
        fill(queue, sums.view(), -1);
        team_for(queue, "rows", {rows, size, 0}, testing::RowSums{in.view(), sums.view(), columns});
        EXPECT_EQ(download(sums), expected) << size;
    }
}

TEST_P(Teams, ScratchIsSharedAfterSync) {
    constexpr std::int64_t teams = 100, length = 19;
    Buffer<std::int64_t> out(queue, teams * length);
    team_for(queue, "reverse", {teams, 8, length * sizeof(std::int64_t)},
             testing::Reverse{out.view(), length});
    const std::vector<std::int64_t> found = download(out);
    for (std::int64_t t = 0; t < teams; ++t)
        for (std::int64_t i = 0; i < length; ++i)
            EXPECT_EQ(found[t * length + i], 1000 * t + length - 1 - i);
}

TEST_P(Teams, MayBeWide) {
    constexpr std::int64_t rows = 3;
    // Reductions of four types have memory of the block too.
    constexpr auto most = std::int64_t{gpu::vendor_of(gpu_vendor).block_bytes - 4096} / 8;
    for (const auto& [columns, size] : std::vector<std::pair<std::int64_t, int>>{
             {3, 1}, {3, 64}, {5000, 32}, {5000, 256}, {most, 1024}}) {
        std::vector<std::int32_t> matrix(rows * columns);
        for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i] = int(i * 7919 % 10007);
        const Buffer<std::int32_t> in = upload(matrix);
        Buffer<testing::WideSeen> out(queue, rows);
        team_for(queue, "wide", {rows, size, columns * std::int64_t{8}},
                 testing::WideRows{in.view(), out.view(), columns});
        const auto seen = download(out);
        for (std::int64_t row = 0; row < rows; ++row) {
            const auto begin = matrix.begin() + row * columns, end = begin + columns;
            double roots = 0;
            for (auto value = begin; value < end; ++value) roots += std::sqrt(double(*value));
            EXPECT_EQ(seen[row].sum, std::accumulate(begin, end, std::int64_t{0}));
            EXPECT_EQ(seen[row].largest, *std::max_element(begin, end));
            EXPECT_NEAR(seen[row].sum_of_roots, roots, 1e-12 * roots);  // another order
            EXPECT_EQ(seen[row].kept, 1);
            if (GetParam().gpu) {
                EXPECT_EQ(seen[row].size, std::max(size, 32));
            }
        }
    }
}

TEST_P(Teams, LanesExchangeValues) {
    constexpr int most = 32;
    Buffer<testing::Seen> out(queue, most);
    team_for(queue, "lanes", {1, most, 0}, testing::LaneExchange{out.view()});
    const std::vector<testing::Seen> seen = download(out);
    const int size = seen[0].size;
    const int threads = GetParam().gpu ? most : GetParam().threads;
    EXPECT_EQ(size, std::min(GetParam().team_threads, 1 << (31 - __builtin_clz(threads))));
    std::uint32_t thirds = 0;
    for (int r = 0; r < size; r += 3) thirds |= 1u << r;
    for (int r = 0; r < size; ++r) {
        EXPECT_EQ(seen[r].thirds, thirds);
        EXPECT_EQ(seen[r].scan, r * (r + 1) / 2);
        EXPECT_EQ(seen[r].any, 1);
        EXPECT_EQ(seen[r].all_false, 0);
        EXPECT_EQ(seen[r].largest, 10 * (size - 1));
        EXPECT_EQ(seen[r].neighbour, 6.0 * (size - 1 - r));
        EXPECT_EQ(seen[r].xored, size - 1 - r);
    }
}

TEST_P(Teams, OfOneWaveVoteAndExchangeByThemselves) {
    for (const int wanted : {1, 2, 4, 8, 16, 32})
        for (const std::int64_t teams : {1, 2, 3, 7, 64, 130}) {
            Buffer<testing::TeamVotes::Cast> votes(queue, teams);
            team_for(queue, "vote", {teams, wanted, 0}, testing::TeamVotes{votes.view()});
            Buffer<double> exchanged(queue, teams);
            team_for(queue, "exchange", {teams, wanted, 0},
                     testing::TeamExchange{exchanged.view()});
            const auto cast = download(votes);
            const auto sums = download(exchanged);
            for (std::int64_t t = 0; t < teams; ++t) {
                std::uint32_t bits = 0;
                for (int lane = 0; lane < cast[t].size; ++lane)
                    bits |= std::uint32_t{testing::TeamVotes::says_yes(t, lane)} << lane;
                ASSERT_EQ(cast[t].bits, bits) << t << " of " << teams << ", " << wanted << " lanes";
                ASSERT_EQ(sums[t], 100 * t + (cast[t].size > 1 ? 1 : 0));
            }
        }
}

TEST_P(Teams, ReduceGivesAllLanesTheSameBits) {
    Buffer<float> out(queue, 32);
    fill(queue, out.view(), 0);
    team_for(queue, "sum", {1, 32, 0}, testing::LaneSum{out.view()});
    const std::vector<float> sums = download(out);
    for (int r = 1; r < 32; ++r) EXPECT_TRUE(sums[r] == sums[0] || sums[r] == 0.0f) << r;
}

TEST_P(Teams, ALaneThatThrowsReleasesTheOthers) {
    AUREOLE_HOST_ONLY();
    const auto failing = [&] {
        team_for(queue, "fail", {10, 4, 0}, [](Team& team, std::int64_t t) {
            if (t == 5 && team.rank() == team.size() - 1) throw core::InputError("lane");
            team.sync();
        });
        queue.synchronize();
    };
    EXPECT_THROW(failing(), core::InputError);
}

INSTANTIATE_TEST_SUITE_P(Devices, Teams, ::testing::ValuesIn(testing::all_setups()),
                         testing::name_of);

}  // namespace
}  // namespace aureole::device
