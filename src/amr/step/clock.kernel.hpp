// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "amr/step/clock.hpp"
#include "amr/step/pack_stage.hpp"
#include "device/team.hpp"

namespace aureole::amr {

/// The end of a step: what its sub-grids tell goes into the clock, which plans the next one.
struct TickClock {
    using device_kernel = void;
    const Look* ends;
    std::int64_t blocks;
    Clock* clock;
    double cfl;

    AUREOLE_FN void operator()(device::Team& team, std::int64_t) const {
        const bool running = clock->running;
        double rate = 0;
        std::int64_t bad = 0;  // how many sub-grids follow the first bad one, and itself
        for (std::int64_t block = team.rank(); block < blocks; block += team.size()) {
            rate = larger(rate, ends[block].rate);
            if (ends[block].bad.block >= 0 && blocks - block > bad) bad = blocks - block;
        }
        rate = team.reduce_max(rate);
        bad = team.reduce_max(bad);
        if (team.rank() != 0 || !running) return;
        if (bad > 0)
            clock->bad = ends[blocks - bad].bad;
        else
            clock->tick(rate);
        clock->plan(cfl);
    }
};

}  // namespace aureole::amr
