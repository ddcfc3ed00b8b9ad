// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace aureole::device {

/// One caller's part of a launch that several share: f(i) for every i in [0, n).
template <class F>
struct Share {
    std::int64_t n;
    F f;
};

}  // namespace aureole::device
