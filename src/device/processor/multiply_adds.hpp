// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace aureole::device {

/// What a loop of nothing but independent multiply-adds does on so many threads at once
/// [operations per second, of all of them]. Threads on processors of their own multiply it by their
/// number, those that share one add little. Throws std::invalid_argument unless both arguments are
/// positive.
double multiply_adds_per_second(int threads, double seconds);

}  // namespace aureole::device
