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

/// ω of a body with angular momentum I ω, from Σ m r ⊗ r about its centre; 0 for what has no
/// rotation of its own about some axis, as a line or a point.
inline Vec3d angular_velocity(const core::Sym3d& second, const Vec3d& angular) {
    const double trace = second.trace();
    const double xx = trace - second.xx, yy = trace - second.yy, zz = trace - second.zz;
    const double xy = -second.xy, xz = -second.xz, yz = -second.yz;
    const double a = yy * zz - yz * yz, b = xz * yz - xy * zz, c = xy * yz - xz * yy;
    const double determinant = xx * a + xy * b + xz * c;
    if (!(determinant > 1e-9 * trace * trace * trace)) return {};
    const double d = xx * zz - xz * xz, e = xy * xz - xx * yz, f = xx * yy - xy * xy;
    return (1 / determinant) * Vec3d{a * angular.x + b * angular.y + c * angular.z,
                                     b * angular.x + d * angular.y + e * angular.z,
                                     c * angular.x + e * angular.y + f * angular.z};
}

/// Rescales by what `find` makes of the sums over motion, without a look from the host.
template <class Lists>
template <class Find>
void Stepper<Lists>::rescale(const char* name, const Find& find) {
    const auto n = system_.particles.n;
    device::parallel_reduce<MotionSums>(queue_, "motion sums", n, MotionSums{},
                                        SumMotion{columns()}, device::Sum{}, motion_sums_.data());
    device::parallel_for(queue_, name, 1, find);
    device::parallel_for(queue_, "rescale", n, RescaleBy{columns(), rescaling_.data()});
}

template <class Lists>
void Stepper<Lists>::remove_drift() {
    rescale("drift", FindDrift{motion_sums_.data(), rescaling_.data()});
}

/// Velocities of rigid groups as the box changes.
template <class Lists>
void Stepper<Lists>::scale_velocities_for_box(const Strain& by) {
    if (by.none()) return;
    device::parallel_for(queue_, "scale for box", context_.rigid_group_count(),
                         SlowGroups{columns(), context_.rigid_groups(), by});
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
    const double of_centres = 3.0 * static_cast<double>(context_.rigid_group_count()) - 3;
    const double share = of_centres / std::max(1.0, degrees_of_freedom(s, moving.sums));
    at_once_ =
        md::press(s.coupling, s.coupled,
                  {pressure, share * moving.sums.twice_kinetic, volume, s.first_volume, of_centres},
                  {s.step, s.motion.dt, s.seed});
}

template <class Lists>
void Stepper<Lists>::thermostat() {
    auto& s = system_;
    const auto& m = s.motion;
    const Profile::Scope time(context_.profile, core::Region::update);
    if (m.bath == Bath::bussi)
        return rescale("Bussi factor",
                       DrawBussi{motion_sums_.data(), context_.state.data(), context_.dof, m.kT,
                                 m.bath_every * m.dt / m.tau, s.seed, rescaling_.data()});
    const auto factors =
        thermostat_factors(s.coupling, s.coupled, group_sums(columns()), {s.step, m.dt, s.seed});
    device::copy_from_host(queue_, factors_.view(), factors.data());
    device::parallel_for(queue_, "thermostat", s.particles.n,
                         ScaleGroups{columns(), s.particles.bath.data(), factors_.data()});
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
    const auto s = context_.template reduced<TurnSums>("turn sums", SumTurn{columns(), of});
    if (s.mass == 0) return;
    const auto centre = (1 / s.mass) * s.moment, common = (1 / s.mass) * s.momentum;
    Vec3d turn{};
    if (rotation) {
        const auto second = s.second + (-1.0) * core::outer(s.mass, centre);
        turn = angular_velocity(second, s.angular - cross(centre, s.momentum));
    }
    device::parallel_for(queue_, "stop turn", system_.particles.n,
                         StopTurn{columns(), of, centre, common, turn});
}

}  // namespace aureole::md
