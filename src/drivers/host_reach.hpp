// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace aureole::drivers {

/// Whether this process may read a byte, or read and write it with what it has. System calls find
/// out, which fail where a load would end the process.
bool host_reads(const std::byte* at);
bool host_writes(std::byte* at);

}  // namespace aureole::drivers
