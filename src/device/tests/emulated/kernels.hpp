// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/gpu/lanes.hpp"
#include "device/team.hpp"
#include "device/view.hpp"
#include "device/wide_team.hpp"

// Kernels that do what no kernel may.
namespace aureole::device::testing {

enum class Mistake { early_return, missed_barrier, much_memory, deep_stack, astray };

/// Calls itself without end, with 1 kB on the stack each time.
[[gnu::noinline]] inline int fall(int depth) {
    volatile char some[1024];
    some[depth % 1024] = static_cast<char>(depth);
    return depth < 0 ? 0 : fall(depth + 1) + some[depth % 1024];
}

template <Mistake mistake>
struct WrongTeam {
    using device_kernel = void;
    View<std::int32_t> out;
    AUREOLE_FN void operator()(Team& team, std::int64_t t) const {
        if (mistake == Mistake::early_return && t == 3 && team.rank() == 5) return;
        if (mistake == Mistake::missed_barrier && t == 3 && team.rank() == 5)
            team.shuffle(1, 0);
        else
            team.sync();
        out[t] = team.reduce_sum(1);
    }
};

template <Mistake mistake>
struct WrongBlock {
    using device_kernel = void;
    View<std::int32_t> out;
    AUREOLE_FN void operator()(WideTeam& team, std::int64_t t) const {
#if AUREOLE_GPU_CODE
        struct Much;
        if (mistake == Mistake::much_memory && core::gpu::in_kernel())
            out[t] = core::gpu::block_memory<Much, 96 << 10>()[0];
#endif
        if (mistake == Mistake::deep_stack) out[t] = fall(0);
        if (mistake == Mistake::astray) out.data[std::int64_t{1} << 40] = 1;
        if (mistake == Mistake::missed_barrier && team.rank() == 40) return;
        team.sync();
        if (team.rank() == 0) out[t] = 1;
    }
};

}  // namespace aureole::device::testing
