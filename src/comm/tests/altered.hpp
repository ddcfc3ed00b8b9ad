// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <random>

#include "comm/parcel.hpp"

namespace aureole::comm::testing {

/// Bytes of which the end is missing, every fourth round, or one is another.
inline Bytes altered(Bytes bytes, int round, std::mt19937_64& random) {
    const auto at = random() % bytes.size();
    if (round % 4 == 0)
        bytes.resize(at);
    else
        bytes[at] ^= std::byte(1 + random() % 255);
    return bytes;
}

}  // namespace aureole::comm::testing
