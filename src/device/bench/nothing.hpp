// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/macros.hpp"

namespace aureole::device::bench {

/// A kernel of one lane that does nothing.
struct Nothing {
    using device_kernel = void;
    AUREOLE_FN void operator()(std::int64_t) const {}
};

}  // namespace aureole::device::bench
