// SPDX-License-Identifier: Apache-2.0
#include "device/threads/cpu_limits.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "device/device.hpp"

namespace aureole::device {
namespace {

namespace fs = std::filesystem;

class CgroupLimit : public ::testing::Test {
  protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() /
                  ("aureole_cgroup_" + std::to_string(getpid()) + "_" +
                   ::testing::UnitTest::GetInstance()->current_test_info()->name());
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    void write(const std::string& path, const std::string& text) {
        fs::create_directories((folder_ / path).parent_path());
        std::ofstream(folder_ / path) << text;
    }
    std::optional<double> limit() { return cgroup_cpu_limit(folder_ / "self", folder_ / "fs"); }

    fs::path folder_;
};

TEST_F(CgroupLimit, NoFilesMeansNoLimit) { EXPECT_FALSE(limit().has_value()); }

TEST_F(CgroupLimit, Version2QuotaOfTheGroup) {
    write("self", "0::/job/a\n");
    write("fs/job/a/cpu.max", "150000 100000\n");
    EXPECT_DOUBLE_EQ(limit().value(), 1.5);
}

TEST_F(CgroupLimit, Version2LeastOfAncestors) {
    write("self", "0::/job/a\n");
    write("fs/job/a/cpu.max", "max 100000\n");
    write("fs/job/cpu.max", "300000 100000\n");
    write("fs/cpu.max", "400000 100000\n");
    EXPECT_DOUBLE_EQ(limit().value(), 3.0);
}

TEST_F(CgroupLimit, ContainerThatSeesOnlyItsRoot) {
    write("self", "0::/elsewhere/on/the/host\n");
    write("fs/cpu.max", "200000 100000\n");
    EXPECT_DOUBLE_EQ(limit().value(), 2.0);
}

TEST_F(CgroupLimit, Version1QuotaAndUnlimited) {
    write("self", "3:cpuset:/\n2:cpu,cpuacct:/box\n");
    write("fs/cpu,cpuacct/box/cpu.cfs_quota_us", "50000\n");
    write("fs/cpu,cpuacct/box/cpu.cfs_period_us", "100000\n");
    EXPECT_DOUBLE_EQ(limit().value(), 0.5);
    write("fs/cpu,cpuacct/box/cpu.cfs_quota_us", "-1\n");
    EXPECT_FALSE(limit().has_value());
}

TEST_F(CgroupLimit, NonsenseIsNoLimit) {
    write("self", "garbage\n0::/a\n::\n");
    write("fs/a/cpu.max", "banana 0\n");
    EXPECT_FALSE(limit().has_value());
}

TEST(AllowedCpus, FollowTheAffinityMask) {
    const std::vector<int> before = allowed_cpus();
    ASSERT_FALSE(before.empty());
    EXPECT_GE(usable_threads(), 1);
    EXPECT_LE(usable_threads(), static_cast<int>(before.size()));
    // In a thread of its own, so that the mask of the others stays.
    std::thread([&] {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(before.back(), &one);
        ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
        EXPECT_EQ(allowed_cpus(), std::vector<int>{before.back()});
        EXPECT_EQ(usable_threads(), 1);
        EXPECT_EQ(Device::host().threads().size(), 1);
    }).join();
}

}  // namespace
}  // namespace aureole::device
