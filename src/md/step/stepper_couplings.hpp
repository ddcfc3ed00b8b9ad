// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "core/error.hpp"
#include "md/coupling/coupling.hpp"
#include "md/step/stepper.hpp"

// Thermostats, barostats, and the removal of drift.
namespace aureole::md {

using core::Profile;

/// A strain of more than this part in one step is a barostat gone wild.
inline constexpr double most_strain = 0.1;

template <class Lists>
void Stepper<Lists>::sum_motion(MotionSums* to) {
    device::parallel_reduce<MotionSums>(queue_, "motion sums", system_.particles.n, MotionSums{},
                                        SumMotion{columns()}, device::Sum{}, to);
}

template <class Lists>
void Stepper<Lists>::remove_drift() {
    sum_motion(motion_sums_.data());
    device::parallel_for(queue_, "drift", 1, FindDrift{motion_sums_.data(), drift_.data()});
    device::parallel_for(queue_, "remove drift", system_.particles.n,
                         TakeOffDrift{columns(), drift_.data()});
}

/// Velocities of rigid groups as the box changes.
template <class Lists>
void Stepper<Lists>::scale_velocities_for_box(const Strain& by) {
    if (by.none()) return;
    device::parallel_for(queue_, "scale for box", topology_.rigid_group_count(),
                         SlowGroups{columns(), topology_.rigid_groups(), by});
}

/// The strain that the barostat asked for.
template <class Lists>
void Stepper<Lists>::change_box() {
    auto& state = system_.coupled;
    if (state.pending.none()) return;
    const Profile::Scope time(context_.profile, core::Region::update);
    const double size = state.pending.size();
    const auto step = system_.step + 1;  // it is counted when its positions are final
    if (!(size < most_strain))
        throw core::Error("the box changes by " + std::to_string(100 * size) + " % in one step",
                          "the barostat has lost its hold at step " + std::to_string(step),
                          "Equilibrate first, or give the barostat a longer time.");
    const auto strain = state.pending;
    device::parallel_for(queue_, "stretch", system_.particles.n,
                         Stretch{columns(), context_.before.data(), strain});
    scale_velocities_for_box(state.slow);
    system_.box = strain(system_.box);
    check_room(system_, context_.r_cut, Lists::lanes, step);
    lists_.follow(strain);
    state.pending = state.slow = {};
    constrain_or_throw(system_.motion.dt, false);  // lengths went with the box
}

/// The strain of the next step from the pressure of this one.
template <class Lists>
void Stepper<Lists>::press() {
    auto& s = system_;
    const auto moving = kinetics();
    const auto tail = s.dispersion.at(s.box.volume());
    const double volume = s.box.volume();
    const auto pressure = (1 / volume) * (moving.sums.twice_kinetic + virial_ +
                                          moving.constraint_virial + tail.virial);
    // What the box reaches: the centres of groups, with their share of the kinetic energy.
    const double of_centres = 3.0 * static_cast<double>(topology_.rigid_group_count()) - 3;
    const double share = of_centres / std::max(1.0, degrees_of_freedom(s, moving.sums));
    at_once_ =
        md::press(s.coupling, s.coupled,
                  {pressure, share * moving.sums.twice_kinetic, volume, s.first_volume, of_centres},
                  {s.step, s.motion.dt, s.seed});
}

/// Temperatures and relaxation times to the device; after the degrees of freedom were counted.
template <class Lists>
void Stepper<Lists>::place_groups() {
    const auto& m = system_.motion;
    std::vector<BathGroup> groups = system_.coupling.groups;
    if (m.bath == Bath::bussi) groups = {{m.kT, m.tau, context_.dof, {}, {}, false}};
    if (m.bath == Bath::langevin) groups = {{m.kT, 0, 0, {}, {}, false}};
    const auto n = static_cast<std::int64_t>(groups.size());
    if (n == 0) return;
    std::vector<double> points;
    for (const auto& group : groups) {
        points.insert(points.end(), group.times.begin(), group.times.end());
        points.insert(points.end(), group.kTs.begin(), group.kTs.end());
    }
    course_ = to_device(queue_, points);
    const double* next = course_.data();
    std::vector<ThermostatGroup> placed;
    for (const auto& group : groups) {
        auto course = course_of(group);
        course.times = next, course.kTs = next + course.points;
        next += 2 * course.points;
        placed.push_back({course, group.tau, group.dof});
    }
    group_ = to_device(queue_, placed);
    auto chains = system_.coupled.chains;
    chains.resize(static_cast<std::size_t>(n) * system_.coupling.chain);
    chains_ = to_device(queue_, chains);
    saved_chains_ = device::Buffer<double>(queue_, chains_.size());
    factors_ = device::Buffer<double>(queue_, n);
    group_energy_ = device::Buffer<double>(queue_, n);
    noise_ = device::Buffer<NoiseOfGroup>(queue_, n);
    if (m.bath != Bath::langevin) return;
    const auto noise = langevin();
    const NoiseOfGroup of_all{noise.keep, noise.kT_factor};
    device::copy_from_host(queue_, noise_.view(), &of_all);
}

/// What thermostats hold on the device, for whoever asks after a run.
template <class Lists>
void Stepper<Lists>::fetch_thermostats() {
    const auto& m = system_.motion;
    if (!m.coupled || system_.coupling.groups.empty()) return;
    system_.coupled.heat = context_.look().heat;
    if (system_.coupling.thermostat == Thermostat::none) return;
    system_.coupled.chains.resize(static_cast<std::size_t>(chains_.size()));
    device::copy_to_host(queue_, system_.coupled.chains.data(),
                         device::Input<double>(chains_.view()));
}

template <class Lists>
ThermostatView Stepper<Lists>::thermostat_view() const {
    const auto& m = system_.motion;
    auto view = thermostat_of(system_.coupling, m.dt, system_.seed);
    if (m.bath == Bath::bussi) view.kind = Thermostat::bussi, view.interval = m.bath_every * m.dt;
    return view;
}

/// Twice the kinetic energy of each group, on the device.
template <class Lists>
void Stepper<Lists>::sum_groups(const MotionColumns& moving, bool single) {
    const auto n = system_.particles.n;
    if (single) {
        sum_motion(motion_sums_.data());
        device::parallel_for(queue_, "twice kinetic", 1,
                             TakeTwiceKinetic{motion_sums_.data(), group_energy_.data()});
        return;
    }
    for (std::int64_t g = 0; g < group_energy_.size(); ++g)
        device::parallel_reduce<double>(
            queue_, "sum of group", n, 0.0,
            SumGroup{moving, system_.particles.bath.data(), static_cast<std::uint8_t>(g)},
            device::Sum{}, group_energy_.data() + g);
}

template <class Lists>
void Stepper<Lists>::thermostat() {
    const Profile::Scope time(context_.profile, core::Region::update);
    const bool single = system_.motion.bath == Bath::bussi;
    sum_groups(columns(), single);
    device::parallel_for(
        queue_, "thermostat factors", 1,
        FindFactors{thermostat_view(), group_.data(), static_cast<int>(group_.size()),
                    group_energy_.data(), chains_.data(), context_.state.data(), !single,
                    factors_.data()});
    device::parallel_for(
        queue_, "thermostat", system_.particles.n,
        ScaleGroups{columns(), single ? nullptr : system_.particles.bath.data(), factors_.data()});
}

/// Takes off the drift of the whole or of each group, and the rotation where that is wanted.
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
    device::parallel_reduce<TurnSums>(queue_, "turn sums", n, TurnSums{}, SumTurn{columns(), of},
                                      device::Sum{}, turn_sums_.data());
    device::parallel_for(queue_, "common motion", 1,
                         FindCommonMotion{turn_sums_.data(), rotation, common_motion_.data()});
    device::parallel_for(queue_, "stop turn", n, StopTurn{columns(), of, common_motion_.data()});
}

}  // namespace aureole::md
