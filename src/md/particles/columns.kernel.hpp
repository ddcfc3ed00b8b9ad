// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/macros.hpp"

namespace aureole::md {

/// A column in sorted order.
template <class Element>
struct Gather {
    using device_kernel = std::false_type;  // hosts only: others take all columns at once
    const std::int32_t* order;
    const Element* from;
    Element* to;

    AUREOLE_FN void operator()(std::int64_t i) const { to[i] = from[order[i]]; }
};

/// Columns of any types, and where there is room for the rows of each.
struct ManyColumns {
    static constexpr int most = 16;

    struct Column {
        std::byte *rows, *room;
        std::int32_t bytes;  ///< of a row
    };
    Column column[most];
    int count = 0;
};

/// The rows of many columns, into the room in an order, or without one back from there.
struct MoveRows {
    using device_kernel = void;
    ManyColumns columns;
    const std::int32_t* order;

    AUREOLE_FN void operator()(std::int64_t i) const {
        for (int c = 0; c < columns.count; ++c) {
            const auto& one = columns.column[c];
            if (order != nullptr)
                copy(one.room + i * one.bytes, one.rows + std::int64_t{order[i]} * one.bytes,
                     one.bytes);
            else
                copy(one.rows + i * one.bytes, one.room + i * one.bytes, one.bytes);
        }
    }

  private:
    AUREOLE_FN static void copy(std::byte* to, const std::byte* from, std::int32_t bytes) {
        if (bytes % 4 != 0) {
            for (int k = 0; k < bytes; ++k) to[k] = from[k];
            return;
        }
        for (int k = 0; k < bytes; k += 4) __builtin_memcpy(to + k, from + k, 4);
    }
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
