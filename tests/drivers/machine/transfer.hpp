// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "machine/space.hpp"
#include "machine/streams.hpp"

namespace aureole::emulated {

/// One end of a copy: rows of `pitch` bytes, slices of `slice` bytes.
struct Side {
    enum class Must { any, host, device };

    Address at = 0;
    std::size_t pitch = 0;
    std::size_t slice = 0;
    Must be = Must::any;  ///< what the caller said that it is
};

struct Copy {
    Side to;
    Side from;
    std::size_t width = 0;
    std::size_t height = 1;
    std::size_t depth = 1;
};

/// Copies as the drivers do: host memory that is not pinned is read, or has been written, when
/// the call returns; a synchronous copy between devices does not wait.
int copy(const Copy& what, const StreamPtr& stream, bool synchronous);

struct Fill {
    Address at = 0;
    std::size_t pitch = 0;
    std::uint32_t value = 0;
    std::size_t unit = 1;   ///< bytes of the value: 1, 2 or 4
    std::size_t width = 0;  ///< units in a row
    std::size_t height = 1;
};

int fill(const Fill& what, const StreamPtr& stream, bool synchronous);

}  // namespace aureole::emulated
