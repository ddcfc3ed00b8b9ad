// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace aureole::drivers {

/// Copies from memory that is mapped write-combined or uncached. Where the processor can, it
/// fetches whole lines: an ordinary load of such memory waits for the bus each time.
void copy_from_bus(void* to, const std::byte* from, std::size_t bytes);
/// Copies to such memory, in order of addresses, with a fence behind the last store.
void copy_to_bus(std::byte* to, const void* from, std::size_t bytes);

}  // namespace aureole::drivers
