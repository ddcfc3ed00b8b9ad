// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace aureole::comm {

/// Work that a rank begins or waits for: told to the other ranks, and named in errors.
enum class Phase : std::uint32_t {
    start,
    call,
    renewal,
    positions,
    forces,
    mesh,
    sums,
    gathering,
    checkpoint,
    callback,
    end,
};

constexpr const char* name_of(Phase phase) {
    switch (phase) {
        case Phase::start:
            return "start";
        case Phase::call:
            return "next call";
        case Phase::renewal:
            return "update of the pair lists";
        case Phase::positions:
            return "exchange of positions";
        case Phase::forces:
            return "exchange of forces";
        case Phase::mesh:
            return "mesh";
        case Phase::sums:
            return "sums over the ranks";
        case Phase::gathering:
            return "gathering of results";
        case Phase::checkpoint:
            return "checkpoint";
        case Phase::callback:
            return "callback";
        case Phase::end:
            return "end";
    }
    return "unknown phase";
}

}  // namespace aureole::comm
