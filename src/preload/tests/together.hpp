// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <latch>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace aureole::preload {

/// Runs `work(k)` for k from 0 to n - 1, each in a thread of its own, all at once.
template <class Work>
void together(int n, Work&& work) {
    std::latch ready(n);
    std::vector<std::thread> threads;
    for (int k = 0; k < n; ++k)
        threads.emplace_back([&, k] {
            ready.arrive_and_wait();
            work(k);
        });
    for (auto& thread : threads) thread.join();
}

/// Tests that run with several numbers of threads.
class Threads : public testing::TestWithParam<int> {};

inline std::string name_of_threads(const testing::TestParamInfo<int>& info) {
    return "threads" + std::to_string(info.param);
}

}  // namespace aureole::preload
