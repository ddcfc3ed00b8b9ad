// SPDX-License-Identifier: Apache-2.0
#include "preload/settings.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "core/error.hpp"

namespace aureole::preload {

namespace {

/// Mapped parts of an allocation overlap by as much, so that no message lies in two (gdrcopy.cpp).
constexpr long most_small_mapped = 65536;

/// Which of two values a variable has; the first one without it.
bool is_second(const char* variable, std::string_view first, std::string_view second) {
    const char* const text = std::getenv(variable);
    if (text == nullptr || *text == 0 || text == first) return false;
    if (text == second) return true;
    throw core::InputError(
        std::string(variable) + " is \"" + text + "\"", "",
        std::string("Set it to ") + std::string(first) + " or " + std::string(second) + ".");
}

/// A size in bytes, or -1 for `off`; nothing without the variable.
std::optional<long> size_or_off(const char* variable) {
    const char* const text = std::getenv(variable);
    if (text == nullptr || *text == 0) return {};
    if (std::string_view(text) == "off") return -1;
    char* end = nullptr;
    const long size = std::strtol(text, &end, 10);
    if (*end == 0 && size >= 0) return size;
    throw core::InputError(std::string(variable) + " is \"" + text + "\"", "",
                           "Set it to a number of bytes, or to off.");
}

constexpr long least_chunk = 1 << 10, most_chunk = 1 << 30;

Settings read() {
    Settings all;
    try {
        all.is_off = is_second("AUREOLE_PRELOAD", "on", "off");
        all.waits_for_device = is_second("AUREOLE_MPI_WAIT", "stream", "device");
        all.mapped_from = size_or_off("AUREOLE_MPI_MAPPED_FROM");
        all.all_ranks = is_second("AUREOLE_MPI_ALL_RANKS", "0", "1") && !all.is_off;
        all.chunks_from = size_or_off("AUREOLE_MPI_CHUNKS_FROM").value_or(all.chunks_from);
        all.chunk_bytes = size_or_off("AUREOLE_MPI_CHUNK_BYTES").value_or(all.chunk_bytes);
        if (all.chunk_bytes < least_chunk || all.chunk_bytes > most_chunk)
            throw core::InputError("AUREOLE_MPI_CHUNK_BYTES is no size of a chunk", "",
                                   "Set it to a number of bytes from 1024 to 1073741824.");
        all.small_mapped = std::min(
            size_or_off("AUREOLE_MPI_SMALL_MAPPED").value_or(all.small_mapped), most_small_mapped);
        all.checks = is_second("AUREOLE_MPI_CHECK", "0", "1") && !all.is_off;
        all.tells = is_second("AUREOLE_MPI_LOG", "0", "1");
    } catch (const core::InputError& error) {
        all.problem = error.what();
    }
    return all;
}

}  // namespace

const Settings& settings() {
    static const Settings all = read();
    return all;
}

const bool is_checking = settings().checks;

}  // namespace aureole::preload
