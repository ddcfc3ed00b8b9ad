// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "preload/handle.hpp"
#include "preload/layout.hpp"

namespace aureole::preload {

/// Which bytes one element of a datatype takes.
Layout layout_of_type(Handle type);
/// Which basic types it has (basic_kinds.hpp).
std::uint64_t kinds_of_type(Handle type);
/// Frees a datatype that is ours.
void free_type(Handle type);
/// A new, committed datatype of the same basic types, one after the other.
Handle dense_type_of(Handle type);

}  // namespace aureole::preload
