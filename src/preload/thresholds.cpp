// SPDX-License-Identifier: Apache-2.0
#include "preload/thresholds.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "core/error.hpp"
#include "preload/report.hpp"
#include "preload/settings.hpp"
#include "preload/small_file.hpp"

namespace aureole::preload {

namespace {

constexpr std::string_view name = "aureole-mpi-thresholds ", version = "1";
constexpr long most_threshold = 1L << 40;

/// Without characters that would end a line or a text in JSON, and without several spaces in a row.
std::string plain(std::string_view text) {
    std::string found;
    for (const char c : text) {
        const bool is_space = c <= ' ' || c == '"' || c == '\\' || c == 127;
        if (!is_space)
            found += c;
        else if (!found.empty() && found.back() != ' ')
            found += ' ';
    }
    if (!found.empty() && found.back() == ' ') found.pop_back();
    return found;
}

/// The model of the processor, as far as the system tells it.
std::string processor() {
    const std::string all = beginning_of("/proc/cpuinfo");  // that of the first one is enough
    const auto at = all.find("model name");
    if (at == std::string::npos) return "unknown processor";
    const auto colon = std::min(all.find(':', at), all.size() - 1);
    return plain(all.substr(colon + 1, all.find('\n', colon) - colon - 1));
}

std::string device_name(const Allocation& at) {
    try {
        const std::string found = plain(at.driver->device_name(std::max(at.device, 0)));
        if (!found.empty()) return found;
    } catch (const core::DeviceError&) {
        // Below: a driver that does not tell a name may do all else.
    }
    return "unknown device";
}

/// -1 for `off`; nothing for what is no size.
std::optional<long> size_of(std::string_view text) {
    if (text == "off") return -1;
    if (text.empty() || text.size() > 13) return {};
    long size = 0;
    for (const char c : text) {
        if (c < '0' || c > '9') return {};
        size = size * 10 + (c - '0');
    }
    if (size > most_threshold) return {};
    return size;
}

[[noreturn]] void refuse_line(int number) {
    throw core::InputError("it is broken in line " + std::to_string(number), "",
                           "Run aureole mpi --tune, or remove it.");
}

Threshold find(const Allocation& at) {
    Threshold found;
    if (settings().mapped_from) {
        found.bytes = *settings().mapped_from, found.from = "AUREOLE_MPI_MAPPED_FROM";
        return found;
    }
    const std::string path = thresholds_path();
    try {
        const auto text = path.empty() ? std::nullopt : read_small_file(path);
        if (!text) return found;
        const std::string own = machine(at);
        const auto measured = find_threshold(*text, own);
        if (measured)
            found.bytes = *measured, found.from = path;
        else
            found.problem =
                path + " is ignored: it has nothing for " + own + ". Run aureole mpi --tune.";
    } catch (const core::Error& error) {
        found.problem = path + " is ignored: " + error.what();
    }
    return found;
}

}  // namespace

const Threshold& threshold(const Allocation& at) {
    static const Threshold found = find(at);
    return found;
}

std::string machine(const Allocation& at) {
    return std::string(at.driver->name()) + "; " + device_name(at) + "; " +
           plain(library_version()) + "; " + processor();
}

std::string thresholds_path() {
    const auto folder = [](const char* variable) -> std::string {
        const char* const text = std::getenv(variable);
        return text != nullptr && *text == '/' ? text : "";
    };
    std::string cache = folder("XDG_CACHE_HOME");
    if (cache.empty() && !folder("HOME").empty()) cache = folder("HOME") + "/.cache";
    return cache.empty() ? "" : cache + "/aureole/mpi-thresholds";
}

std::optional<long> find_threshold(const std::string& text, const std::string& machine) {
    std::optional<long> found;
    std::string_view rest = text;
    for (int number = 1; number == 1 || !rest.empty(); ++number) {
        const auto end = rest.find('\n');
        const bool is_head = number == 1;
        if (end == std::string_view::npos || (is_head && !rest.starts_with(name)))
            refuse_line(number);
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(end + 1);
        if (is_head && line.substr(name.size()) != version)
            throw core::InputError("it is of another version of aureole-mpi", "",
                                   "Run aureole mpi --tune.");
        if (is_head) continue;
        const auto space = line.find(' ');
        const auto size = size_of(line.substr(0, space));
        if (!size || space == std::string_view::npos || space + 1 == line.size())
            refuse_line(number);
        if (line.substr(space + 1) == machine) found = size;
    }
    return found;
}

}  // namespace aureole::preload
