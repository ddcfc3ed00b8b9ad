// SPDX-License-Identifier: Apache-2.0
#include "device/isa.hpp"

#include <cstdlib>
#include <string>

#include "core/error.hpp"
#include "core/platform.hpp"

namespace aureole::device {

const char* name_of(Isa isa) {
    switch (isa) {
        case Isa::scalar:
            return "scalar";
        case Isa::native:
            return "native";
        case Isa::sse4:
            return "sse4";
        case Isa::avx2:
            return "avx2";
        case Isa::avx512:
            return "avx512";
    }
    return "unknown";
}

bool processor_has(Isa isa) {
    const auto processor = core::processor();
    return isa == Isa::sse4     ? processor.sse4
           : isa == Isa::avx2   ? processor.avx2
           : isa == Isa::avx512 ? processor.avx512
                                : true;
}

Isa choose_isa(std::span<const Isa> compiled) {
    const char* asked = std::getenv("AUREOLE_ISA");
    Isa best = compiled.front();
    for (const Isa isa : compiled) {
        if (!processor_has(isa)) continue;
        best = isa;
        if (asked != nullptr && std::string(asked) == name_of(isa)) return isa;
    }
    if (asked != nullptr && *asked != '\0' && std::string(asked) != name_of(best))
        throw core::InputError("instruction set '" + std::string(asked) + "' cannot be used",
                               "this binary or this processor lacks it",
                               "Unset AUREOLE_ISA, or choose one that `aureole doctor` lists.");
    return best;
}

}  // namespace aureole::device
