// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/macros.hpp"

namespace aureole::md {

/// A column in sorted order.
template <class Element>
struct Gather {
    using device_kernel = void;
    const std::int32_t* order;
    const Element* from;
    Element* to;

    AUREOLE_FN void operator()(std::int64_t i) const { to[i] = from[order[i]]; }
};

/// Rows into a message, where numbers may stand at any address.
template <class T>
struct PackRows {
    using device_kernel = void;
    const std::int32_t* index;
    const T* from;
    std::byte* to;

    AUREOLE_FN void operator()(std::int64_t k) const {
        __builtin_memcpy(to + sizeof(T) * std::size_t(k), from + index[k], sizeof(T));
    }
};

/// And out of it.
template <class T>
struct UnpackRows {
    using device_kernel = void;
    const std::int32_t* index;
    const std::byte* from;
    T* to;

    AUREOLE_FN void operator()(std::int64_t k) const {
        __builtin_memcpy(to + index[k], from + sizeof(T) * std::size_t(k), sizeof(T));
    }
};

}  // namespace aureole::md
