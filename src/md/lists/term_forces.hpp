// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/lanes.kernel.hpp"
#include "md/pair/excluded_forces.kernel.hpp"

namespace aureole::md {

/// Forces of bonded terms, and behind them those between excluded partners: a lane each.
template <class Kinds>
struct TermsAndExcluded {
    using device_kernel = void;
    TermForces<float, Kinds> terms;
    ExcludedJob excluded;
    std::int64_t first;  ///< lane of excluded partners

    AUREOLE_FN void operator()(std::int64_t lane) const {
        if (lane < first)
            terms(lane);
        else
            excluded.add(lane - first);
    }
};

/// Adds them, in one launch on any device; from the generated unit of all kinds of terms.
void add_term_forces(device::Queue& queue, const TermJob<float>& job, const ExcludedJob& excluded);
void add_term_forces(device::Queue& queue, const TermJob<double>& job, const ExcludedJob& none);

}  // namespace aureole::md
