// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "io/state_blocks.hpp"
#include "md/checkpoint/state_members.hpp"
#include "md/system/engine.hpp"

namespace aureole::md {

using io::get;
using io::put;
using io::refuse_block;

/// Tags. Earlier versions wrote 32-bit ones, in a block of another name.
inline std::vector<Tag> get_tags(const StateBlocks& from, const std::string& name,
                                 const std::string& narrow) {
    if (from.contains(name)) return get<Tag>(from, name);
    const auto tags = get<std::int32_t>(from, narrow);
    return {tags.begin(), tags.end()};
}

}  // namespace aureole::md
