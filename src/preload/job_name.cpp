// SPDX-License-Identifier: Apache-2.0
#include "preload/job_name.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "preload/small_file.hpp"

namespace aureole::preload {

namespace {

struct Process {
    std::string name, parent, start;
};

/// What /proc/PID/stat says (proc(5)): the name is in brackets and may have any characters.
Process process(const std::string& pid) {
    const std::string line = beginning_of("/proc/" + pid + "/stat");
    const auto open = line.find('('), close = line.rfind(')');
    if (open == std::string::npos || close == std::string::npos) return {};
    Process found{line.substr(open + 1, close - open - 1), "", ""};
    std::string_view rest = line;
    rest.remove_prefix(std::min(close + 2, line.size()));
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
