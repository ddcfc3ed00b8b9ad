// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/isa.hpp"

namespace aureole::md {

using device::Isa;
using device::name_of;
using device::processor_has;

/// Those in this binary, lowest first.
std::span<const Isa> compiled_isas();
/// The one whose kernels run (device::choose_isa).
Isa isa_in_use();

}  // namespace aureole::md
