// SPDX-License-Identifier: Apache-2.0
#include "device/processor/multiply_adds.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace aureole::device {

TEST(MultiplyAdds, AreCountedOverAllThreads) {
    for (const int threads : {1, 3}) EXPECT_GT(multiply_adds_per_second(threads, 1e-3), 1e6);
}

TEST(MultiplyAdds, NeedThreadsAndTime) {
    EXPECT_THROW(multiply_adds_per_second(0, 0.1), std::invalid_argument);
    EXPECT_THROW(multiply_adds_per_second(1, 0), std::invalid_argument);
    EXPECT_THROW(multiply_adds_per_second(1, -1), std::invalid_argument);
}

}  // namespace aureole::device
