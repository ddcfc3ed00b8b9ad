// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "core/error.hpp"
#include "md/coupling/coupling.hpp"
#include "md/step/stepper.hpp"

// Thermostats, barostats, and the removal of drift.
namespace aureole::md {

template <class Lists>
void Stepper<Lists>::sum_motion(const MotionColumns& moving, MotionSums* to) {
    device::parallel_reduce<MotionSums>(queue_, "motion sums", system_.particles.n, MotionSums{},
                                        SumMotion{moving}, device::Sum{}, to);
    context_.combine_on_device(to);
}

template <class Lists>
void Stepper<Lists>::remove_drift() {
    sum_motion(columns(), motion_sums_.data());
    device::parallel_for(queue_, "drift", 1, FindDrift{motion_sums_.data(), drift_.data()});
    device::parallel_for(queue_, "remove drift", system_.particles.n,
                         RemoveDrift{columns(), drift_.data()});
}

/// Reads the state of the steps back from the device. Throws core::Error for a box that no step can
/// be made in, unless it came of a list that had expired: those steps are made again.
template <class Lists>
StepState Stepper<Lists>::look() {
    const auto seen = context_.look();
    if (rows_were_short()) return seen;
    const auto valid = std::min(seen.expired_at, seen.blown_at);
    if (seen.wild_at != StepState::never && seen.wild_at <= valid)
        throw core::Error(
            "the box changes by " + std::to_string(100 * seen.wild_strain) + " % in one step",
            "the barostat became unstable at step " + std::to_string(seen.wild_at),
            "Equilibrate first, or give the barostat a longer time constant.");
    if (seen.small_at != StepState::never && seen.small_at <= valid)
        throw_no_room(seen.room, seen.small_at);
    if (seen.chain_lost_at != StepState::never && seen.chain_lost_at < valid)
        throw core::Error(
            "the Nose-Hoover chain cannot follow the temperature at step " +
                std::to_string(seen.chain_lost_at),
            "the temperature is so far from its target that the chain's thermostats become too "
            "fast",
            "Start nearer to the target temperature, equilibrate with another thermostat, or give "
            "this one a longer time constant or a chain of length 1.");
    minimum_found_ = seen.fire.converged;
    if (minimises()) system_.motion.dt = seen.fire.dt;
    return seen;
}

/// Scales the velocities of the centres of rigid groups as a barostat changes the box.
template <class Lists>
void Stepper<Lists>::scale_velocities_for_box(const Strain* by) {
    device::parallel_for(queue_, "scale with box", topology_.rigid_group_count(),
                         ScaleGroupVelocities{columns(), topology_.rigid_groups(), by});
    if (auto* const others = topology_.spanning_groups())
        others->scale_velocities(queue_, columns(), by);
}

/// Mesh and lists for the box of the device's state.
template <class Lists>
void Stepper<Lists>::follow_box() {
    context_.box_has_changed();
    if (mesh_) mesh_->box_has_changed();
    if constexpr (Lists::looks_at_every_step)
        lists_.follow(look().barostat.applied);
    else
        lists_.follow();
}

/// Applies the pending strain of the barostat.
template <class Lists>
void Stepper<Lists>::change_box() {
    if (!memory_.strain_pending) return;
    memory_.strain_pending = false;
    const Profile::Scope time(context_.profile, StepRegion::update);
    auto* const state = context_.state();
    device::parallel_for(
        queue_, "stretch", system_.particles.n,
        StrainPositions{columns(), system_.particles.image.data(), context_.before.data(), state});
    if (system_.coupling.barostat.kind == Barostat::c_rescale)
        scale_velocities_for_box(&state->barostat.velocity_strain);
    device::parallel_for(queue_, "change box", 1, ChangeBox{state, context_.r_cut, Lists::flat});
    follow_box();
    constrain_or_throw(system_.motion.dt, false);  // distances were scaled with the box
}

/// The strain of the next step from the pressure of this one.
template <class Lists>
void Stepper<Lists>::apply_barostat() {
    const auto& s = system_;
    find_kinetics(false);
    // The box acts on the centres of groups, with their fraction of the kinetic energy.
    auto groups = s.combine(topology_.rigid_group_count());
    if (const auto* const others = topology_.spanning_groups()) groups += others->size();
    const double of_centres = 3.0 * static_cast<double>(groups) - 3;
    if (topology_.sites) {
        device::copy(queue_, site_virial_.view(), topology_.sites->last_virial());
        context_.combine_on_device(site_virial_.data());
    }
    const double fraction = of_centres / std::max(1.0, context_.dof);
    const BarostatView barostat{s.coupling.barostat, first_course_, s.coupling.start, s.motion.dt,
                                s.seed};
    device::parallel_for(queue_, "strain", 1,
                         FindStrain{barostat, pressure_terms(), s.first_volume, of_centres,
                                    fraction, context_.state()});
    memory_.strain_pending = true;
    system_.coupled.barostat_at = system_.step;
    if constexpr (Lists::looks_at_every_step)
        memory_.strain_pending = !context_.look().barostat.pending.none();
}

/// The first step of a run, which is the end of no step, has a pressure too: the barostat follows
/// it, as in GROMACS.
template <class Lists>
void Stepper<Lists>::begin_coupling() {
    const auto step = system_.step;
    if (system_.coupled.barostat_at == step || !plan_.acts(StageKind::barostat, step)) return;
    enqueue_potential();
    for (const auto& stage : plan_.after_forces())
        if ((stage.kind == StageKind::barostat || stage.kind == StageKind::scale_for_box) &&
            stage.acts(step))
            run(stage);
}

template <class Lists>
PressureTerms Stepper<Lists>::pressure_terms() const {
    const auto* const of_sites = topology_.sites ? site_virial_.data() : nullptr;
    return {terms_.data(),
            pair_terms_,
            all_terms_,
            of_sites,
            kinetic_sums_.data(),
            system_.dispersion,
            system_.tails_of_forces.virial};
}

/// Copies the groups of thermostats to the device, once the degrees of freedom were counted.
template <class Lists>
void Stepper<Lists>::localise_groups() {
    const auto& m = system_.motion;
    std::vector<TemperatureGroup> groups = system_.coupling.groups;
    if (m.thermostat == GlobalThermostat::bussi)
        groups = {{m.kT, m.tau, context_.dof, {}, {}, false}};
    if (m.thermostat == GlobalThermostat::langevin) groups = {{m.kT, 0, 0, {}, {}, false}};
    const auto n = static_cast<std::int64_t>(groups.size());
    if (n == 0) return;
    std::vector<double> points;
    for (const auto& group : groups) {
        points.insert(points.end(), group.times.begin(), group.times.end());
        points.insert(points.end(), group.kTs.begin(), group.kTs.end());
    }
    schedule_ = to_device(queue_, points);
    const double* next = schedule_.data();
    std::vector<ThermostatGroup> localised;
    for (const auto& group : groups) {
        auto schedule = schedule_of(group);
        schedule.times = next, schedule.kTs = next + schedule.points;
        next += 2 * schedule.points;
        localised.push_back({schedule, group.tau, group.dof});
    }
    first_course_ = localised.front().schedule;
    group_ = to_device(queue_, localised);
    auto chains = system_.coupled.chains;
    chains.resize(static_cast<std::size_t>(n) * system_.coupling.chain);
    chains_ = to_device(queue_, chains);
    saved_chains_ = device::Buffer<double>(queue_, chains_.size());
    factors_ = device::Buffer<double>(queue_, n);
    group_energy_ = device::Buffer<double>(queue_, 2 * n);
    noise_ = device::Buffer<NoiseOfGroup>(queue_, n);
    if (m.thermostat != GlobalThermostat::langevin) return;
    const auto noise = langevin();
    const NoiseOfGroup of_all{noise.keep, noise.kT_factor};
    device::copy_from_host(queue_, noise_.view(), &of_all);
}

/// Copies the state of thermostats and barostats back, for checkpoints and observers.
template <class Lists>
void Stepper<Lists>::fetch_couplings() {
    if (!system_.motion.coupled) return;
    context_.look();
    if (system_.coupling.thermostat == Thermostat::none) return;
    system_.coupled.chains.resize(static_cast<std::size_t>(chains_.size()));
    device::copy_to_host(queue_, system_.coupled.chains.data(),
                         device::Input<double>(chains_.view()));
}

template <class Lists>
ThermostatView Stepper<Lists>::thermostat_view() const {
    const auto& m = system_.motion;
    auto view = thermostat_of(system_.coupling, m.dt, system_.seed);
    if (m.thermostat == GlobalThermostat::bussi)
        view.kind = Thermostat::bussi, view.interval = m.thermostat_every * m.dt;
    return view;
}

/// Twice the kinetic energy of each group, on the device.
template <class Lists>
void Stepper<Lists>::sum_groups(const MotionColumns& moving, bool single, double* to) {
    const auto n = system_.particles.n;
    if (single) {
        sum_motion(moving, motion_sums_.data());
        device::parallel_for(queue_, "twice kinetic", 1, TakeTwiceKinetic{motion_sums_.data(), to});
        return;
    }
    for (std::int64_t g = 0; g < group_.size(); ++g)
        device::parallel_reduce<double>(queue_, "group kinetic energy", n, 0.0,
                                        SumGroup{moving, system_.particles.thermostat_group.data(),
                                                 static_cast<std::uint8_t>(g)},
                                        device::Sum{}, to + g);
    context_.combine_on_device(to, group_.size());
}

template <class Lists>
void Stepper<Lists>::thermostat() {
    const Profile::Scope time(context_.profile, StepRegion::update);
    const bool single = system_.motion.thermostat == GlobalThermostat::bussi;
    sum_groups(columns(), single, group_energy_.data());
    device::parallel_for(queue_, "thermostat factors", 1,
                         FindFactors{thermostat_view(), group_.data(),
                                     static_cast<int>(group_.size()), group_energy_.data(),
                                     chains_.data(), context_.state(), !single, factors_.data()});
    device::parallel_for(
        queue_, "thermostat", system_.particles.n,
        ScaleGroups{columns(), single ? nullptr : system_.particles.thermostat_group.data(),
                    factors_.data()});
}

/// Removes the centre-of-mass motion of the system or of each group, and the rotation if wanted.
template <class Lists>
void Stepper<Lists>::stop_whole() {
    const bool rotation = system_.motion.remove_rotation;
    const auto& group = system_.drift_group;
    if (group.empty()) return rotation ? stop_drift({}, true) : remove_drift();
    for (int g = 0; g < system_.drift_groups; ++g)
        stop_drift({drift_group_.data(), static_cast<std::uint8_t>(g)}, rotation);
}

template <class Lists>
void Stepper<Lists>::stop_drift(const Members& of, bool rotation) {
    const auto n = system_.particles.n;
    device::parallel_reduce<RotationSums>(queue_, "rotation sums", n, RotationSums{},
                                          SumRotation{columns(), of}, device::Sum{},
                                          rotation_sums_.data());
    context_.combine_on_device(rotation_sums_.data());
    device::parallel_for(queue_, "common motion", 1,
                         FindCommonMotion{rotation_sums_.data(), rotation, common_motion_.data()});
    device::parallel_for(queue_, "remove rotation", n,
                         RemoveRotation{columns(), of, common_motion_.data()});
}

}  // namespace aureole::md
