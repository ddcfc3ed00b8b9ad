// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "md/tag.hpp"

namespace aureole::md {

/// Keeps the terms, of `each` tags and a row of parameters, for which keep(their tags) holds.
template <class F>
void keep_rows(std::vector<Tag>& tags, std::vector<std::int32_t>& row, std::size_t each, F&& keep) {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < row.size(); ++k) {
        const std::span<const Tag> own(tags.data() + k * each, each);
        if (!keep(own)) continue;
        std::ranges::copy(own, tags.begin() + static_cast<std::ptrdiff_t>(kept * each));
        row[kept++] = row[k];
    }
    tags.resize(kept * each), row.resize(kept);
}

}  // namespace aureole::md
