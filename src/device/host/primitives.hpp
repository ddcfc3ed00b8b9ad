// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/host/memory.hpp"
#include "device/threads/thread_pool.hpp"
#include "device/view.hpp"

namespace aureole::device::host {

void copy_bytes(ThreadPool& pool, void* to, const void* from, std::size_t bytes);

/// `count` copies of a pattern of `bytes`.
void fill_pattern(ThreadPool& pool, void* to, const void* pattern, std::size_t bytes,
                  std::int64_t count);

void exclusive_scan(ThreadPool& pool, View<const std::int32_t> in, View<std::int32_t> out);

void sort_by_key(ThreadPool& pool, Memory& memory, View<std::uint32_t> keys,
                 View<std::int32_t> values);

}  // namespace aureole::device::host
