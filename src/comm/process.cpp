// SPDX-License-Identifier: Apache-2.0
#include "comm/process.hpp"

#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>

namespace aureole::comm {

std::optional<ProcessState> parse_stat(const std::string& text) {
    // The name in parentheses may hold anything, also parentheses and spaces.
    const auto name_end = text.rfind(')');
    if (name_end == std::string::npos) return std::nullopt;
    std::istringstream rest(text.substr(name_end + 1));
    ProcessState found{};
    std::string skipped;
    if (!(rest >> found.state)) return std::nullopt;
    constexpr int fields_between = 18;  // the start time is field 22, the state field 3
    for (int k = 0; k < fields_between; ++k)
        if (!(rest >> skipped)) return std::nullopt;
    if (!(rest >> found.started)) return std::nullopt;
    return found;
}

std::optional<ProcessState> state_of(std::int32_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    return parse_stat(text);
}

std::string machine_name() {
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::string name;
    if (!std::getline(file, name)) {
        std::array<char, 256> host{};
        gethostname(host.data(), host.size() - 1);
        name = host.data();
    }
    std::error_code none;
    return name + " " + std::filesystem::read_symlink("/proc/self/ns/pid", none).string();
}

}  // namespace aureole::comm
