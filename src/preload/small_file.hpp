// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace aureole::preload {

// By system calls: the file streams of the C++ library need a newer glibc.

/// The first 4 kB of a file; empty if it cannot be read.
std::string beginning_of(const std::string& path);
/// The text of a file of at most a megabyte; nothing if there is none. Throws core::FileError if it
/// cannot be read, core::InputError if it is larger.
std::optional<std::string> read_small_file(const std::string& path);

}  // namespace aureole::preload
