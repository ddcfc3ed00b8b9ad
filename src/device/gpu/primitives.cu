// SPDX-License-Identifier: Apache-2.0
#include "device/gpu/vendor/algorithms.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "device/gpu/check.hpp"
#include "device/gpu/launch.cuh"
#include "device/gpu/queue.hpp"

namespace aureole::device::gpu {

namespace {

struct Pattern {
    std::uint32_t words[64];
};

template <class T>
__global__ void fill_by(T* to, const Pattern pattern, int length, std::int64_t n) {
    const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) to[i] = reinterpret_cast<const T*>(pattern.words)[i % length];
}

/// Bytes of a part of the workspace, so that the next begins at a multiple of 256.
constexpr std::size_t aligned(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

}  // namespace

void GpuQueue::fill(void* to, const void* pattern, std::size_t bytes, std::int64_t count) {
    if (bytes > sizeof(Pattern)) throw std::logic_error("fill() takes values of at most 256 bytes");
    Pattern value{};
    std::memcpy(&value, pattern, bytes);
    const auto* first = static_cast<const std::uint8_t*>(pattern);
    const auto launch_fill = [&]<class T>(T* first_place) {
        const int length = static_cast<int>(bytes / sizeof(T));
        const std::int64_t n = length * count;
        const Shape shape{blocks_for("fill", n, block_size, block_size), block_size};
        check(launch(fill_by<T>, "fill", shape, stream(), first_place, value, length, n), "fill");
    };
    if (std::all_of(first, first + bytes, [&](std::uint8_t b) { return b == *first; }))
        check(fill_bytes(to, *first, bytes * count, stream()), "fill");
    else if (bytes % 4 == 0 && reinterpret_cast<std::uintptr_t>(to) % 4 == 0)
        launch_fill(static_cast<std::uint32_t*>(to));
    else
        launch_fill(static_cast<std::uint8_t*>(to));
}

void GpuQueue::exclusive_scan(View<const std::int32_t> in, View<std::int32_t> out) {
    const std::lock_guard lock(order);
    std::size_t bytes = 0;
    check(gpu::exclusive_scan(nullptr, bytes, in, out, stream()), "exclusive_scan");
    check(gpu::exclusive_scan(workspace(std::max<std::size_t>(bytes, 1)), bytes, in, out, stream()),
          "exclusive_scan");
}

void GpuQueue::sort_by_key(View<std::uint32_t> keys, View<std::int32_t> values, int key_bits) {
    const std::lock_guard lock(order);
    const auto n = static_cast<std::size_t>(keys.size);
    const std::size_t column = aligned(n * sizeof(std::uint32_t));
    std::size_t bytes = 0;
    SortedPairs pairs{keys.data, nullptr, values.data, nullptr};
    check(sort_pairs(nullptr, bytes, pairs, n, key_bits, stream()), "sort_by_key");
    auto* memory = static_cast<std::byte*>(workspace(2 * column + std::max<std::size_t>(bytes, 1)));
    pairs.other_keys = reinterpret_cast<std::uint32_t*>(memory);
    pairs.other_values = reinterpret_cast<std::int32_t*>(memory + column);
    check(sort_pairs(memory + 2 * column, bytes, pairs, n, key_bits, stream()), "sort_by_key");
    if (pairs.keys != keys.data) copy(keys.data, pairs.keys, n * sizeof(std::uint32_t));
    if (pairs.values != values.data) copy(values.data, pairs.values, n * sizeof(std::int32_t));
}

}  // namespace aureole::device::gpu
