// SPDX-License-Identifier: Apache-2.0
// One figure: how long something takes, or why that is not known, as a line of JSON.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>

namespace costs {

/// Time that each figure may take [s]; set once, at the start.
extern double seconds_of_each;

using Clock = std::chrono::steady_clock;
inline double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The median over batches of the time of one call [s].
double time_of(const std::function<void()>& call);

/// Prints {"figure", "bytes", "seconds", "wrong"}; `wrong` is the number of bytes that were not as
/// they should be.
void tell(const char* figure, std::size_t bytes, double seconds, std::size_t wrong);

/// Runs what measures a figure; a failed call of the driver is told in place of the figure.
void measure(const char* figure, std::size_t bytes, const std::function<void()>& how);

/// Fills memory with bytes that depend on their place and on `seed`; counts those that are
/// different.
void fill(void* memory, std::size_t bytes, unsigned seed);
std::size_t wrong_bytes(const void* memory, std::size_t bytes, unsigned seed);

}  // namespace costs
