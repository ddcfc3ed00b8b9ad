// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/atomic.hpp"
#include "md/particles/tag.hpp"

// Local indices of tags, as kernels read and make them (see TagMap).
namespace aureole::md {

inline constexpr std::int32_t no_index = -1;

/// The first slot of a table where a tag may be (multiplicative hashing, Knuth, The Art of Computer
/// Programming 3, 6.4). `slots` is a power of two.
AUREOLE_FN std::int64_t first_slot(Tag tag, std::int64_t slots) {
    const auto mixed = static_cast<std::uint64_t>(tag) * 0x9E3779B97F4A7C15u;
    return static_cast<std::int64_t>(mixed >> 32) & (slots - 1);
}

/// The local index of a tag, or no_index.
struct IndexOfTag {
    const Tag* key = nullptr;             ///< of each slot of a table, or null: slots are tags
    const std::int32_t* index = nullptr;  ///< of each slot
    std::int64_t slots = 0;

    AUREOLE_FN std::int32_t operator()(Tag tag) const {
        if (tag < 0) return no_index;
        if (key == nullptr) return tag < slots ? index[tag] : no_index;
        for (auto slot = first_slot(tag, slots);; slot = (slot + 1) & (slots - 1)) {
            if (key[slot] == tag) return index[slot];
            if (key[slot] == no_tag) return no_index;
        }
    }
};

/// Writes local indices into an array with a slot for each tag.
struct SetIndices {
    using device_kernel = void;
    const Tag* tag;
    std::int32_t* index;

    AUREOLE_FN void operator()(std::int64_t i) const {
        index[tag[i]] = static_cast<std::int32_t>(i);
    }
};

/// Writes tags and local indices into a table whose keys are no_tag, at most half of whose slots
/// fill. Which slot a tag gets depends on the order of threads; what is found does not.
struct InsertTags {
    using device_kernel = void;
    const Tag* tag;
    Tag* key;
    std::int32_t* index;
    std::int64_t slots;

    AUREOLE_FN void operator()(std::int64_t i) const {
        const Tag mine = tag[i];
        auto slot = first_slot(mine, slots);
        while (core::atomic_compare_exchange(&key[slot], no_tag, mine) != no_tag)
            slot = (slot + 1) & (slots - 1);
        index[slot] = static_cast<std::int32_t>(i);
    }
};

/// The local indices of a list of tags.
struct FindIndices {
    using device_kernel = void;
    const Tag* tag;
    IndexOfTag index;
    std::int32_t* to;

    AUREOLE_FN void operator()(std::int64_t i) const { to[i] = index(tag[i]); }
};

}  // namespace aureole::md
