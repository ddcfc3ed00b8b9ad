// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "preload/check.hpp"

namespace aureole::preload {

inline std::uintptr_t address(const CheckedBuffer& buffer) {
    return reinterpret_cast<std::uintptr_t>(buffer.buffer);
}

/// The lowest address of a byte that both have elements in; 0 if there is none, or if that is not
/// known since they lie in too many pieces.
std::uintptr_t first_common(const CheckedBuffer& one, const CheckedBuffer& other);

/// A checksum of a buffer on the host, without the gaps between elements.
std::uint64_t sum_of(const CheckedBuffer& buffer);
/// Whether all pages of a buffer on the host can be read.
bool is_mapped(const CheckedBuffer& buffer);

}  // namespace aureole::preload
