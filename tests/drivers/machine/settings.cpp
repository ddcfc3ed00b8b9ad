// SPDX-License-Identifier: Apache-2.0
#include "machine/settings.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>

namespace aureole::emulated {
namespace {

std::vector<std::string> split(const std::string& text, char at) {
    std::vector<std::string> parts;
    std::size_t begin = 0;
    while (true) {
        const std::size_t end = text.find(at, begin);
        parts.push_back(text.substr(begin, end - begin));
        if (end == std::string::npos) return parts;
        begin = end + 1;
    }
}

bool read_number(const std::string& text, double& out) {
    char* end = nullptr;
    out = std::strtod(text.c_str(), &end);
    return !text.empty() && *end == 0 && std::isfinite(out) && out >= 0;
}

bool read_whole(const std::string& text, long lowest, long highest, long& out) {
    char* end = nullptr;
    out = std::strtol(text.c_str(), &end, 10);
    return !text.empty() && *end == 0 && out >= lowest && out <= highest;
}

bool read_copy(const std::string& text, Settings& into) {
    const auto parts = split(text, ':');
    double gigabytes_per_second = 0;
    if (parts.size() != 2 || !read_number(parts[0], into.copy_us) ||
        !read_number(parts[1], gigabytes_per_second))
        return false;
    into.copy_bytes_per_us = gigabytes_per_second * 1e3;
    return true;
}

/// Whether a driver has a function of this name, as far as this library can tell: the runtime over
/// the driver and the other vendor's library are not looked at.
bool is_function(const std::string& name) {
    if (name == "*") return true;
    if (name.rfind("cu", 0) != 0 && name.rfind("hip", 0) != 0) return false;
    Dl_info here{};
    dladdr(reinterpret_cast<void*>(&parse_settings), &here);
    void* const library =
        here.dli_fname ? dlopen(here.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : nullptr;
    const std::string own = library && dlsym(library, "hipInit") ? "hip" : "cu";
    if (!library || name.rfind(own, 0) != 0 || name.rfind("cuda", 0) == 0) return true;
    return dlsym(library, name.c_str()) != nullptr;
}

bool read_failure(const std::string& text, Settings& into) {
    const auto parts = split(text, ':');
    long call = 0;
    long code = 999;
    if (parts.size() < 2 || parts.size() > 3) return false;
    if (!read_whole(parts[1], 1, 1L << 60, call)) return false;
    if (parts.size() == 3 && !read_whole(parts[2], 1, 99999, code)) return false;
    std::string name = parts[0];
    const std::size_t version = name.rfind("_v");  // all versions are one function
    if (version != std::string::npos && version + 3 == name.size()) name.resize(version);
    if (!is_function(name)) return false;
    into.failures.push_back({name, call, static_cast<int>(code)});
    return true;
}

bool read_handles(const std::string& text, Settings& into) {
    into.legacy_handles = into.descriptor_handles = into.pool_handles = false;
    if (text == "none") return true;
    for (const auto& kind : split(text, '+')) {
        if (kind == "legacy")
            into.legacy_handles = true;
        else if (kind == "fd")
            into.descriptor_handles = true;
        else if (kind == "pool")
            into.pool_handles = true;
        else
            return false;
    }
    return true;
}

bool read_bar(const std::string& text, Settings& into) {
    into.bar = {};
    if (text == "none") return true;
    const std::map<std::string, bool*> words = {{"gdr", &into.bar.gdr},
                                                {"dmabuf", &into.bar.dma_buf},
                                                {"large", &into.bar.large},
                                                {"spoil", &into.bar.is_spoilt},
                                                {"blind", &into.bar.is_blind}};
    for (const auto& word : split(text, '+')) {
        const auto found = words.find(word);
        if (found == words.end()) return false;
        *found->second = true;
    }
    return true;
}

struct Key {
    const char* expected;
    std::function<bool(const std::string&, Settings&)> read;
};

const std::map<std::string, Key>& keys() {
    static const std::map<std::string, Key> all = {
        {"devices",
         {"a number from 0 to 64",
          [](const std::string& text, Settings& into) {
              long n = 0;
              if (!read_whole(text, 0, 64, n)) return false;
              into.devices = static_cast<int>(n);
              return true;
          }}},
        {"seed",
         {"a whole number",
          [](const std::string& text, Settings& into) {
              long n = 0;
              if (!read_whole(text, 0, 1L << 62, n)) return false;
              into.seed = static_cast<std::uint64_t>(n);
              return true;
          }}},
        {"late",
         {"microseconds",
          [](const std::string& text, Settings& into) { return read_number(text, into.late_us); }}},
        {"copy", {"MICROSECONDS:GIGABYTES_PER_SECOND", read_copy}},
        {"open",
         {"microseconds",
          [](const std::string& text, Settings& into) { return read_number(text, into.open_us); }}},
        {"fail", {"FUNCTION:CALL or FUNCTION:CALL:CODE", read_failure}},
        {"peer",
         {"0 or 1",
          [](const std::string& text, Settings& into) {
              into.peer = text == "1";
              return text == "0" || text == "1";
          }}},
        {"handles", {"legacy, fd and pool joined by +, or none", read_handles}},
        {"bar", {"gdr, dmabuf, large, spoil and blind joined by +, or none", read_bar}},
        {"memory",
         {"mebibytes from 1 to 1048576",
          [](const std::string& text, Settings& into) {
              long n = 0;
              if (!read_whole(text, 1, 1L << 20, n)) return false;
              into.memory = static_cast<std::size_t>(n) << 20;
              return true;
          }}},
        {"log",
         {"a file",
          [](const std::string& text, Settings& into) {
              into.log = text;
              return !text.empty();
          }}},
    };
    return all;
}

}  // namespace

std::string parse_settings(const std::string& text, Settings& into) {
    for (const auto& entry : split(text, ',')) {
        if (entry.empty()) continue;
        const std::size_t equals = entry.find('=');
        const std::string name = entry.substr(0, equals);
        const auto key = keys().find(name);
        if (key == keys().end()) {
            std::string known;
            for (const auto& [each, unused] : keys()) known += (known.empty() ? "" : ", ") + each;
            return "unknown setting '" + name + "' (known: " + known + ")";
        }
        if (equals == std::string::npos || !key->second.read(entry.substr(equals + 1), into))
            return "'" + entry + "': " + name + " takes " + key->second.expected;
    }
    return {};
}

const Settings& settings() {
    static const Settings* all = [] {
        auto* read = new Settings;  // never destroyed: threads may ask during exit
        const char* text = std::getenv("AUREOLE_DOUBLE");
        const std::string wrong = parse_settings(text ? text : "", *read);
        if (!wrong.empty()) {
            std::fprintf(stderr, "AUREOLE_DOUBLE: %s\n", wrong.c_str());
            _exit(2);
        }
        return read;
    }();
    return *all;
}

}  // namespace aureole::emulated
