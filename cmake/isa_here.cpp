// SPDX-License-Identifier: Apache-2.0
// Prints the instruction set that a build for this processor alone has (AUREOLE_ISAS=native).
#include <cstdio>

#include "core/platform.hpp"

int main() {
#if defined(__x86_64__)
    const auto processor = aureole::core::processor();
    std::fputs(processor.avx512 ? "avx512" : processor.avx2 ? "avx2" : "sse4", stdout);
#else
    std::fputs("native", stdout);
#endif
}
