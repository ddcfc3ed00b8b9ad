// SPDX-License-Identifier: Apache-2.0
#include "preload/job_name.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

namespace aureole::preload {

namespace {

struct Process {
    std::string name, parent, start;
};

/// What /proc/PID/stat says (proc(5)): the name is in brackets and may have any characters.
Process process(const std::string& pid) {
    std::array<char, 1024> text{};
    const int file = ::open(("/proc/" + pid + "/stat").c_str(), O_RDONLY | O_CLOEXEC);
    const auto n = file < 0 ? 0 : ::read(file, text.data(), text.size());
    if (file >= 0) ::close(file);
    const std::string_view line(text.data(), n < 0 ? 0 : static_cast<std::size_t>(n));
    const auto open = line.find('('), close = line.rfind(')');
    if (open == std::string_view::npos || close == std::string_view::npos) return {};
    Process found{std::string(line.substr(open + 1, close - open - 1)), "", ""};
    auto rest = line.substr(std::min(close + 2, line.size()));
    for (int field = 3; field <= 22; ++field) {
        const auto end = std::min(rest.find(' '), rest.size());
        if (field == 4) found.parent = rest.substr(0, end);
        if (field == 22) found.start = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return found;
}

bool is_launcher(std::string_view name) {
    static constexpr std::array<std::string_view, 6> known{
        "hydra_pmi_proxy", "hydra_bstrap_pr", "prted", "prterun", "orted", "slurmstepd"};
    for (const auto one : known)
        if (name == one.substr(0, 15)) return true;  // as much as the kernel keeps
    return false;
}

/// The nearest launcher above this process, of all its processes on this node.
std::string launcher() {
    std::string pid = std::to_string(getppid());
    for (int k = 0; k < 32 && pid != "0" && !pid.empty(); ++k) {
        const Process found = process(pid);
        if (is_launcher(found.name)) return found.name + "." + pid + "." + found.start;
        pid = found.parent;
    }
    return "";
}

}  // namespace

std::string job_name() {
    const char* const name = std::getenv("PMIX_NAMESPACE");
    return (name == nullptr ? "" : name) + launcher();
}

}  // namespace aureole::preload
