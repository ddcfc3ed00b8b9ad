// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace aureole::device {

/// One of the loops of a launch: f(i) for every i in [0, n).
template <class F>
struct Loop {
    std::int64_t n;
    F f;
};

}  // namespace aureole::device
