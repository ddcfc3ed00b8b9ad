// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace aureole::preload {

/// Where a program calls MPI, by the address that a function of ours returns to: that address, or
/// that of the first caller outside this library and MPI's bindings of Fortran. Null if the MPI
/// library itself calls.
const void* program_site(const void* returned);

/// "/path/program(+0x1234) in function", so that `addr2line -e /path/program 0x1234` tells the
/// line.
std::string site_text(const void* site);

/// Reports a mistake on standard error: once for each call site and kind of mistake. `kind` is
/// compared by its address.
void report_mistake(const char* kind, const char* call, const void* site, const std::string& text);

}  // namespace aureole::preload
