// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace aureole::device {

/// Instruction sets that hot host code is compiled for, lowest first.
enum class Isa { scalar, native, sse4, avx2, avx512 };

const char* name_of(Isa isa);
/// Whether the processor can run it.
bool processor_has(Isa isa);
/// The highest of `compiled` (lowest first) that the processor has, or the one that the environment
/// variable AUREOLE_ISA asks for. Throws core::InputError where that one cannot be had.
Isa choose_isa(std::span<const Isa> compiled);

}  // namespace aureole::device
