// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/error.hpp"
#include "device/copy.hpp"
#include "device/launch.hpp"
#include "device/reduce_ops.hpp"
#include "md/cluster_engine.hpp"
#include "md/integrate/constraints/packed_groups.hpp"
#include "md/integrate/molecules.kernel.hpp"
#include "md/integrate/update_groups.hpp"

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

template <class T>
bool ClusterEngine<T>::of_molecules() const {
    return system_.motion.scheme != Scheme::plain || constraints_ || sites_;
}

template <class T>
void ClusterEngine<T>::make_molecules() {
    const auto& s = system_;
    if (s.constraints.settle.size() + s.constraints.constraint.size() > 0)
        constraints_.emplace(queue_, s.constraints);
    if (s.sites.n > 0) sites_.emplace(queue_, s.sites);
    if (!s.coupling.groups.empty()) {
        factors_ =
            device::Buffer<double>(queue_, static_cast<std::int64_t>(s.coupling.groups.size()));
        noise_ = device::Buffer<NoiseOfGroup>(queue_, factors_.size());
    }
    if (s.coupling.barostat.kind == Barostat::none) return;
    const auto n = static_cast<std::size_t>(s.particles.n);
    std::vector<std::int32_t> group(n);
    if (constraints_ || sites_) {
        auto sites = s.sites;
        sites.n = s.particles.n;
        auto constraints = s.constraints;
        constraints.mass.resize(n, 1.0);
        group = update_groups(constraints, sites, std::numeric_limits<int>::max());
    } else {
        std::iota(group.begin(), group.end(), 0);
    }
    std::vector<std::int64_t> start(2, 0);  // counts, shifted by two until the tags are in place
    for (const auto g : group) {
        if (start.size() < static_cast<std::size_t>(g) + 3)
            start.resize(static_cast<std::size_t>(g) + 3);
        ++start[static_cast<std::size_t>(g) + 2];
    }
    for (std::size_t k = 1; k < start.size(); ++k) start[k] += start[k - 1];
    std::vector<std::int32_t> tags(n);
    for (std::size_t i = 0; i < n; ++i)
        tags[static_cast<std::size_t>(start[static_cast<std::size_t>(group[i]) + 1]++)] =
            static_cast<std::int32_t>(i);
    start.pop_back();
    group_start_ = to_device(queue_, start), group_tag_ = to_device(queue_, tags);
}

/// Velocities of rigid groups as the box changes.
template <class T>
void ClusterEngine<T>::slow(const Strain& by) {
    if (by.none()) return;
    device::parallel_for(
        queue_, "slow", group_start_.size() - 1,
        SlowGroups{columns(), {group_start_.data(), group_tag_.data(), place_of_tag_.data()}, by});
}

/// After a sort.
template <class T>
void ClusterEngine<T>::localise_molecules() {
    const auto n = system_.particles.n;
    if (of_molecules()) before_.resize(queue_, n);
    if (!constraints_ && !sites_ && group_start_.size() == 0) return;
    place_of_tag_.resize(queue_, n);
    device::parallel_for(queue_, "find tags", n,
                         FindTags{system_.particles.tag.data(), place_of_tag_.data()});
    const device::View<const std::int32_t> places{place_of_tag_.data(), n};
    if (constraints_) constraints_->localise(queue_, places);
    if (sites_) sites_->localise(queue_, places);
}

template <class T>
void ClusterEngine<T>::construct_sites() {
    if (!sites_) return;
    auto& p = system_.particles;
    sites_->construct(queue_, {system_.box, p.position.view(), p.velocity.view()});
}

template <class T>
void ClusterEngine<T>::add_field() {
    if (system_.field.none() || system_.particles.charge.size() == 0) return;
    const double time =
        system_.coupling.start + static_cast<double>(system_.step) * system_.motion.dt;
    device::parallel_for(
        queue_, "electric field", system_.particles.n,
        AddField<Packed<T>>{system_.particles.charge.data(), system_.field.at(time), packed()});
}

/// Forces on sites go to the particles that place them; returns what that adds to the virial.
template <class T>
core::Sym3d ClusterEngine<T>::spread_sites(bool want_virial) {
    if (!sites_) return {};
    auto& p = system_.particles;
    column_.resize(queue_, p.n);
    read_forces(column_.view());
    const auto virial =
        sites_->spread(queue_, {system_.box, p.position.view(), column_.view(), want_virial});
    device::parallel_for(queue_, "give forces", p.n,
                         GiveForces<Packed<T>>{column_.data(), packed()});
    return virial;
}

template <class T>
void ClusterEngine<T>::constrain(double flight, bool velocities) {
    if (!constraints_) return;
    const Profile::Scope time(profile_, core::Region::constraints);
    auto& p = system_.particles;
    ConstraintMove move{system_.box, before_.view(), p.position.view(), {}, 1 / flight, false};
    if (velocities) move.velocity = p.velocity.view();
    constraints_->enqueue(queue_, move);
    queue_.synchronize();
}

template <class T>
void ClusterEngine<T>::constrain_velocities() {
    if (!constraints_) return;
    const Profile::Scope time(profile_, core::Region::constraints);
    auto& p = system_.particles;
    constraints_->enqueue_velocities(
        queue_, {system_.box, p.position.view(), p.velocity.view(), 1 / system_.motion.dt, false});
    queue_.synchronize();
}

template <class T>
void ClusterEngine<T>::add_noise() {
    auto& p = system_.particles;
    const auto& m = system_.motion;
    const auto& coupling = system_.coupling;
    const double now = coupling.start + static_cast<double>(system_.step) * m.dt;
    std::vector<NoiseOfGroup> noise;
    for (const auto& group : coupling.groups) {
        const double x = group.tau > 0 ? m.dt / group.tau : 0;
        noise.push_back({std::exp(-x), group.kT_at(now) * -std::expm1(-2 * x)});
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
template <class T>
void ClusterEngine<T>::fly() {
    const auto& m = system_.motion;
    const auto n = system_.particles.n;
    const bool leap = m.scheme == Scheme::leap_frog, noisy = m.scheme == Scheme::stochastic;
    const double kick = leap ? m.dt : 0.5 * m.dt, flight = noisy ? 0.5 * m.dt : m.dt;
    const double farthest = pairs_.r_cut() > 0 ? pairs_.r_cut() : 1e300;
    {
        const Profile::Scope time(profile_, core::Region::update);
        device::parallel_for(
            queue_, "kick and drift", n,
            KickDrift<Packed<T>>{columns(), packed(), before_.data(), state_.data(), kick, flight,
                                 farthest, m.longest_move});
    }
    constrain(flight, true);
    if (!noisy) return;
    add_noise();
    {
        const Profile::Scope time(profile_, core::Region::update);
        device::parallel_for(queue_, "drift", n, Drift{columns(), before_.data(), flight});
    }
    constrain(flight, true);
}

/// The strain that the barostat asked for.
template <class T>
void ClusterEngine<T>::stretch() {
    auto& state = system_.coupled;
    if (state.pending.none()) return;
    const Profile::Scope time(profile_, core::Region::update);
    const double size = state.pending.size();
    if (!(size < most_strain))
        throw core::Error("the box changes by " + std::to_string(100 * size) + " % in one step",
                          "the barostat has lost its hold at step " + std::to_string(system_.step),
                          "Equilibrate first, or give the barostat a longer time.");
    const auto n = system_.particles.n;
    device::parallel_for(queue_, "stretch", n, Stretch{columns(), before_.data(), state.pending});
    slow(state.slow);
    system_.box = state.pending(system_.box);
    pairs_.set_box(system_.box);
    strain_ = state.pending.after(strain_);
    if (system_.list.exact)
        device::parallel_for(
            queue_, "stretch list", n,
            StretchList<Packed<T>>{packed(), state.pending, 1 - size, 0.5 * size * pairs_.r_cut()});
    state.pending = state.slow = {};
    limit_reach();
    constrain(system_.motion.dt, false);  // lengths went with the box
}

template <class T>
void ClusterEngine<T>::advance_molecules(std::int64_t steps) {
    const auto& m = system_.motion;
    const auto& coupling = system_.coupling;
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
                StoreWatched<Packed<T>>{system_.particles.position.data(), packed(), state_.data(),
                                        system_.list.exact});
        }
        StepState s;
        device::copy_to_host(queue_, &s, state_.view());
        if (s.blown_up != StepState::nobody) report_blow_up(s.blown_up);
        s.step = system_.step;
        device::copy_from_host(queue_, state_.view(), &s);
        const bool renew = s.list_outlived != 0 || system_.step - pruned_at_ >= planned_.inner_life;
        const bool presses = m.coupled && coupling.presses(system_.step);
        core::Sym3d virial{};
        if (presses) {
            if (renew) renew_lists();
            virial = forces_and_virial();
        } else {
            compute_forces(renew);
        }
        if (!leap) half_kick(), constrain_velocities();
        couple(presses ? &virial : nullptr);
    }
}

/// What compute_forces() computes, and the virial; without the energies of pairs, which cost as
/// much again.
template <class T>
core::Sym3d ClusterEngine<T>::forces_and_virial() {
    if (!nonbonded_ || !tables_.empty()) return potential().total.virial;
    core::Sym3d virial{};
    {
        const Profile::Scope time(profile_, core::Region::force);
        const auto shifts = nonbonded_->run_for_virial(pairs_);
        device::Buffer<core::Sym3d> moments(queue_, 1);
        device::parallel_reduce<core::Sym3d>(queue_, "moments", system_.particles.n, core::Sym3d{},
                                             SumMoments<Packed<T>>{packed()}, device::Sum{},
                                             moments.data());
        device::copy_to_host(queue_, &virial, moments.view());
        for (int s = 0; s < shift_count; ++s) {
            const auto n = lattice_of_shift(s);
            virial += symmetric_outer(system_.box.lattice(n.x, n.y, n.z), shifts.of[s]);
        }
    }
    return virial + add_other_forces(true);
}

/// What is not from pairs, and its virial where that is wanted.
template <class T>
core::Sym3d ClusterEngine<T>::add_other_forces(bool want_virial) {
    core::Sym3d virial{};
    {
        const Profile::Scope time(profile_, core::Region::bonded);
        std::vector<EnergyVirial> of_bonded;
        add_bonded(want_virial ? &of_bonded : nullptr);
        for (const auto& one : of_bonded) virial += one.virial;
    }
    if (mesh_) {
        const Profile::Scope time(profile_, core::Region::mesh);
        add_mesh(want_virial ? MeshWant::forces_and_energy : MeshWant::forces);
        queue_.synchronize();
        if (want_virial) virial += mesh_->energy(queue_).virial;
    }
    add_field();
    return virial + spread_sites(want_virial);
}

/// What thermostat, barostat and the removal of drift do at the end of a step.
template <class T>
void ClusterEngine<T>::couple(const core::Sym3d* virial) {
    auto& s = system_;
    const auto& m = s.motion;
    auto& p = s.particles;
    const bool drift = m.remove_drift_every > 0 && s.step % m.remove_drift_every == 0;
    const bool heats = m.coupled && s.coupling.heats(s.step);
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
        const double of_centres = 3.0 * static_cast<double>(group_start_.size() - 1) - 3;
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

/// Takes off the drift of the whole, and its rotation where that is wanted.
template <class T>
void ClusterEngine<T>::stop_whole() {
    if (!system_.motion.remove_rotation) return remove_drift();
    auto& p = system_.particles;
    device::Buffer<TurnSums> all(queue_, 1);
    device::parallel_reduce<TurnSums>(queue_, "turn sums", p.n, TurnSums{}, SumTurn{columns()},
                                      device::Sum{}, all.data());
    TurnSums s;
    device::copy_to_host(queue_, &s, all.view());
    if (s.mass == 0) return;
    const auto centre = (1 / s.mass) * s.moment, common = (1 / s.mass) * s.momentum;
    const auto angular = s.angular - cross(centre, s.momentum);
    const auto second = s.second + (-1.0) * core::outer(s.mass, centre);
    device::parallel_for(queue_, "stop turn", p.n,
                         StopTurn{columns(), centre, common, angular_velocity(second, angular)});
}

template <class T>
std::vector<double> ClusterEngine<T>::group_sums(const MotionColumns& moving) {
    std::vector<double> out;
    device::Buffer<double> sum(queue_, 1);
    for (std::size_t g = 0; g < system_.coupling.groups.size(); ++g) {
        device::parallel_reduce<double>(
            queue_, "sum of group", system_.particles.n, 0.0,
            SumGroup{moving, system_.particles.bath.data(), static_cast<std::uint8_t>(g)},
            device::Sum{}, sum.data());
        double one = 0;
        device::copy_to_host(queue_, &one, sum.view());
        out.push_back(one);
    }
    return out;
}

/// The mean over the half steps before and after for leap-frog, whose velocities the forces then
/// take half a step further, and for stochastic dynamics, whose velocities at whole steps are colder
/// than their bath by a term in dt² while those at half steps are not; constraints bear what that
/// step asks of them.
template <class T>
Kinetics ClusterEngine<T>::kinetics() {
    const bool groups = system_.motion.coupled && !system_.coupling.groups.empty();
    const auto scheme = system_.motion.scheme;
    const bool leap = scheme == Scheme::leap_frog, noisy = scheme == Scheme::stochastic;
    Kinetics out{motion_sums(), {}, {}};
    if (groups) out.twice_kinetic = group_sums(columns());
    if (!leap && !noisy && !constraints_) return out;
    const Profile::Scope time(profile_, core::Region::thermo);
    auto& p = system_.particles;
    const double dt = system_.motion.dt;
    if (dt <= 0) return out;
    column_.resize(queue_, p.n), trial_.resize(queue_, p.n);
    device::parallel_for(queue_, "try step", p.n,
                         TryStep<Packed<T>>{columns(), packed(), trial_.data(), column_.data(),
                                            leap ? dt : 0.5 * dt, dt});
    if (constraints_) {
        const device::View<const Vec3d> here{p.position.data(), p.n};
        const auto sums = constraints_->apply(
            queue_, {system_.box, here, trial_.view(), column_.view(), 1 / dt, true});
        // Half the time of a kick moves velocity Verlet's particles as far as twice the force.
        out.constraint_virial = (leap ? 1.0 : 2.0) * sums.virial;
    }
    if (!leap && !noisy) return out;
    // With u half a step on: ½ (|v|² + |u|²), or the mean |v ± (u − v)|² = |v|² + |u − v|².
    const double kept = leap ? 0.5 : 1;
    if (noisy)
        device::parallel_for(queue_, "kick alone", p.n,
                             TakeDifference{column_.data(), p.velocity.data(), column_.data()});
    auto other = columns();
    other.velocity = column_.data();
    const auto sums = motion_sums(other);
    out.sums.twice_kinetic = kept * (out.sums.twice_kinetic + sums.twice_kinetic);
    if (leap) out.sums.momentum = 0.5 * (out.sums.momentum + sums.momentum);
    if (groups) {
        const auto later = group_sums(other);
        for (std::size_t g = 0; g < later.size(); ++g)
            out.twice_kinetic[g] = kept * (out.twice_kinetic[g] + later[g]);
    }
    return out;
}

template class ClusterEngine<float>;
template class ClusterEngine<double>;

}  // namespace aureole::md
