// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/drift_buffer.hpp"
#include "md/engine.hpp"
#include "md/integrate/reach.kernel.hpp"

namespace aureole::md {

/// Weight of ½ a t² in the inner displacement limit of free particles.
inline constexpr double inner_acceleration_weight = 1.0;

/// Share of clusters that may outgrow their outer reach at one pruning; more call for a search.
inline constexpr double extension_limit = 0.08;

/// Displacement limits that were found best for Lennard-Jones liquids and for water; lifetimes are
/// left to plan().
ListTuning default_tuning(const System& system);

/// What is known when a list is made.
struct ListConditions {
    double r_cut;          ///< largest cut-off
    double thermal_speed;  ///< root mean square of a velocity's component
    double most_reach;     ///< limit from the box
    DriftBuffer* drift;    ///< of molecules whose lists are not exact, or null
};

/// Lives of both lists where the tuning does not fix them: the steps in which a thermal particle
/// flies a given part of the cut-off.
ListTuning plan(const System& system, const ListTuning& tuning, const ListConditions& now);

/// Reaches of the outer and the inner list with lives as planned.
ReachRule outer_rule(const System& system, const ListTuning& planned, const ListConditions& now);
ReachRule inner_rule(const System& system, const ListTuning& planned, const ListConditions& now);

/// Width of the buffer of a list that is not exact and serves so many steps.
double list_width(const System& system, int steps, const ListConditions& now);
/// The steps that the one list of lane kernels serves.
int plan_one_list(const System& system, const ListTuning& tuning, const ListConditions& now);

}  // namespace aureole::md
