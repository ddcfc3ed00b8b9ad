// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace aureole::device {

/// The logical processors in this thread's affinity mask.
std::vector<int> allowed_cpus();

/// The processor time [CPUs] that control groups grant this process, none if unlimited.
/// Reads version 2 (cpu.max) and version 1 (cpu.cfs_quota_us), and every ancestor's limit.
/// `membership` is a file like /proc/self/cgroup, `root` a folder like /sys/fs/cgroup.
std::optional<double> cgroup_cpu_limit(
    const std::filesystem::path& membership = "/proc/self/cgroup",
    const std::filesystem::path& root = "/sys/fs/cgroup");

/// How many threads can run at once: the affinity mask, cut to whole CPUs of the quota, at least 1.
int usable_threads();

/// The processor's name as the system gives it.
std::string cpu_name();

}  // namespace aureole::device
