// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/platform.hpp"

namespace aureole::device {

/// Instruction sets that hot host code is compiled for, lowest first.
enum class Isa { scalar, native, sse4, avx2, avx512 };

const char* name_of(Isa isa);
/// Whether a processor can run an instruction set.
bool has(const core::Processor& processor, Isa isa);
/// Whether this processor can run an instruction set.
bool processor_has(Isa isa);
/// The highest of `compiled` (lowest first) that the processor has, or the instruction set `asked`
/// for by name. Throws core::InputError where that one, or all of `compiled`, cannot be had.
Isa choose_isa(std::span<const Isa> compiled, const core::Processor& processor,
               const std::string& asked);

/// Instruction sets in this binary, lowest first.
std::span<const Isa> compiled_isas();
/// The index of an instruction set in compiled_isas(), and in tables with an entry for each.
std::size_t index_of(Isa isa);
/// The instruction set whose kernels run: chosen for this processor, and by the environment
/// variable AUREOLE_ISA.
Isa isa_in_use();

}  // namespace aureole::device
