// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "md/particles/tag_map.kernel.hpp"

// From tags to local indices, after each sort.
namespace aureole::md {

/// Terms are ordered by the local index of their first particle.
struct FirstIndices {
    using device_kernel = void;
    const Tag* tags;  ///< [n][particles of a term]
    int particles;
    IndexOfTag index;
    std::uint32_t* key;
    std::int32_t* order;

    AUREOLE_FN void operator()(std::int64_t i) const {
        key[i] = static_cast<std::uint32_t>(index(tags[i * particles]));
        order[i] = static_cast<std::int32_t>(i);
    }
};

/// Terms in their order, with local indices instead of tags; padded with copies of the last one.
struct LocaliseTerms {
    using device_kernel = void;
    const Tag* tags;
    const std::int32_t* rows;
    int particles;
    IndexOfTag index;
    const std::int32_t* order;  ///< null: that of the tags
    std::int64_t n, stride;
    std::int32_t* particle;  ///< out: [particles][stride]
    std::int32_t* row;       ///< out: [stride]

    AUREOLE_FN void operator()(std::int64_t i) const {
        const std::int64_t at = i < n ? i : n - 1, from = order != nullptr ? order[at] : at;
        for (int p = 0; p < particles; ++p)
            particle[p * stride + i] = index(tags[from * particles + p]);
        row[i] = rows[from];
    }
};

/// Cluster slots of local indices.
struct SlotsOfIndices {
    const std::int32_t* particle;
    const std::int32_t* slot_of;
    std::int32_t* slot;

    void operator()(std::int64_t i) const { slot[i] = slot_of[particle[i]]; }
};

}  // namespace aureole::md
