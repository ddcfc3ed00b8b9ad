// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace aureole::device {

/// Rate of a loop of nothing but independent multiply-adds on so many threads at once [operations
/// per second, of all threads]. Threads on processors of their own multiply the rate by their
/// number; threads that share a processor add little. Throws std::invalid_argument unless both
/// arguments are positive.
double multiply_adds_per_second(int threads, double seconds);

}  // namespace aureole::device
