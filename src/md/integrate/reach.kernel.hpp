// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "core/atomic.hpp"
#include "md/integrate/motion.kernel.hpp"
#include "md/strain.hpp"

// How far each particle may go before a pair list must be renewed. A pair stays listed while both
// are within their own reach, so that fast particles do not widen the list of slow ones: a list
// with reaches d_i misses no pair below the cut-off as long as every |r_i(t) − r_i(0)| ≤ d_i.
namespace aureole::md {

struct ReachRule {
    double time;          ///< planned life of the list [time]
    double floor;         ///< least reach [length]
    double acceleration;  ///< weight of ½ a t²
    double most;          ///< limit, from the box [length]
    bool uniform;         ///< all particles get `floor` (lists by drift tolerance)

    AUREOLE_FN double reach(const core::Vec3d& v, double a) const {
        if (uniform) return floor;
        const double d = std::sqrt(dot(v, v)) * time + acceleration * 0.5 * a * time * time + floor;
        return d < most ? d : most;
    }
};

/// After a search has placed the particles: the kernels' coordinates and the outer reaches.
template <class Place>
struct PlaceAll {
    using device_kernel = typename Place::device_kernel;
    MotionColumns c;
    Place place;
    ReachRule rule;

    AUREOLE_FN void operator()(std::int64_t i) const {
        using T = decltype(place.read_force(i).x);
        place.store(i, c.position[i]);
        place.set_outer_reach(i, static_cast<T>(rule.reach(c.velocity[i], 0)));
        place.store_acceleration(i, 0);
    }
};

/// Before a pruning: the inner reaches. Where the outer list does not cover one, its cluster asks
/// for more, and some on top for the time to come.
template <class Place>
struct RenewReach {
    using device_kernel = typename Place::device_kernel;
    MotionColumns c;
    Place place;
    StepState* state;
    ReachRule rule;
    Strain strain;     ///< of the box since the search
    double grow, add;  ///< of a reach, for what pairs beyond it may have come nearer by

    AUREOLE_FN void operator()(std::int64_t i) const {
        using T = decltype(place.read_force(i).x);
        const double want = rule.reach(c.velocity[i], place.acceleration(i));
        place.set_reach(i, static_cast<T>(want));
        if (rule.uniform) return;
        // The margin covers rounding of coordinates and squares in single precision.
        const double need =
            1.0001 * (grow * (place.moved_since_search(i, strain) + want) + add) + 1e-6;
        if (need <= place.outer_reach(i)) return;
        place.ask(i, static_cast<float>(need + 0.5 * want));
        core::atomic_or(&state->outer_outlived, 1);
    }
};

}  // namespace aureole::md
