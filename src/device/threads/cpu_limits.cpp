// SPDX-License-Identifier: Apache-2.0
#include "device/threads/cpu_limits.hpp"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <memory>
#include <sstream>
#include <thread>

namespace aureole::device {

namespace {

namespace fs = std::filesystem;

std::optional<double> smaller(std::optional<double> a, std::optional<double> b) {
    if (!a) return b;
    if (!b) return a;
    return std::min(*a, *b);
}

std::optional<double> quota_v2(const fs::path& folder) {
    std::ifstream file(folder / "cpu.max");
    std::string quota;
    double period = 0;
    if (!(file >> quota >> period) || quota == "max" || period <= 0) return {};
    std::istringstream number(quota);
    double value = 0;
    if (!(number >> value) || value <= 0) return {};
    return value / period;
}

std::optional<double> quota_v1(const fs::path& folder) {
    std::ifstream quota_file(folder / "cpu.cfs_quota_us");
    std::ifstream period_file(folder / "cpu.cfs_period_us");
    double quota = 0, period = 0;
    if (!(quota_file >> quota) || !(period_file >> period)) return {};
    if (quota <= 0 || period <= 0) return {};
    return quota / period;
}

/// The least limit from `base / group` up to `base`; a container may not see its own group's
/// folder, then only `base` answers.
template <class Read>
std::optional<double> least_upwards(const fs::path& base, const std::string& group, Read read) {
    std::optional<double> limit = read(base);
    fs::path folder = base;
    for (const fs::path& name : fs::path(group).relative_path()) {
        folder /= name;
        limit = smaller(limit, read(folder));
    }
    return limit;
}

bool lists_cpu(const std::string& controllers) {
    std::istringstream names(controllers);
    for (std::string name; std::getline(names, name, ',');)
        if (name == "cpu") return true;
    return false;
}

}  // namespace

std::vector<int> allowed_cpus() {
    std::vector<int> cpus;
    // Machines with more CPUs than a cpu_set_t holds need a larger set: EINVAL says so.
    for (int capacity = 1024; capacity <= (1 << 20); capacity *= 2) {
        const std::size_t bytes = CPU_ALLOC_SIZE(capacity);
        std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> set(CPU_ALLOC(capacity),
                                                             [](cpu_set_t* s) { CPU_FREE(s); });
        CPU_ZERO_S(bytes, set.get());
        if (sched_getaffinity(0, bytes, set.get()) != 0) {
            if (errno == EINVAL) continue;
            break;
        }
        for (int cpu = 0; cpu < capacity; ++cpu)
            if (CPU_ISSET_S(cpu, bytes, set.get())) cpus.push_back(cpu);
        return cpus;
    }
    const int count = std::max(1u, std::thread::hardware_concurrency());
    for (int cpu = 0; cpu < count; ++cpu) cpus.push_back(cpu);
    return cpus;
}

std::optional<double> cgroup_cpu_limit(const fs::path& membership, const fs::path& root) {
    std::optional<double> limit;
    std::ifstream file(membership);
    // One line per hierarchy: "id:controllers:group"; version 2 has id 0 and no controllers.
    for (std::string line; std::getline(file, line);) {
        const auto first = line.find(':');
        const auto second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const std::string group = line.substr(second + 1);
        if (controllers.empty()) {
            limit = smaller(limit, least_upwards(root, group, quota_v2));
            limit = smaller(limit, least_upwards(root / "unified", group, quota_v2));
        } else if (lists_cpu(controllers)) {
            limit = smaller(limit, least_upwards(root / controllers, group, quota_v1));
            if (controllers != "cpu")
                limit = smaller(limit, least_upwards(root / "cpu", group, quota_v1));
        }
    }
    return limit;
}

int usable_threads() {
    int threads = static_cast<int>(allowed_cpus().size());
    if (const auto limit = cgroup_cpu_limit())
        threads = std::min(threads, static_cast<int>(*limit + 0.01));
    return std::max(1, threads);
}

std::string cpu_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const auto colon = line.find(": ");
        if (line.rfind("model name", 0) == 0 && colon != std::string::npos)
            return line.substr(colon + 2);
    }
    return "unknown processor";
}

}  // namespace aureole::device
