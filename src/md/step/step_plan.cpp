// SPDX-License-Identifier: Apache-2.0
#include "md/step/step_plan.hpp"

#include <algorithm>
#include <array>

namespace aureole::md {

namespace {

using namespace data;

constexpr std::array declarations{
    StageDeclaration{"kick", "v += # F/m", velocity | force, velocity, false, false},
    StageDeclaration{"drift", "r += # v", position | velocity, position, false, false},
    StageDeclaration{"noise", "v <- c v + sqrt((1 - c^2) kT/m) R, constraints satisfied", velocity,
                     velocity, false, false},
    StageDeclaration{"FIRE mixing",
                     "v <- (1 - alpha) v + alpha |v| F/|F|, or 0 after an uphill step",
                     velocity | force, velocity, false, false},
    StageDeclaration{"FIRE power", "alpha and dt of the next step from P = F v", velocity | force,
                     0, true, true},
    StageDeclaration{"kick and drift", "v += # F/m, r += @ v", position | velocity | force,
                     position | velocity, false, false},
    StageDeclaration{"kick", "v += # F/m", velocity | force, velocity, false, false},
    StageDeclaration{"move", "kicks and drifts (with the noise, if any) in one kernel",
                     position | velocity | force, position | velocity, false, false},
    StageDeclaration{"constraints", "r and v satisfy the constraints", position | velocity,
                     position | velocity, false, false},
    StageDeclaration{"velocity constraints", "v without its components along the constraints",
                     position | velocity, velocity, false, false},
    StageDeclaration{"", "", position | velocity, position, false, false},
    StageDeclaration{"", "", position | velocity, velocity, false, true},
    StageDeclaration{"", "", position | velocity, 0, false, true},
    StageDeclaration{"constraints", "r satisfies the constraints", position, position, false,
                     false},
    StageDeclaration{"box", "r and v scaled with the box, as set by the barostat",
                     position | velocity, position | velocity | box, false, false},
    StageDeclaration{"virtual sites", "r of virtual sites from their parents", position, position,
                     false, false},
    StageDeclaration{"coordinates", "r passed to the pair kernels, displacements checked", position,
                     0, false, false},
    StageDeclaration{"pair list", "pruned or rebuilt when due", position, 0, true, false},
    StageDeclaration{"forces", "F = -dU/dr", position | box, force, false, false},
    StageDeclaration{"spread forces", "F of virtual sites passed to their parents",
                     position | force, force, false, false},
    StageDeclaration{"barostat", "strain of the box from the pressure", position | velocity | force,
                     0, true, true},
    StageDeclaration{"thermostat", "v of each coupling group scaled", velocity, velocity, true,
                     true},
    StageDeclaration{"barostat on velocities", "v of each rigid group scaled", velocity, velocity,
                     false, true},
    StageDeclaration{"drift removal", "v without the overall motion", velocity, velocity, true,
                     true},
};

bool writes(const PlannedStage& stage, unsigned what) {
    return (declaration(stage.kind).writes & what) != 0;
}

StageKind kind_of(Element element) {
    switch (element) {
        case Element::kick:
            return StageKind::kick;
        case Element::drift:
            return StageKind::drift;
        case Element::noise:
            return StageKind::noise;
        case Element::mix:
            return StageKind::mix;
        case Element::power:
            return StageKind::power;
        case Element::forces:
            return StageKind::forces;
    }
    return StageKind::forces;
}

StageKind kind_of(Changes changes) {
    if (changes == Changes::columns) return StageKind::update_columns;
    return changes == Changes::positions ? StageKind::update_positions
                                         : StageKind::update_velocities;
}

std::string part_of_step(double part) {
    if (part == 1) return "dt";
    return part == 0.5 ? "dt/2" : std::to_string(part) + " dt";
}

}  // namespace

const StageDeclaration& declaration(StageKind kind) {
    return declarations[static_cast<std::size_t>(kind)];
}

StepPlan::StepPlan(const System& system) {
    for (const auto& stage : system.stages) leaves_.push_back(&stage_kind(stage.name));
    add_recipe(system);
    add_leaves(system, StageMoment::end_of_step, after_);
    add_couplings(system);
    fuse(system);
}

/// Positions that a stage has written must satisfy the constraints before anything else happens,
/// and so must velocities that no drift follows. (Noise does that itself, as it counts its
// energy.)
void StepPlan::add_recipe(const System& system) {
    const bool constraints = !system.constraints.empty(), sites = system.sites.n > 0;
    const bool limits = std::ranges::any_of(
        leaves_, [](const auto* leaf) { return leaf->moment == StageMoment::after_kicks; });
    auto* stages = &before_;
    for (const auto& line : recipe_of(system.motion)) {
        if (line.element == Element::forces) {
            add_leaves(system, StageMoment::before_forces, before_);
            if (system.coupling.barostat.kind != Barostat::none && system.motion.coupled)
                before_.push_back({StageKind::change_box});
            if (sites) before_.push_back({StageKind::construct_sites});
            before_.push_back({StageKind::store});
            after_.push_back({StageKind::renew_lists});
            after_.push_back({StageKind::forces});
            if (sites) after_.push_back({StageKind::spread_sites});
            stages = &after_;
            continue;
        }
        PlannedStage stage{kind_of(line.element), line.part};
        const bool kick = stage.kind == StageKind::kick;
        if (kick && stages == &before_ && limits) stage.kind = StageKind::kick_apart;
        stages->push_back(stage);
        if (kick) add_leaves(system, StageMoment::after_kicks, *stages);
        if (!constraints) continue;
        if (writes(stage, position))
            stages->push_back({StageKind::constrain_positions, line.part});
        else if (stages == &after_ && writes(stage, velocity))
            stages->push_back({StageKind::constrain_velocities});
    }
}

/// Stages from leaf files, in the order they were given, and the constraints that they may violate.
void StepPlan::add_leaves(const System& system, StageMoment moment,
                          std::vector<PlannedStage>& stages) {
    for (std::size_t k = 0; k < leaves_.size(); ++k) {
        if (leaves_[k]->moment != moment) continue;
        const auto changes = leaves_[k]->changes;
        PlannedStage stage{kind_of(changes), 1, 1, system.stages[k].every};
        stage.leaf = static_cast<int>(k);
        stages.push_back(stage);
        if (system.constraints.empty() || changes == Changes::columns) continue;
        const bool moved = changes == Changes::positions;
        stages.push_back({moved ? StageKind::settle_positions : StageKind::constrain_velocities, 1,
                          1, stage.every});
    }
}

void StepPlan::add_couplings(const System& system) {
    const auto& m = system.motion;
    const auto& c = system.coupling;
    // Velocities of leap-frog are those that the step before ended with.
    const int behind = m.scheme == Scheme::leap_frog ? 1 : 0;
    const bool barostat = m.coupled && c.barostat.kind != Barostat::none;
    if (barostat) after_.push_back({StageKind::barostat, 1, 1, c.barostat.every});
    if (m.thermostat == GlobalThermostat::bussi)
        after_.push_back({StageKind::thermostat, 1, 1, m.thermostat_every, behind});
    else if (m.coupled && c.thermostat != Thermostat::none)
        after_.push_back({StageKind::thermostat, 1, 1, c.every, behind});
    if (barostat) after_.push_back({StageKind::scale_for_box, 1, 1, c.barostat.every});
    if (m.remove_com_every > 0)
        after_.push_back({StageKind::remove_drift, 1, 1, m.remove_com_every, behind});
}

/// One kernel for a kick and the drift after it; one for all that happens to free particles before
/// their coordinates are stored; and the closing kick with the opening one of the next step.
void StepPlan::fuse(const System& system) {
    const auto scheme = system.motion.scheme;
    const std::size_t first = scheme == Scheme::fire ? 1 : 0, count = before_.size() - first;
    const auto is = [&](std::size_t k, StageKind kind) {
        return k < count && before_[first + k].kind == kind;
    };
    const bool one_thermostat = scheme == Scheme::plain || scheme == Scheme::fire;
    const bool kick_drift = is(0, StageKind::kick) && is(1, StageKind::drift);
    if (!kick_drift) return;
    const bool flight = count == 3 && is(2, StageKind::store) &&
                        (one_thermostat || system.particles.moves.size() == 0);
    const bool noisy_flight = count == 5 && is(2, StageKind::noise) && is(3, StageKind::drift) &&
                              is(4, StageKind::store) && one_thermostat;
    const double kick = before_[first].part, drift = before_[first + 1].part;
    if (system.fuse_stages && (flight || noisy_flight)) {
        before_.resize(first);
        before_.push_back({StageKind::move, kick, drift});
        kick_may_wait_ = after_.size() > 2 && after_[2].kind == StageKind::kick;
        return;
    }
    before_[first + 1] = {StageKind::kick_drift, kick, drift};
    before_.erase(before_.begin() + static_cast<std::ptrdiff_t>(first));
}

bool StepPlan::acts(StageKind kind, std::int64_t step) const {
    return std::ranges::any_of(
        after_, [&](const auto& stage) { return stage.kind == kind && stage.acts(step); });
}

std::string StepPlan::describe() const {
    std::string text;
    int number = 0;
    const auto add = [&](const PlannedStage& stage) {
        const auto& is = declaration(stage.kind);
        const auto* const leaf =
            stage.leaf >= 0 ? leaves_[static_cast<std::size_t>(stage.leaf)] : nullptr;
        std::string formula = leaf != nullptr ? leaf->formula : is.formula;
        const auto fill = [&](char mark, double part) {
            if (const auto at = formula.find(mark); at != std::string::npos)
                formula.replace(at, 1, part_of_step(part));
        };
        fill('#', stage.part), fill('@', stage.drift);
        auto name = std::string(leaf != nullptr ? leaf->name : is.name);
        name.resize(std::max<std::size_t>(name.size(), 24), ' ');
        const auto count = std::to_string(++number);
        text += std::string(count.size() < 2 ? "   " : "  ") + count + "  " + name + formula;
        if (stage.every > 1) text += ", every " + std::to_string(stage.every) + " steps";
        if (is.sums) text += " (sums over all particles)";
        text += "\n";
    };
    for (const auto& stage : before_) add(stage);
    for (const auto& stage : after_) add(stage);
    if (kick_may_wait_)
        text +=
            "The kick at the end of a step is combined with the kick at the start of the next, "
            "unless a stage between them acts.\n";
    return text;
}

}  // namespace aureole::md
