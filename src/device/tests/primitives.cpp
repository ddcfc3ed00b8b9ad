// SPDX-License-Identifier: Apache-2.0
#include "device/primitives.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <random>

#include "device/tests/devices.hpp"

namespace aureole::device {
namespace {

class Primitives : public testing::OnDevices {
  protected:
    std::mt19937 random{42};
};

TEST_P(Primitives, ScanWithAndWithoutTotal) {
    for (const std::int64_t n : {0, 1, 2, 1000, 8191, 8192, 100'001}) {
        std::vector<std::int32_t> values(n);
        for (auto& v : values) v = std::int32_t(random() % 100) - 20;
        std::vector<std::int32_t> expected(n + 1, 0);
        std::partial_sum(values.begin(), values.end(), expected.begin() + 1);
        Buffer<std::int32_t> in = upload(values), out(queue, n + 1);
        exclusive_scan(queue, in.view(), out.view());
        EXPECT_EQ(download(out), expected) << n;
        exclusive_scan(queue, in.view(), in.view());
        expected.pop_back();
        EXPECT_EQ(download(in), expected) << n << " in place";
    }
}

TEST_P(Primitives, SortIsStableForEveryKeyRange) {
    for (const std::int64_t n : {0, 1, 2, 100, 4096, 60'000}) {
        for (const std::uint32_t mask :
             {0u, 1u, 0xffu, 0x3ff00u, 0x000fffffu, 0x8000ff00u, 0xffffffffu}) {
            std::vector<std::uint32_t> keys(n);
            for (auto& k : keys) k = std::uint32_t(random()) & mask;
            std::vector<std::int32_t> values(n);
            std::iota(values.begin(), values.end(), 0);
            std::vector<std::int32_t> expected = values;
            std::stable_sort(expected.begin(), expected.end(),
                             [&](auto a, auto b) { return keys[a] < keys[b]; });
            Buffer<std::uint32_t> k = upload(keys);
            Buffer<std::int32_t> v = upload(values);
            sort_by_key(queue, k.view(), v.view(), 32 - std::countl_zero(mask | 1u));
            EXPECT_EQ(download(v), expected) << n << " mask " << mask;
            std::sort(keys.begin(), keys.end());
            EXPECT_EQ(download(k), keys) << n << " mask " << mask;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Devices, Primitives, ::testing::ValuesIn(testing::all_setups()),
                         testing::name_of);

}  // namespace
}  // namespace aureole::device
