// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "amr/hydro/numbers.hpp"

namespace aureole::amr {

/// A run ends where a step is shorter than the first one by so much: it would hardly go on.
inline constexpr double most_shortened = 1e6;

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
    double rest = 0;  ///< what the sum of all steps has beyond `time`, the number nearest to it
    double rate = 0;  ///< the largest of all cells; see signal_rate() in state.hpp
    double first_rate = 0;       ///< of the state that was set; 0: steps may be of any length
    double beyond_rate = 0;      ///< the largest of states beyond faces of the box that are fixed
    double dt = 0, next_dt = 0;  ///< of the last step and of the next one
    bool running = false;
    bool stands = false;  ///< the next step is below the rounding of the time, and is not made
    bool shrank = false;  ///< it is far below the first one, and is not made
    BadCell bad;          ///< the first of the step that was to be made next; its state is not kept

    /// Up to `until`.
    AUREOLE_FN double left() const { return (until - time) - rest; }

    /// Plans the next step, if there is to be one. The last ends exactly at `until`.
    AUREOLE_FN void plan(double cfl) {
        running = step < last_step && time < until && bad.block < 0;
        stands = shrank = false;
        if (!running) return;
        const double fastest = larger(rate, beyond_rate), longest = cfl / fastest;
        next_dt = smaller(longest, left());
        stands = time + longest == time;
        shrank = first_rate > 0 && fastest > most_shortened * larger(first_rate, beyond_rate);
        running = !stands && !shrank;
    }
    /// The planned step has been made.
    AUREOLE_FN void tick(double rate_now) {
        dt = next_dt, rate = rate_now;
        if (dt < left())
            add(dt);
        else
            set(until);
        ++step;
    }
    AUREOLE_FN void set(double now) { time = now, rest = 0; }

  private:
    /// Kahan's sum, with the error of an addition by Knuth (The Art of Computer Programming 2,
    /// section 4.2.2): the time does not drift, however many steps are near its rounding.
    AUREOLE_FN void add(double more) {
        more += rest;
        const double sum = time + more, added = sum - time;
        rest = (time - (sum - added)) + (more - added);
        time = sum;
    }
};

}  // namespace aureole::amr
