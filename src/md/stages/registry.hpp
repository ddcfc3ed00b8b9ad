// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "device/launch.hpp"
#include "md/stages/stage.hpp"

namespace aureole::md {

using StageLaunch = void (*)(device::Queue&, std::int64_t n, const StageView&);

/// A kind of stage as the rest of the program sees it, made from its leaf file.
struct StageLeaf {
    const char* name;
    const char* words;
    const char* formula;  ///< what it does, in a line
    std::span<const Parameter> parameters;
    std::span<const ColumnUse> columns;
    StageMoment moment;
    Changes changes;
    const char* no_constraints;  ///< why it is wrong for particles that constraints hold, or null

    /// The problem with the parameters, in words, or null.
    const char* (*problem)(const double* parameters);
    StageLaunch launch;
};

/// All kinds of stages, in the order of their file names.
std::span<const StageLeaf> stage_kinds();
/// Throws core::InputError for a name that no leaf file has.
const StageLeaf& stage_kind(std::string_view name);

/// The launch of one kind, as the generated unit of its leaf file registers it.
template <class P>
void launch_stage(device::Queue& queue, std::int64_t n, const StageView& view) {
    device::parallel_for(queue, "stage", n, UpdateParticle<P>{view});
}

template <class P>
StageLeaf make_stage(const char* name, StageLaunch launch) {
    static_assert(parameter_count<P> <= most_stage_coefficients);
    static_assert(
        changes_of<P>() != Changes::positions || moment_of<P>() == StageMoment::before_forces,
        "positions that change after the forces do not fit them");
    static_assert(
        changes_of<P>() == Changes::velocities || moment_of<P>() != StageMoment::after_kicks,
        "what follows a kick changes velocities");
    static constexpr auto columns = column_uses<P>();
    StageLeaf s{};
    s.name = name, s.words = P::words, s.formula = P::formula;
    s.parameters = P::parameters, s.columns = columns;
    s.moment = moment_of<P>(), s.changes = changes_of<P>();
    if constexpr (requires { P::no_constraints; }) s.no_constraints = P::no_constraints;
    s.problem = [](const double* from) -> const char* {
        if constexpr (requires { P::problem(parameters_of<P>(from)); })
            return P::problem(parameters_of<P>(from));
        else
            return nullptr;
    };
    s.launch = launch;
    return s;
}

}  // namespace aureole::md
