// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <sstream>

#include "core/error.hpp"
#include "md/integrate/constraints/molecule_slots.kernel.hpp"
#include "md/integrate/move_launch.hpp"
#include "md/step/stepper.hpp"

// The stages.
namespace aureole::md {

template <class Lists>
void Stepper<Lists>::kick(double part) {
    const Profile::Scope time(context_.profile, StepRegion::update);
    launch_motion("kick", HalfKick<KernelLayout>{columns(), lists_.layout(), part});
}

template <class Lists>
void Stepper<Lists>::drift(double part) {
    const Profile::Scope time(context_.profile, StepRegion::update);
    context_.before.resize(queue_, system_.particles.n);
    device::parallel_for(queue_, "drift", system_.particles.n,
                         Drift{columns(), context_.before.data(), part * system_.motion.dt});
}

/// A longer move in one step is a blow-up.
template <class Lists>
double Stepper<Lists>::farthest_move() const {
    return context_.r_cut > 0 ? context_.r_cut : 1e300;
}

template <class Lists>
KickDrift<typename Lists::KernelLayout> Stepper<Lists>::kick_drift(double kick, double flight) {
    context_.before.resize(queue_, system_.particles.n);
    return {columns(), lists_.layout(), context_.before.data(), context_.state(),
            kick,      flight,          farthest_move(),        system_.motion.longest_move};
}

template <class Lists>
void Stepper<Lists>::kick_and_drift(double kick, double flight) {
    const Profile::Scope time(context_.profile, StepRegion::update);
    launch_motion("kick and drift", kick_drift(kick, flight));
}

/// Where a kick with a drift comes first and constraints of molecules second, on devices one launch
/// makes both, and stores the coordinates if these are final then. Returns how many stages that
/// were, or 0 if they have to be made one by one.
template <class Lists>
std::size_t Stepper<Lists>::move_molecules(std::span<const PlannedStage> stages) {
    if constexpr (Lists::flat) {
        const bool alone = system_.fuse_stages && system_.domain == nullptr && !minimises();
        if (!alone || !topology_.constraints || stages.size() < 3) return 0;
        auto& constraints = topology_.constraints->here();
        const auto* const molecules = constraints.molecules();
        if (molecules == nullptr || stages[0].kind != StageKind::kick_drift ||
            stages[1].kind != StageKind::constrain_positions)
            return 0;
        const bool box = stages[2].kind == StageKind::change_box && memory_.strain_pending;
        const std::size_t next = stages[2].kind == StageKind::change_box ? 3 : 2;
        const bool final =
            !constraints.has_coupled() && !box && stages[next].kind == StageKind::store;
        const Profile::Scope time(context_.profile, StepRegion::update);
        auto kick = kick_drift(stages[0].part, stages[0].drift);
        kick.scale_times(system_.motion.dt);
        const auto move = constraint_move(stages[1].part * system_.motion.dt, true);
        device::parallel_for(
            queue_, "move molecules", molecules->lanes(),
            MoveMolecules<KernelLayout>{*molecules, kick, constraints.pass_of(move), storing(true),
                                        final});
        if (constraints.has_coupled()) constraints.enqueue_coupled(queue_, move);
        step_counted_ = final;
        return final ? next + 1 : 2;
    }
    return 0;
}

template <class Lists>
LangevinThermostat Stepper<Lists>::langevin() const {
    const auto& m = system_.motion;
    return {std::exp(-m.gamma * m.dt), m.kT * -std::expm1(-2 * m.gamma * m.dt), system_.seed};
}

template <class Lists>
void Stepper<Lists>::move(double kick) {
    const Profile::Scope time(context_.profile, StepRegion::update);
    const auto& m = system_.motion;
    const auto moved_by = [&]<class Noise>(const Noise& noise) {
        return Move<KernelLayout, Noise>{columns(),
                                         lists_.layout(),
                                         context_.state(),
                                         noise,
                                         1,
                                         kick,
                                         farthest_move(),
                                         m.longest_move,
                                         memory_.kick_pending,
                                         system_.list.exact};
    };
    const auto with = [&](auto noise) {
        auto kernel = moved_by(noise);
        kernel.scale_times(m.dt);
        launch_move(queue_, system_.particles.n, kernel);
    };
    if (minimises())
        launch_motion("move", moved_by(NoThermostat{}));
    else if (m.thermostat == GlobalThermostat::langevin)
        with(langevin());
    else
        with(NoThermostat{});
    memory_.kick_pending = false;
    step_counted_ = KernelLayout::counts_steps && !minimises() && system_.particles.n > 0;
}

template <class Lists>
StoreAndCheck<typename Lists::KernelLayout> Stepper<Lists>::storing(bool counts) {
    const auto& p = system_.particles;
    return {p.position.data(), p.tag.data(),       lists_.layout(),
            context_.state(),  system_.list.exact, counts};
}

/// The kernels' coordinates of positions that are final.
template <class Lists>
void Stepper<Lists>::store() {
    const Profile::Scope time(context_.profile, StepRegion::update);
    device::parallel_for(queue_, "store", system_.particles.n, storing(true));
    step_counted_ = KernelLayout::counts_steps && system_.particles.n > 0;
}

/// A stage from a leaf file.
template <class Lists>
void Stepper<Lists>::update(const PlannedStage& stage) {
    const Profile::Scope time(context_.profile, StepRegion::update);
    if (stage.kind == StageKind::update_positions)
        device::copy(queue_, context_.before.view(),
                     device::Input<Vec3d>(system_.particles.position.view()));
    leaf_stages_.run(stage.leaf, {columns(), context_.state(), system_.coupling.start,
                                  system_.motion.dt, system_.seed});
}

template <class Lists>
ConstraintMove Stepper<Lists>::constraint_move(double flight, bool velocities) {
    auto& p = system_.particles;
    ConstraintMove move{context_.box(), context_.before.view(), p.position.view(), {}, 1 / flight,
                        false,          unsatisfied()};
    if (velocities) move.velocity = p.velocity.view();
    return move;
}

template <class Lists>
bool Stepper<Lists>::constrain(double flight, bool velocities) {
    if (!topology_.constraints) return true;
    const Profile::Scope time(context_.profile, StepRegion::constraints);
    return topology_.constraints->enqueue(queue_, constraint_move(flight, velocities));
}

template <class Lists>
void Stepper<Lists>::constrain_or_throw(double flight, bool velocities) {
    if (!constrain(flight, velocities)) throw_unsatisfied();
}

/// Where a segment finds that constraints did not converge, or null where the host may wait.
template <class Lists>
std::uint32_t* Stepper<Lists>::unsatisfied() {
    return in_segment_ && !looks_at_every_step() ? &context_.state()->unsatisfied : nullptr;
}

template <class Lists>
void Stepper<Lists>::throw_unsatisfied() {
    const auto worst = topology_.constraints->worst_length(queue_, context_.box(),
                                                           system_.particles.position.view());
    std::ostringstream why;
    why << "the corrections do not converge at step " << system_.step
        << ", where the distance between particles " << worst.tag_a << " and " << worst.tag_b
        << " has a relative error of " << worst.deviation
        << remark_on_rings(system_.constraints, worst.tag_a);
    throw core::Error("the constraints cannot be satisfied to shake-tol", why.str(),
                      "Use a shorter time step, relax the start, or allow a larger shake-tol.");
}

template <class Lists>
void Stepper<Lists>::constrain_velocities() {
    if (!topology_.constraints) return;
    const Profile::Scope time(context_.profile, StepRegion::constraints);
    auto& p = system_.particles;
    topology_.constraints->enqueue_velocities(
        queue_, {context_.box(), p.position.view(), p.velocity.view(), 1 / system_.motion.dt, false,
                 unsatisfied()});
}

/// Adds noise, with constraints satisfied before and after it, so that velocities that the drift
/// left along constraints do not count as energy of the thermostat.
template <class Lists>
void Stepper<Lists>::add_noise() {
    auto& p = system_.particles;
    const bool single = system_.motion.thermostat == GlobalThermostat::langevin;
    if (!single)
        device::parallel_for(
            queue_, "find noise", group_.size(),
            FindNoise{thermostat_view(), group_.data(), context_.state(), noise_.data()});
    constrain_velocities();
    if (!single) sum_motion(columns(), motion_sums_.data());
    {
        const Profile::Scope time(context_.profile, StepRegion::update);
        launch_noise(queue_, p.n,
                     Noise{columns(), single ? nullptr : p.thermostat_group.data(), noise_.data(),
                           system_.seed, context_.state()});
    }
    constrain_velocities();
    if (single) return;
    sum_motion(columns(), motion_sums_.data() + 1);
    device::parallel_for(
        queue_, "heat", 1,
        CountNoiseEnergy{motion_sums_.data(), motion_sums_.data() + 1, context_.state()});
}

/// A large rotation of a bond in one step means that it moves too fast for its constraint, or that
/// the run is about to blow up.
template <class Lists>
void Stepper<Lists>::check_rotations() {
    constexpr std::int64_t every = 50;  // reading back costs as much as the constraints
    if (!topology_.constraints || system_.step < watch_.at + every) return;
    watch_.at = system_.step;
    const Profile::Scope time(context_.profile, StepRegion::constraints);
    const auto found = topology_.constraints->worst_rotation(
        queue_, system_.box, context_.before.view(), system_.particles.position.view());
    if (found.angle > watch_.turn.angle)
        watch_.turn = {found.tag_a, found.tag_b, found.angle, system_.step};
}

}  // namespace aureole::md
