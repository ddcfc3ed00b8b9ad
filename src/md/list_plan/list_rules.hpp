// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/integrate/displacement.kernel.hpp"
#include "md/list_plan/drift_buffer.hpp"
#include "md/system/engine.hpp"

namespace aureole::md {

/// Weight of ½ a t² in the inner displacement limit of free particles.
inline constexpr double inner_acceleration_weight = 1.0;

/// Fraction of clusters that may exceed their outer limit at one pruning; beyond it a search is
/// made.
inline constexpr double extension_limit = 0.08;

/// Displacement limits that were found best for Lennard-Jones liquids and for water; lifetimes are
/// left to plan().
ListTuning default_tuning(const System& system);

/// Conditions under which a list is made.
struct ListConditions {
    double r_cut;          ///< largest cut-off
    double thermal_speed;  ///< root mean square of a velocity's component
    double fastest;        ///< the same of the fastest particles, as assumed for tolerance lists
    bool moves;            ///< whether any particle does
    double density;        ///< that particles see around them, as assumed
    double largest_limit;  ///< limit from the box
    DriftBuffer* drift;    ///< of molecules whose lists are not exact, or null
};

/// Lifetimes of both lists where the tuning does not fix them: the steps in which a thermal
/// particle moves by a given fraction of the cut-off.
ListTuning plan(const System& system, const ListTuning& tuning, const ListConditions& now);

/// Displacement limits of the outer and the inner list with the planned lifetimes.
LimitRule outer_rule(const System& system, const ListTuning& planned, const ListConditions& now);
LimitRule inner_rule(const System& system, const ListTuning& planned, const ListConditions& now);

/// The least limit, for particles at rest; parts of the cut-off.
inline constexpr double smallest_limit = 0.002;

/// Width of the outer buffer of tolerance lists with the planned lifetimes, whatever room there is.
double outer_width(const System& system, const ListTuning& planned, const ListConditions& now);
/// Width of the buffer of a tolerance list for so many steps.
double list_width(const System& system, int steps, const ListConditions& now);
/// The lifetime of a flat list [steps].
int plan_one_list(const System& system, const ListTuning& tuning, const ListConditions& now);

}  // namespace aureole::md
