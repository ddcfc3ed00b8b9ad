// SPDX-License-Identifier: Apache-2.0
#include "core/atomic.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace aureole::core {
namespace {

TEST(Atomic, ThreadsAgreeOnLeastMostAndBits) {
    std::uint32_t least = ~0u, most = 0, bits = 0;
    std::vector<std::thread> threads;
    for (std::uint32_t t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (std::uint32_t k = 0; k < 2000; ++k) {
                atomic_min(&least, 100000 - (4 * k + t));
                atomic_max(&most, 4 * k + t);
            }
            atomic_or(&bits, 1u << (7 * t));
        });
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(most, 7999u);
    EXPECT_EQ(least, 100000u - 7999u);
    EXPECT_EQ(bits, 1u | 1u << 7 | 1u << 14 | 1u << 21);
}

}  // namespace
}  // namespace aureole::core
