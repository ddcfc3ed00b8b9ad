// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "machine/space.hpp"

namespace aureole::emulated {

/// Device memory at addresses of the host's; places without plain device memory have no access.
/// Null if the system refuses. Freed memory shows as 0xAD.
void* map_bar(Address begin, std::size_t bytes);

/// A file that begins with the first byte of an allocation, for `mmap`; the result is a `Status`.
int bar_file(Address begin, std::size_t bytes, int& out);

}  // namespace aureole::emulated
