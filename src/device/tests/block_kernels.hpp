// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/ordered.hpp"
#include "device/block.hpp"
#include "device/view.hpp"

namespace aureole::device::testing {

/// Each row adds one to what the row before has, which it waits for. A lane that is not told so by
/// the first one adds a thousand.
struct RowAfterRow {
    using device_kernel = void;
    View<std::int64_t> value;      ///< [rows, n]
    View<std::uint32_t> counted;   ///< [rows] blocks
    View<std::uint64_t> complete;  ///< [rows]
    std::int64_t n;

    AUREOLE_FN void operator()(Block& block) const {
        const int row = block.row();
        for (std::int64_t looks = 0; block.is_first() && row > 0; ++looks) {
            if (core::load_acquire(&complete[row - 1]) != 0) break;
            block.pause(looks);
        }
        const bool odd = block.first_says(block.is_first() && row % 2 == 1);
        for (std::int64_t i = block.first(); i < n; i += block.stride()) {
            const std::int64_t before = row == 0 ? 0 : value[(row - 1) * n + i];
            value[row * n + i] += before + (odd == (row % 2 == 1) ? 1 : 1000);
            block.delay();
        }
        block.sync();
        if (!block.is_first()) return;
        const auto last = static_cast<std::uint32_t>(block.chunks()) - 1;
        if (core::count_ordered(&counted[row]) == last) core::store_release(&complete[row], 1);
    }
};

}  // namespace aureole::device::testing
