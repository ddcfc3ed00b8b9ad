// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/particles/tag_map.kernel.hpp"

namespace aureole::md {

/// Excluded partners by local indices, as kernels read them.
struct ExcludedPartners {
    const std::int32_t* start = nullptr;    ///< [n + 1], or null: nothing is excluded
    const std::int32_t* partner = nullptr;  ///< no_index: it is not here

    AUREOLE_FN bool any() const { return start != nullptr; }
    AUREOLE_FN bool between(std::int64_t i, std::int64_t j) const {
        for (std::int32_t k = start[i]; k < start[i + 1]; ++k)
            if (partner[k] == j) return true;
        return false;
    }
};

/// How many partners each particle has.
struct CountExcluded {
    using device_kernel = void;
    const std::int64_t* start_of_tag;
    const Tag* tag;
    std::int32_t* count;

    AUREOLE_FN void operator()(std::int64_t i) const {
        count[i] = static_cast<std::int32_t>(start_of_tag[tag[i] + 1] - start_of_tag[tag[i]]);
    }
};

/// The local indices of each particle's partners.
struct LocaliseExcluded {
    using device_kernel = void;
    const std::int64_t* start_of_tag;
    const Tag* partner_of_tag;
    const Tag* tag;
    IndexOfTag index;
    const std::int32_t* start;
    std::int32_t* partner;

    AUREOLE_FN void operator()(std::int64_t i) const {
        const Tag* from = partner_of_tag + start_of_tag[tag[i]];
        for (std::int32_t k = start[i]; k < start[i + 1]; ++k) partner[k] = index(*from++);
    }
};

}  // namespace aureole::md
