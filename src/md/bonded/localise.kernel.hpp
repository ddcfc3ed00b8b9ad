// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "md/tag_map.kernel.hpp"

// From the names of particles to their places, after each sort.
namespace aureole::md {

/// What terms are ordered by: their first particle's place.
struct FirstPlaces {
    using device_kernel = void;
    const std::int32_t* tags;  ///< [n][particles of a term]
    int particles;
    PlaceOfTag place;
    std::uint32_t* key;
    std::int32_t* order;

    AUREOLE_FN void operator()(std::int64_t i) const {
        key[i] = static_cast<std::uint32_t>(place(tags[i * particles]));
        order[i] = static_cast<std::int32_t>(i);
    }
};

/// Terms in their order, with places for tags; behind the last one repetitions of it.
struct PlaceTerms {
    using device_kernel = void;
    const std::int32_t* tags;
    const std::int32_t* rows;
    int particles;
    PlaceOfTag place;
    const std::int32_t* order;
    std::int64_t n, stride;
    std::int32_t* particle;  ///< out: [particles][stride]
    std::int32_t* row;       ///< out: [stride]

    AUREOLE_FN void operator()(std::int64_t i) const {
        const std::int64_t from = order[i < n ? i : n - 1];
        for (int p = 0; p < particles; ++p)
            particle[p * stride + i] = place(tags[from * particles + p]);
        row[i] = rows[from];
    }
};

/// Whose force each place of the terms' forces holds.
struct OwnersOfForces {
    using device_kernel = void;
    const std::int32_t* particle;  ///< [particles][stride]
    std::int64_t n, stride, offset;
    int particles;
    std::uint32_t* owner;
    std::int32_t* place;

    AUREOLE_FN void operator()(std::int64_t i) const {
        for (int p = 0; p < particles; ++p) {
            const std::int64_t at = offset + p * n + i;
            owner[at] = static_cast<std::uint32_t>(particle[p * stride + i]);
            place[at] = static_cast<std::int32_t>(at);
        }
    }
};

/// Slots of the clusters for places.
struct SlotsOfPlaces {
    const std::int32_t* particle;
    const std::int32_t* slot_of;
    std::int32_t* slot;

    void operator()(std::int64_t i) const { slot[i] = slot_of[particle[i]]; }
};

}  // namespace aureole::md
