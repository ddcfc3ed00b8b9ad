// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace aureole::device {

/// Whether a GPU of compute capability `major`.`minor` runs what was compiled for `architectures`,
/// which are written as CMake writes them, with blanks between: "80-real 90-real 100". Machine code
/// (`-real`, or no ending) serves GPUs of the same major number from its own minor number on;
/// instructions for translation (`-virtual`, or no ending) serve all from their capability on.
constexpr bool has_code_for(std::string_view architectures, int major, int minor) {
    while (!architectures.empty()) {
        const auto end = architectures.find(' ');
        const std::string_view one = architectures.substr(0, end);
        architectures.remove_prefix(end == one.npos ? architectures.size() : end + 1);
        int made_for = 0;
        for (const char c : one) {
            if (c < '0' || c > '9') break;
            made_for = 10 * made_for + (c - '0');
        }
        if (made_for < 80) continue;  // older ones are not supported
        const bool real = !one.ends_with("-virtual"), translated = !one.ends_with("-real");
        const int wanted = 10 * major + minor;
        if (real && made_for / 10 == major && made_for <= wanted) return true;
        if (translated && made_for <= wanted) return true;
    }
    return false;
}

}  // namespace aureole::device
