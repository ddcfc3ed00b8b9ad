// SPDX-License-Identifier: Apache-2.0
#include "figure.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "cuda.hpp"

namespace costs {

double seconds_of_each = 0.05;

double time_of(const std::function<void()>& call) {
    constexpr int most = 31, fewest = 5;
    const auto start = Clock::now();
    call();  // warms up
    int repeats = 1;
    for (double took = 0; took < seconds_of_each / most && repeats < 1 << 16; repeats *= 2) {
        const auto begin = Clock::now();
        for (int k = 0; k < repeats; ++k) call();
        took = seconds_since(begin);
    }
    std::vector<double> batches;
    while (batches.size() < fewest ||
           (batches.size() < most && seconds_since(start) < 2 * seconds_of_each)) {
        const auto begin = Clock::now();
        for (int k = 0; k < repeats; ++k) call();
        batches.push_back(seconds_since(begin) / repeats);
    }
    std::nth_element(batches.begin(), batches.begin() + static_cast<long>(batches.size() / 2),
                     batches.end());
    return batches[batches.size() / 2];
}

void tell(const char* figure, std::size_t bytes, double seconds, std::size_t wrong) {
    std::printf("{\"figure\": \"%s\", \"bytes\": %zu, \"seconds\": %.9g, \"wrong\": %zu}\n", figure,
                bytes, seconds, wrong);
    std::fflush(stdout);
}

void measure(const char* figure, std::size_t bytes, const std::function<void()>& how) {
    try {
        how();
    } catch (const Failed& failed) {
        std::printf("{\"figure\": \"%s\", \"bytes\": %zu, \"failed\": \"%s returned %d\"}\n",
                    figure, bytes, failed.function, failed.code);
        std::fflush(stdout);
    }
}

namespace {
unsigned char byte_of(std::size_t place, unsigned seed) {
    return static_cast<unsigned char>(place * 7 + place / 251 + seed * 13);
}
}  // namespace

void fill(void* memory, std::size_t bytes, unsigned seed) {
    for (std::size_t k = 0; k < bytes; ++k)
        static_cast<unsigned char*>(memory)[k] = byte_of(k, seed);
}

std::size_t wrong_bytes(const void* memory, std::size_t bytes, unsigned seed) {
    std::size_t wrong = 0;
    for (std::size_t k = 0; k < bytes; ++k)
        wrong += static_cast<const unsigned char*>(memory)[k] != byte_of(k, seed);
    return wrong;
}

}  // namespace costs
