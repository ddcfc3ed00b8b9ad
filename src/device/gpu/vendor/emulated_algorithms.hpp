// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "device/gpu/vendor/runtime.hpp"

// Included by algorithms.hpp.
namespace aureole::device::gpu {

inline Error exclusive_scan(void* memory, std::size_t& bytes, View<const std::int32_t> in,
                            View<std::int32_t> out, Stream stream) {
    if (memory == nullptr) return bytes = 1, success;
    return enqueue("exclusive_scan", stream, [in, out] {
        std::int32_t sum = 0;
        for (std::int64_t i = 0; i < out.size; ++i) {
            const std::int32_t next = i < in.size ? in[i] : 0;
            out[i] = sum;
            sum += next;
        }
    });
}

/// The result is in the other memory, as it may be after an odd number of passes.
inline Error sort_pairs(void* memory, std::size_t& bytes, SortedPairs& pairs, std::size_t n,
                        int key_bits, Stream stream) {
    if (memory == nullptr) return bytes = 1, success;
    const Error error = enqueue("sort_by_key", stream, [pairs, n, key_bits] {
        const std::uint32_t mask = key_bits >= 32 ? ~0u : (1u << key_bits) - 1;
        std::vector<std::size_t> order(n);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return (pairs.keys[a] & mask) < (pairs.keys[b] & mask);
        });
        for (std::size_t k = 0; k < n; ++k) {
            pairs.other_keys[k] = pairs.keys[order[k]];
            pairs.other_values[k] = pairs.values[order[k]];
        }
    });
    std::swap(pairs.keys, pairs.other_keys), std::swap(pairs.values, pairs.other_values);
    return error;
}

}  // namespace aureole::device::gpu
