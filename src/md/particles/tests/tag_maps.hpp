// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "md/particles/particles.hpp"
#include "md/particles/tag_map.hpp"

namespace aureole::md::testing {

/// The map of particles of which tag t lies at index_of[t].
inline TagMap map_of_indices(device::Queue& queue, const std::vector<std::int32_t>& index_of) {
    std::vector<Tag> tags(index_of.size());
    for (std::size_t t = 0; t < index_of.size(); ++t)
        tags[static_cast<std::size_t>(index_of[t])] = static_cast<Tag>(t);
    const auto column = to_device(queue, tags);
    TagMap map;
    map.make(queue, column.view(), static_cast<Tag>(tags.size()));
    queue.synchronize();
    return map;
}

}  // namespace aureole::md::testing
