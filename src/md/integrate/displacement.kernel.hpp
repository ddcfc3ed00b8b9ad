// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/atomic.hpp"
#include "md/box/strain.hpp"
#include "md/integrate/motion.kernel.hpp"

// How far each particle may go before a pair list must be renewed. A pair stays listed while both
// are within their own displacement limits, so that fast particles do not widen the list of slow
// ones: a list with limits d_i misses no pair below the cut-off as long as every |r_i(t) − r_i(0)|
// ≤ d_i.
namespace aureole::md {

struct LimitRule {
    double time;          ///< planned lifetime of the list [time]
    double floor;         ///< least limit [length]
    double acceleration;  ///< weight of ½ a t²
    double most;          ///< limit, from the box [length]
    bool uniform;         ///< all particles get `floor` (lists by drift tolerance)

    AUREOLE_FN double limit(const core::Vec3d& v, double a) const {
        if (uniform) return floor;
        const double d = std::sqrt(dot(v, v)) * time + acceleration * 0.5 * a * time * time + floor;
        return d < most ? d : most;
    }
    /// A limit that is enough for all but few particles, whose thermal speed is `speed`.
    double usual(double speed) const {
        constexpr double fast = 3.5;
        return uniform ? floor : std::min(floor + fast * speed * time, most);
    }
};

/// After a search: stores the kernels' coordinates and the outer limits.
template <class KernelLayout>
struct StoreInLayout {
    using device_kernel = typename KernelLayout::device_kernel;
    MotionColumns c;
    KernelLayout layout;
    LimitRule rule;

    AUREOLE_FN void operator()(std::int64_t i) const {
        using T = typename KernelLayout::Number;
        layout.store(i, c.position[i]);
        layout.set_outer_limit(i, static_cast<T>(rule.limit(c.velocity[i], 0)));
        layout.store_acceleration(i, 0);
    }
};

/// Before a pruning: the inner limits. Where the outer list does not cover one, its cluster asks
/// for more, with a margin for later steps.
template <class KernelLayout>
struct RenewLimits {
    using device_kernel = typename KernelLayout::device_kernel;
    MotionColumns c;
    KernelLayout layout;
    StepState* state;
    LimitRule rule;
    Strain strain;     ///< of the box since the search
    double grow, add;  ///< of a limit, for the distance that unlisted pairs may have approached

    AUREOLE_FN void operator()(std::int64_t i) const {
        using T = typename KernelLayout::Number;
        const double want = rule.limit(c.velocity[i], layout.acceleration(i));
        layout.set_limit(i, static_cast<T>(want));
        if (rule.uniform) return;
        // The margin covers rounding of coordinates and squares in single precision.
        const double need =
            1.0001 * (grow * (layout.moved_since_search(i, strain) + want) + add) + 1e-6;
        if (need <= layout.outer_limit(i)) return;
        layout.ask(i, static_cast<float>(need + 0.5 * want));
        core::atomic_or(&state->outer_expired, 1);
    }
};

}  // namespace aureole::md
