// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace aureole::emulated {

/// Properties of every emulated device.
constexpr int threads_in_a_team = 32;
constexpr int threads_in_a_block = 1024;
constexpr int block_memory = 48 << 10;
constexpr int multiprocessors = 4;
constexpr int clock_khz = 1000000;
constexpr int cache_bytes = 4 << 20;

/// A device attribute by the number that the library's driver gives it.
int device_fact(int attribute, int device, int& out);

}  // namespace aureole::emulated
