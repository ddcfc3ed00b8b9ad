// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace aureole::preload {

/// The full path of a file, without symbolic links.
std::string path_of(const char* file);
/// The function that an offset of an ELF file lies in, by its table of symbols; empty if the file
/// has none.
std::string function_at(const std::string& path, std::uintptr_t offset);

}  // namespace aureole::preload
