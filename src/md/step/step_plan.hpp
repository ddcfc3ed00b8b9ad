// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "md/stages/registry.hpp"
#include "md/step/recipe.hpp"

namespace aureole::md {

enum class StageKind {
    kick,
    drift,
    noise,
    mix,         ///< velocities with forces, by FIRE
    power,       ///< of the forces, from which FIRE decides about the next step
    kick_drift,  ///< kick and drift in one kernel
    kick_apart,  ///< the same without a drift: a stage acts before it
    move,        ///< all that a step does to free particles before its forces, in one kernel
    constrain_positions,
    constrain_velocities,
    update_positions,   ///< by a leaf file
    update_velocities,  ///< and so are these
    update_columns,
    settle_positions,
    change_box,
    construct_sites,
    store,
    renew_lists,
    forces,
    spread_sites,
    barostat,
    thermostat,
    scale_for_box,
    remove_drift,
};

/// Data that stages read and write.
namespace data {
inline constexpr unsigned position = 1, velocity = 2, force = 4, box = 8;
}

/// Properties of a kind of stage, and the data that it touches.
struct StageDeclaration {
    const char* name;
    const char* formula;  ///< with `#` for the part of the time step, `@` for the drift's
    unsigned reads, writes;
    bool sums;      ///< over all particles
    bool coupling;  ///< acts on velocities that are those of a whole step
};

const StageDeclaration& declaration(StageKind kind);

/// A stage of a plan.
struct PlannedStage {
    StageKind kind;
    double part = 1;   ///< of the time step
    double drift = 1;  ///< the same of the drift, where a kick comes with one
    int every = 1;     ///< steps
    int offset = 0;    ///< acts where (step − offset) is a multiple of `every`
    int leaf = -1;     ///< of System::stages

    bool acts(std::int64_t step) const { return (step - offset) % every == 0; }
};

/// The order of one step: the integrator's recipe, with the constraints, virtual sites, list checks
/// and couplings that a system needs put in where its stages touch positions and velocities, and
/// with stages fused where that changes no bit.
class StepPlan {
  public:
    StepPlan() = default;
    explicit StepPlan(const System& system);

    /// Stages that lead to a step's positions; the step is counted after them.
    const std::vector<PlannedStage>& before_forces() const { return before_; }
    /// Stages that compute the step's forces, and those that follow.
    const std::vector<PlannedStage>& after_forces() const { return after_; }
    /// The kick that closes a step may wait for the one that opens the next.
    bool kick_may_wait() const { return kick_may_wait_; }
    /// Whether a stage of that kind acts at a step.
    bool acts(StageKind kind, std::int64_t step) const;

    /// The stages, a line each.
    std::string describe() const;

  private:
    void add_recipe(const System& system);
    void add_leaves(const System& system, StageMoment moment, std::vector<PlannedStage>& stages);
    void add_couplings(const System& system);
    void fuse(const System& system);

    std::vector<PlannedStage> before_, after_;
    std::vector<const StageLeaf*> leaves_;
    bool kick_may_wait_ = false;
};

}  // namespace aureole::md
