// SPDX-License-Identifier: Apache-2.0
#include "device/processor/multiply_adds.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <latch>
#include <stdexcept>
#include <thread>
#include <vector>

namespace aureole::device {

namespace {

using Clock = std::chrono::steady_clock;
using Four [[gnu::vector_size(16)]] = float;

constexpr int chains = 12;  // as many as hide the latency of one
constexpr int links = 1000;

/// Chains of dependent multiply-adds, independent of each other; they converge to 0.1.
void multiply_and_add(Four (&chain)[chains]) {
    const Four factor = {0.99F, 0.99F, 0.99F, 0.99F}, term = {1e-3F, 1e-3F, 1e-3F, 1e-3F};
    for (int k = 0; k < links; ++k)
        for (auto& x : chain) x = x * factor + term;
}

/// Multiply-adds until `end`.
std::int64_t work_until(Clock::time_point end) {
    Four chain[chains];
    for (int k = 0; k < chains; ++k)
        for (int lane = 0; lane < 4; ++lane) chain[k][lane] = static_cast<float>(k + lane);
    std::int64_t done = 0;
    while (Clock::now() < end) {
        multiply_and_add(chain);
        done += std::int64_t{4} * chains * links;
    }
    float sum = 0;
    for (const auto& x : chain) sum += x[0] + x[1] + x[2] + x[3];
    return sum > 0 ? done : 0;  // true, but the compiler cannot know
}

}  // namespace

double multiply_adds_per_second(int threads, double seconds) {
    if (threads < 1 || !(seconds > 0))
        throw std::invalid_argument("threads and seconds must be positive");
    std::atomic<std::int64_t> done = 0;
    std::latch ready(threads);
    Clock::time_point began;
    const auto part = [&](bool first) {
        ready.arrive_and_wait();
        const auto now = Clock::now();
        if (first) began = now;
        done += work_until(now + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(seconds)));
    };
    {
        std::vector<std::jthread> others;
        for (int k = 1; k < threads; ++k) others.emplace_back(part, false);
        part(true);
    }
    return static_cast<double>(done) / std::chrono::duration<double>(Clock::now() - began).count();
}

}  // namespace aureole::device
