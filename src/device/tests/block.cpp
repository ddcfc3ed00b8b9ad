// SPDX-License-Identifier: Apache-2.0
#include "device/block.hpp"

#include <vector>

#include "device/block_launch.hpp"
#include "device/tests/block_kernels.hpp"
#include "device/tests/devices.hpp"

namespace aureole::device {
namespace {

using Order = host::BlockRun::Order;

class Blocks : public testing::OnDevices {};

TEST_P(Blocks, WaitForEarlierRowsInEveryOrder) {
    constexpr int rows = 7;
    constexpr std::int64_t n = 101;
    for (const auto& run : std::vector<host::BlockRun>{{Order::ascending, 1, 1, 0},
                                                       {Order::ascending, 1, 3, 4},
                                                       {Order::ascending, 4, 2, 5},
                                                       {Order::shuffled, 1, 1, 6},
                                                       {Order::shuffled, 1, 2, 7}})
        for (const int chunks : {1, 3}) {
            Buffer<std::int64_t> value(queue, rows * n);
            Buffer<std::uint32_t> counted(queue, rows);
            Buffer<std::uint64_t> complete(queue, rows);
            fill(queue, value.view(), 0), fill(queue, counted.view(), 0);
            fill(queue, complete.view(), 0);
            block_for(queue, "row after row", {rows, chunks},
                      testing::RowAfterRow{value.view(), counted.view(), complete.view(), n}, run);
            const auto found = download(value);
            for (int row = 0; row < rows; ++row)
                for (std::int64_t i = 0; i < n; ++i)
                    ASSERT_EQ(found[static_cast<std::size_t>(row * n + i)], row + 1)
                        << "row " << row << ", item " << i << ", seed " << run.seed;
        }
}

TEST_P(Blocks, OfNoRowsDoNothing) {
    block_for(queue, "nothing", {0, 3}, testing::RowAfterRow{{}, {}, {}, 5});
    queue.synchronize();
}

INSTANTIATE_TEST_SUITE_P(Devices, Blocks, ::testing::ValuesIn(testing::all_setups()),
                         testing::name_of);

}  // namespace
}  // namespace aureole::device
