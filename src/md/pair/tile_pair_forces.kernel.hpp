// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/neighbor/site.hpp"
#include "md/neighbor/tile_list.hpp"

namespace aureole::md {

/// Sites of no particles, from n on.
struct SetFillers {
    using device_kernel = void;
    Site<float>* site;
    std::int64_t n;

    AUREOLE_FN void operator()(std::int64_t k) const {
        constexpr auto far = static_cast<float>(filler_coordinate);
        site[n + k] = {far, far, far, 0};
    }
};

}  // namespace aureole::md
