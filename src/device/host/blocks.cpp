// SPDX-License-Identifier: Apache-2.0
#include "device/host/blocks.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "core/wait.hpp"

namespace aureole::device::host {

namespace {

constexpr std::uint64_t golden = 0x9e3779b97f4a7c15u;  ///< spreads seeds (Knuth, as SplitMix64)
constexpr auto nap = std::chrono::microseconds(20);

}  // namespace

void BlockShared::reset(int lanes, std::uint64_t seed) {
    lanes_ = lanes;
    team_.reset(lanes);
    for (int k = 0; k < lanes; ++k)
        lane_[k].random = seed == 0 ? 0 : (seed + static_cast<std::uint64_t>(k)) * golden | 1;
}

void BlockShared::sync(int lane) {
    delay(lane);
    if (lanes_ > 1) team_.barrier();
}

std::int64_t BlockShared::number_of_first(int lane, std::int64_t value) {
    if (lanes_ == 1) return value;
    if (lane == 0) said_ = value;
    team_.barrier();
    value = said_;
    team_.barrier();
    return value;
}

bool BlockShared::first_says(int lane, bool value) {
    delay(lane);
    return number_of_first(lane, value ? 1 : 0) != 0;
}

void BlockShared::pause(int lane, std::int64_t looks) {
    delay(lane);
    // Ranks and blocks may be many more than processors: give way soon.
    if (looks < 16) {
        core::relax();
    } else if (looks < 64) {
        std::this_thread::yield();
    } else {
        std::this_thread::sleep_for(nap);
    }
}

void BlockShared::delay(int lane) {
    auto& random = lane_[lane].random;
    if (random == 0) return;
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    const auto dice = random >> 32;
    if (dice % 64 == 0) {
        std::this_thread::sleep_for(std::chrono::microseconds(dice / 64 % 100));
    } else if (dice % 64 < 12) {
        std::this_thread::yield();
    }
}

void run_blocks(const BlockGrid& grid, const BlockRun& run, const std::function<void(Block&)>& f) {
    const int blocks = grid.rows * grid.chunks;
    if (blocks <= 0) return;
    std::vector<int> order(static_cast<std::size_t>(blocks));
    std::iota(order.begin(), order.end(), 0);
    if (run.order == BlockRun::Order::descending) std::reverse(order.begin(), order.end());
    std::mt19937_64 random(run.seed);
    if (run.order == BlockRun::Order::shuffled) std::shuffle(order.begin(), order.end(), random);
    const bool all_at_once = run.order == BlockRun::Order::shuffled;
    const int groups = all_at_once ? blocks : std::clamp(run.at_once, 1, blocks);
    const int lanes = std::clamp(run.lanes, 1, TeamShared::most_lanes);
    const auto shared = std::make_unique<BlockShared[]>(static_cast<std::size_t>(groups));
    for (int g = 0; g < groups; ++g) shared[g].reset(lanes, run.seed == 0 ? 0 : random());

    std::atomic<int> next = 0;
    const auto lane_of = [&](int group, int lane) {
        BlockShared& mine = shared[group];
        for (;;) {
            const std::int64_t k = mine.number_of_first(
                lane, lane == 0 ? next.fetch_add(1, std::memory_order_relaxed) : 0);
            if (k >= blocks) return;
            const int at = order[static_cast<std::size_t>(k)];
            Block block(at / grid.chunks, at % grid.chunks, grid.chunks, lane, lanes, &mine);
            mine.delay(lane);
            f(block);
        }
    };
    std::vector<std::jthread> threads;
    for (int g = 0; g < groups; ++g)
        for (int lane = g == 0 ? 1 : 0; lane < lanes; ++lane)
            threads.emplace_back(lane_of, g, lane);
    lane_of(0, 0);
}

}  // namespace aureole::device::host
