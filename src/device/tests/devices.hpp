// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "device/buffer.hpp"
#include "device/copy.hpp"
#include "device/device.hpp"
#include "device/queue.hpp"

namespace aureole::device::testing {

/// A device to run one test on; every test of the layer runs on all of them.
struct Setup {
    int threads = 1;
    bool hostile = false;
    int team_threads = 1;
    bool gpu = false;
    bool clocked = false;
};

/// Options of a clocked device that is quick enough for tests.
inline constexpr ClockedOptions quick_clock{
    .at_once = 2, .per_launch = 5e-6, .per_item = 1e-9, .per_copy = 5e-6, .per_byte = 1e-10};

inline std::string name(const Setup& s) {
    if (s.gpu) return "gpu";
    return std::string(s.hostile   ? "hostile"
                       : s.clocked ? "clocked"
                                   : "normal") +
           std::to_string(s.threads) + "threads" + std::to_string(s.team_threads) + "lanes";
}
inline std::string name_of(const ::testing::TestParamInfo<Setup>& info) { return name(info.param); }
inline void PrintTo(const Setup& s, std::ostream* out) { *out << name(s); }

inline bool gpu_is_here() {
    for (const DeviceInfo& row : list_devices())
        if (row.name != "host" && row.available) return true;
    return false;
}

inline std::vector<Setup> all_setups() {
    std::vector<Setup> setups{{1, false, 1}, {2, false, 1}, {4, false, 1}, {4, false, 2},
                              {5, false, 4}, {1, true, 1},  {2, true, 2},  {4, true, 4}};
    setups.push_back({.threads = 2, .clocked = true});
    if (gpu_is_here()) setups.push_back({.threads = 1, .team_threads = 32, .gpu = true});
    return setups;
}

inline Device make_device(const Setup& s) {
    if (s.gpu) return Device::gpu(0);
    return Device::host({.threads = s.threads,
                         .pin = false,
                         .hostile = s.hostile,
                         .hostile_seed = 7,
                         .team_threads = s.team_threads,
                         .clocked = s.clocked ? quick_clock : ClockedOptions{}});
}

class OnDevices : public ::testing::TestWithParam<Setup> {
  protected:
    Device device = make_device(GetParam());
    Queue queue{device};

    template <class T>
    Buffer<T> upload(const std::vector<T>& values) {
        Buffer<T> buffer(queue, static_cast<std::int64_t>(values.size()));
        copy_from_host(queue, buffer.view(), values.data());
        return buffer;
    }

    template <class T>
    std::vector<T> download(const Buffer<T>& buffer) {
        std::vector<T> values(buffer.size());
        copy_to_host(queue, values.data(), buffer.view());
        return values;
    }
};

}  // namespace aureole::device::testing

/// For tests of what only host devices do.
#define AUREOLE_HOST_ONLY() \
    if (GetParam().gpu) GTEST_SKIP() << "host devices only"
