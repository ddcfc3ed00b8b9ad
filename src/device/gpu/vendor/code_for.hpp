// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace aureole::device {

/// Whether all parts of `one`, between colons, are parts of `gpu`, the first in front.
constexpr bool has_features(std::string_view one, std::string_view gpu) {
    const auto cut = [](std::string_view& from) {
        const auto end = from.find(':');
        const std::string_view part = from.substr(0, end);
        from.remove_prefix(end == from.npos ? from.size() : end + 1);
        return part;
    };
    if (one.empty() || cut(one) != cut(gpu)) return false;
    while (!one.empty()) {
        const std::string_view feature = cut(one);
        bool found = false;
        for (std::string_view rest = gpu; !rest.empty() && !found;) found = cut(rest) == feature;
        if (!found) return false;
    }
    return true;
}

/// Whether a GPU of an architecture runs what was compiled for `compiled`, architectures as CMake
/// writes them, with blanks between.
///
/// NVIDIA: the GPU is "90", what was compiled "80-real 90-real 100". Machine code (`-real`, or no
/// ending) serves GPUs of the same major number from its own minor number on; instructions for
/// translation (`-virtual`, or no ending) serve all from their capability on.
/// AMD: the GPU is "gfx90a:sramecc+:xnack-", what was compiled "gfx90a gfx942:xnack-": names must
/// be equal, and the GPU must have each feature that follows a colon in what was compiled.
constexpr bool has_code_for(std::string_view compiled, std::string_view gpu) {
    const auto number = [](std::string_view text) {
        int value = 0;
        for (const char c : text) {
            if (c < '0' || c > '9') break;
            value = 10 * value + (c - '0');
        }
        return value;
    };
    const int wanted = number(gpu);  // of AMD: 0
    while (!compiled.empty()) {
        const auto end = compiled.find(' ');
        const std::string_view one = compiled.substr(0, end);
        compiled.remove_prefix(end == one.npos ? compiled.size() : end + 1);
        if (wanted == 0) {
            if (has_features(one, gpu)) return true;
            continue;
        }
        const int made_for = number(one);
        if (made_for < 80) continue;  // older ones are not supported
        const bool real = !one.ends_with("-virtual"), translated = !one.ends_with("-real");
        if (real && made_for / 10 == wanted / 10 && made_for <= wanted) return true;
        if (translated && made_for <= wanted) return true;
    }
    return false;
}

}  // namespace aureole::device
