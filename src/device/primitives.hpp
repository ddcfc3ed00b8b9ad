// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <cstdint>

#include "device/queue.hpp"
#include "device/view.hpp"

namespace aureole::device {

/// out[i] = in[0] + … + in[i - 1]. If `out` has one element more than `in`, it gets the total.
/// `in` and `out` may be the same memory.
inline void exclusive_scan(Queue& queue, Input<std::int32_t> in, View<std::int32_t> out) {
    assert(out.size == in.size || out.size == in.size + 1);
    if (out.size == 0) return;
    queue.state().count_launch(out.size);
    queue.state().exclusive_scan(in, out);
}

/// Sorts both by ascending key; equal keys keep their order. Keys are below 2^key_bits: the fewer
/// bits, the faster.
inline void sort_by_key(Queue& queue, View<std::uint32_t> keys, View<std::int32_t> values,
                        int key_bits = 32) {
    assert(keys.size == values.size && key_bits >= 1 && key_bits <= 32);
    if (keys.size < 2) return;
    queue.state().count_launch(keys.size);
    queue.state().sort_by_key(keys, values, key_bits);
}

}  // namespace aureole::device
