// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

namespace aureole::md {

/// Instruction sets that kernels are compiled for, lowest first.
enum class Isa { scalar, native, sse4, avx2, avx512 };

const char* name_of(Isa isa);
/// Whether the processor can run it.
bool processor_has(Isa isa);
/// Those in this binary, lowest first.
std::span<const Isa> compiled_isas();
/// The highest of them that the processor has, or the one that the environment variable
/// AUREOLE_ISA asks for. Throws core::InputError where that one cannot be had.
Isa isa_in_use();

}  // namespace aureole::md
