// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "md/integrate/dense.kernel.hpp"
#include "md/neighbor/packed.kernel.hpp"
#include "md/placed_engine.hpp"
#include "md/restored_state.hpp"
#include "md/state_blocks.hpp"

// Steps of particles that constraints bind, others place, or baths reach in groups.
namespace aureole::md {

using core::Profile;

namespace {

/// A strain of more than this part in one step is a barostat gone wild.
constexpr double most_strain = 0.1;

/// ω of a body with angular momentum I ω, from Σ m r ⊗ r about its centre; 0 for what has no
/// rotation of its own about some axis, as a line or a point.
Vec3d angular_velocity(const core::Sym3d& second, const Vec3d& angular) {
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

}  // namespace

/// Velocities of rigid groups as the box changes.
template <class Place>
void PlacedEngine<Place>::slow(const Strain& by) {
    if (by.none()) return;
    device::parallel_for(queue_, "slow", topology_.rigid_group_count(),
                         SlowGroups{columns(), topology_.rigid_groups(), by});
}

template <class Place>
void PlacedEngine<Place>::localise() {
    if (of_molecules()) before_.resize(queue_, system_.particles.n);
    topology_.localise();
}

template <class Place>
void PlacedEngine<Place>::construct_sites() {
    if (!sites_) return;
    auto& p = system_.particles;
    sites_->construct(queue_, {system_.box, p.position.view(), p.velocity.view()});
}

template <class Place>
bool PlacedEngine<Place>::constrain(double flight, bool velocities) {
    if (!constraints_) return true;
    const Profile::Scope time(profile_, core::Region::constraints);
    auto& p = system_.particles;
    ConstraintMove move{system_.box, before_.view(), p.position.view(), {}, 1 / flight, false};
    if (velocities) move.velocity = p.velocity.view();
    return constraints_->enqueue(queue_, move);
}

template <class Place>
void PlacedEngine<Place>::constrain_or_throw(double flight, bool velocities) {
    if (constrain(flight, velocities)) return;
    throw core::Error("the constraints cannot be met to shake-tol",
                      "corrections do not converge at step " + std::to_string(system_.step),
                      "Take a shorter step, relax the start, or allow a larger shake-tol.");
}

template <class Place>
void PlacedEngine<Place>::constrain_velocities() {
    if (!constraints_) return;
    const Profile::Scope time(profile_, core::Region::constraints);
    auto& p = system_.particles;
    constraints_->enqueue_velocities(
        queue_, {system_.box, p.position.view(), p.velocity.view(), 1 / system_.motion.dt, false});
}

template <class Place>
void PlacedEngine<Place>::add_noise() {
    auto& p = system_.particles;
    const auto& m = system_.motion;
    std::vector<NoiseOfGroup> noise;
    for (const auto& group : system_.coupling.groups) {
        const double x = group.tau > 0 ? m.dt / group.tau : 0;
        noise.push_back({std::exp(-x), group.kT_at(now()) * -std::expm1(-2 * x)});
    }
    device::copy_from_host(queue_, noise_.view(), noise.data());
    constrain_velocities();  // what the flight left along constraints is no heat
    const double before = motion_sums().twice_kinetic.trace();
    {
        const Profile::Scope time(profile_, core::Region::update);
        device::parallel_for(
            queue_, "noise", p.n,
            Noise{columns(), p.bath.data(), noise_.data(), system_.seed, system_.step});
    }
    constrain_velocities();
    system_.coupled.heat += 0.5 * (motion_sums().twice_kinetic.trace() - before);
}

/// From one set of positions to the next, with constraints met.
template <class Place>
void PlacedEngine<Place>::fly() {
    const auto& m = system_.motion;
    const auto n = system_.particles.n;
    const bool leap = m.scheme == Scheme::leap_frog, noisy = m.scheme == Scheme::stochastic;
    const double kick = leap ? m.dt : 0.5 * m.dt, flight = noisy ? 0.5 * m.dt : m.dt;
    const double farthest = r_cut_ > 0 ? r_cut_ : 1e300;
    {
        const Profile::Scope time(profile_, core::Region::update);
        device::parallel_for(queue_, "kick and drift", n,
                             KickDrift<Place>{columns(), place(), before_.data(), state_.data(),
                                              kick, flight, farthest, m.longest_move});
    }
    constrain_or_throw(flight, true);
    if (!noisy) return;
    add_noise();
    {
        const Profile::Scope time(profile_, core::Region::update);
        device::parallel_for(queue_, "drift", n, Drift{columns(), before_.data(), flight});
    }
    constrain_or_throw(flight, true);
}

/// The strain that the barostat asked for.
template <class Place>
void PlacedEngine<Place>::stretch() {
    auto& state = system_.coupled;
    if (state.pending.none()) return;
    const Profile::Scope time(profile_, core::Region::update);
    const double size = state.pending.size();
    if (!(size < most_strain))
        throw core::Error("the box changes by " + std::to_string(100 * size) + " % in one step",
                          "the barostat has lost its hold at step " + std::to_string(system_.step),
                          "Equilibrate first, or give the barostat a longer time.");
    const auto strain = state.pending;
    device::parallel_for(queue_, "stretch", system_.particles.n,
                         Stretch{columns(), before_.data(), strain});
    slow(state.slow);
    system_.box = strain(system_.box);
    check_room();
    follow(strain);
    state.pending = state.slow = {};
    constrain_or_throw(system_.motion.dt, false);  // lengths went with the box
}

template <class Place>
void PlacedEngine<Place>::advance_molecules(std::int64_t steps) {
    const auto& m = system_.motion;
    const bool leap = m.scheme == Scheme::leap_frog;
    for (std::int64_t k = 0; k < steps; ++k) {
        fly();
        ++system_.step;
        ++statistics_.steps;
        stretch();
        construct_sites();
        {
            const Profile::Scope time(profile_, core::Region::update);
            device::parallel_for(
                queue_, "store", system_.particles.n,
                StoreWatched<Place>{system_.particles.position.data(), system_.particles.tag.data(),
                                    place(), state_.data(), system_.list.exact});
        }
        bool due = list_is_due();
        if (due || looks_at_every_step() || k + 1 == steps) {
            StepState s;
            device::copy_to_host(queue_, &s, state_.view());
            if (s.blown_up != StepState::nobody) report_blow_up(s.blown_up);
            due = due || s.list_outlived != 0;
        }
        if (due) watch_turns(), renew_lists();
        const bool presses = m.coupled && system_.coupling.presses(system_.step);
        core::Sym3d virial{};
        if (presses)
            virial = forces_and_virial();
        else
            compute_forces();
        if (!leap) half_kick(), constrain_velocities();
        couple(presses ? &virial : nullptr);
    }
}

/// A bond that turns far in one step moves too fast for its constraint, or is about to be torn.
template <class Place>
void PlacedEngine<Place>::watch_turns() {
    constexpr std::int64_t every = 50;  // looking costs as much as meeting the constraints
    if (!constraints_ || system_.step < watch_.at + every) return;
    watch_.at = system_.step;
    const Profile::Scope time(profile_, core::Region::constraints);
    const auto found = constraints_->worst_rotation(queue_, system_.box, before_.view(),
                                                    system_.particles.position.view());
    if (found.angle > watch_.turn.angle)
        watch_.turn = {found.tag_a, found.tag_b, found.angle, system_.step};
}

template <class Place>
void PlacedEngine<Place>::save_watch(StateBlocks& to) const {
    put(to, "watch", std::span(&watch_, 1));
}

template <class Place>
void PlacedEngine<Place>::restore_watch(const StateBlocks& from) {
    const auto found = get<TurnWatch>(from, "watch", 1)[0];
    const auto n = system_.particles.n;
    require(found.at <= system_.step && found.turn.tag_a < n && found.turn.tag_b < n, "watch",
            "it is of other particles or of the future");
    watch_ = found;
}

/// What thermostat, barostat and the removal of drift do at the end of a step.
template <class Place>
void PlacedEngine<Place>::couple(const core::Sym3d* virial) {
    auto& s = system_;
    const auto& m = s.motion;
    auto& p = s.particles;
    // Velocities of leap-frog are those that the step before ended with.
    const auto of = s.step - (m.scheme == Scheme::leap_frog ? 1 : 0);
    const bool drift = m.remove_drift_every > 0 && of % m.remove_drift_every == 0;
    const bool heats = m.coupled && s.coupling.heats(of);
    if (!drift && !heats && virial == nullptr) return;
    const Moment now{s.step, m.dt, s.seed};
    Strain at_once;
    if (virial != nullptr) {
        const auto moving = kinetics();
        const auto tail = s.dispersion.at(s.box.volume());
        const double volume = s.box.volume();
        const auto pressure = (1 / volume) * (moving.sums.twice_kinetic + *virial +
                                              moving.constraint_virial + tail.virial);
        // What the box reaches: the centres of groups, with their share of the kinetic energy.
        const double of_centres = 3.0 * static_cast<double>(topology_.rigid_group_count()) - 3;
        const double share = of_centres / std::max(1.0, degrees_of_freedom(s, moving.sums));
        at_once = press(
            s.coupling, s.coupled,
            {pressure, share * moving.sums.twice_kinetic, volume, s.first_volume, of_centres}, now);
    }
    const Profile::Scope time(profile_, core::Region::update);
    if (heats) {
        const auto factors = thermostat_factors(s.coupling, s.coupled, group_sums(columns()), now);
        device::copy_from_host(queue_, factors_.view(), factors.data());
        device::parallel_for(queue_, "thermostat", p.n,
                             ScaleGroups{columns(), p.bath.data(), factors_.data()});
    }
    slow(at_once);
    if (drift) stop_whole();
}

/// Takes off the drift of the whole or of each group, and the rotation where that is wanted.
template <class Place>
void PlacedEngine<Place>::stop_whole() {
    const bool rotation = system_.motion.remove_rotation;
    const auto& group = system_.drift_group;
    if (group.empty()) return rotation ? stop_drift({}, true) : take_off_drift();
    for (int g = 0; g < system_.drift_groups; ++g)
        stop_drift({drift_group_.data(), static_cast<std::uint8_t>(g)}, rotation);
}

template <class Place>
void PlacedEngine<Place>::stop_drift(const Members& of, bool rotation) {
    const auto s = reduced<TurnSums>("turn sums", SumTurn{columns(), of});
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

template class PlacedEngine<Packed<float>>;
template class PlacedEngine<Packed<double>>;
template class PlacedEngine<Dense<float>>;
template class PlacedEngine<Dense<double>>;

}  // namespace aureole::md
