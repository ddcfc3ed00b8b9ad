// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "amr/hydro/numbers.hpp"

namespace aureole::amr {

/// A cell that has left the physical range.
struct BadCell {
    std::int64_t block = -1;  ///< −1: there is none
    int cell = 0;
    int field = 0;  ///< at::density or at::pressure
    double value = 0;
};

/// Where a run is. Steps are made while `running`; each is of length `next_dt`.
struct Clock {
    std::int64_t step = 0, last_step = 0;
    double time = 0, until = 0;
    double rate = 0;             ///< the largest of all cells; see signal_rate() in state.hpp
    double dt = 0, next_dt = 0;  ///< of the last step and of the next one
    bool running = false;
    BadCell bad;  ///< the first of the step that was to be made next; its state is not kept

    /// Plans the next step, if there is to be one. The last ends exactly at `until`.
    AUREOLE_FN void plan(double cfl) {
        running = step < last_step && time < until && bad.block < 0;
        if (!running) return;
        next_dt = smaller(cfl / rate, until - time);
    }
    /// The planned step has been made.
    AUREOLE_FN void tick(double rate_now) {
        dt = next_dt, rate = rate_now;
        time = dt < until - time ? time + dt : until;
        ++step;
    }
};

}  // namespace aureole::amr
