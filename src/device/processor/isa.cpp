// SPDX-License-Identifier: Apache-2.0
#include "device/processor/isa.hpp"

#include <algorithm>
#include <cstdlib>

#include "core/error.hpp"

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

bool has(const core::Processor& processor, Isa isa) {
    return isa == Isa::sse4     ? processor.sse4
           : isa == Isa::avx2   ? processor.avx2
           : isa == Isa::avx512 ? processor.avx512
                                : true;
}

bool processor_has(Isa isa) { return has(core::processor(), isa); }

Isa choose_isa(std::span<const Isa> compiled, const core::Processor& processor,
               const std::string& asked) {
    const Isa* best = nullptr;
    std::string names;
    for (const Isa& isa : compiled) {
        names += (names.empty() ? "" : ", ") + std::string(name_of(isa));
        if (!has(processor, isa)) continue;
        best = &isa;
        if (asked == name_of(isa)) return isa;
    }
    if (best == nullptr)
        throw core::InputError("this build cannot run on this processor",
                               "its kernels need " + names + ", which the processor lacks",
                               "Build here, or for all processors: "
                               "pip install . -C cmake.define.AUREOLE_ISAS=all");
    if (!asked.empty() && asked != name_of(*best))
        throw core::InputError("instruction set '" + asked + "' cannot be used",
                               "this build has " + names + "; the processor may lack it",
                               "Unset AUREOLE_ISA, or choose one that `aureole doctor` lists. "
                               "Builds with AUREOLE_ISAS=all contain all instruction sets.");
    return *best;
}

std::size_t index_of(Isa isa) {
    return static_cast<std::size_t>(std::ranges::find(compiled_isas(), isa) -
                                    compiled_isas().begin());
}

Isa isa_in_use() {
    static const Isa isa = [] {
        const char* asked = std::getenv("AUREOLE_ISA");
        return choose_isa(compiled_isas(), core::processor(), asked != nullptr ? asked : "");
    }();
    return isa;
}

}  // namespace aureole::device
