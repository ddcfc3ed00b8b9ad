// SPDX-License-Identifier: Apache-2.0
#include "md/pair/isa.hpp"

namespace aureole::md {

Isa isa_in_use() {
    static const Isa isa = device::choose_isa(compiled_isas());
    return isa;
}

}  // namespace aureole::md
