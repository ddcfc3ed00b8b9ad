// SPDX-License-Identifier: Apache-2.0
#include "md/placed_engine.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "md/blow_up.hpp"
#include "md/integrate/dense.kernel.hpp"
#include "md/integrate/read.kernel.hpp"
#include "md/longest_cut_off.hpp"
#include "md/neighbor/packed.kernel.hpp"

// Forces beyond pairs, and what an engine tells of its particles.
namespace aureole::md {

using core::Profile;

template <class Place>
PlacedEngine<Place>::PlacedEngine(device::Queue& queue, System& system)
    : queue_(queue),
      system_(system),
      r_cut_(largest_cut_off(system)),
      topology_(queue, system, lanes ? Constraints::Path::lanes : Constraints::Path::automatic),
      state_(queue, 1),
      before_(system.particles.column<Vec3d>(
          {.name = "position before", .unit = "length", .in_checkpoints = false})),
      drift_group_(
          system.particles.column<std::uint8_t>({.name = "drift group", .in_checkpoints = false})),
      sum_(queue, most_sum_bytes / sizeof(double)),
      motion_sums_(queue, 1),
      rescaling_(queue, 1) {
    if (system.mesh) {
        auto spec = system.pme();
        if (lanes) spec.kernels = MeshKernels::lanes;
        mesh_.emplace(queue, spec);
    }
    if (!system.coupling.groups.empty()) {
        const auto groups = static_cast<std::int64_t>(system.coupling.groups.size());
        factors_ = device::Buffer<double>(queue, groups);
        noise_ = device::Buffer<NoiseOfGroup>(queue, groups);
    }
    drift_group_ = {};
    if (!system.drift_group.empty())
        drift_group_ = to_device(
            queue, to_local_order(system.drift_group, download_tags(queue, system.particles)));
}

template <class Place>
double PlacedEngine<Place>::smallest_periodic_face(const core::Box& box) {
    const auto face = box.face_distances();
    double least = std::numeric_limits<double>::infinity();
    if (box.periodic_x) least = std::min(least, face.x);
    if (box.periodic_y) least = std::min(least, face.y);
    if (box.periodic_z) least = std::min(least, face.z);
    return least;
}

template <class Place>
void PlacedEngine<Place>::check_room() const {
    // An engine for devices finds images by rounding, that for hosts visits all that are near.
    const double longest = longest_cut_off(system_.box, lanes);
    if (r_cut_ > longest)
        throw core::Error(
            "the box has become too small for the cut-off",
            "half of it is " + std::to_string(longest) + " at step " + std::to_string(system_.step),
            "Begin with a larger box.");
}

template <class Place>
void PlacedEngine<Place>::prepare() {
    half_kick_pending_ = false;
    begin_state();
    watch_.at = system_.step;
    if (sites_) localise();
    construct_sites();
    make_drift_buffer({kT_of_lists(), system_.box.volume()});
    make_lists();
    compute_forces();
}

template <class Place>
void PlacedEngine<Place>::begin_state() {
    StepState state;
    state.step = system_.step;
    device::copy_from_host(queue_, state_.view(), &state);
}

template <class Place>
MotionSums PlacedEngine<Place>::measure_speed() {
    const auto sums = motion_sums();
    thermal_speed_ = sums.mass > 0 ? std::sqrt(sums.twice_kinetic.trace() / (3 * sums.mass)) : 0;
    dof_ = degrees_of_freedom(system_, sums);
    return sums;
}

/// The temperature for which lists are made: the bath's, or what the particles have.
template <class Place>
double PlacedEngine<Place>::kT_of_lists() {
    double kT = 0;
    if (system_.motion.coupled)
        for (const auto& group : system_.coupling.groups) {
            kT = std::max(kT, group.kT);
            for (const double point : group.kTs) kT = std::max(kT, point);
        }
    if (kT > 0) return kT;
    const auto sums = motion_sums();
    const double dof = degrees_of_freedom(system_, sums);
    return dof > 0 ? sums.twice_kinetic.trace() / dof : 0;
}

template <class Place>
void PlacedEngine<Place>::make_drift_buffer(const DriftBuffer::Conditions& at) {
    drift_.reset();
    if (system_.nonbonded && !system_.list.exact)
        drift_.emplace(queue_, system_, at, Place::cluster);
}

template <class Place>
void PlacedEngine<Place>::compute_forces() {
    {
        const Profile::Scope time(profile_, core::Region::force);
        pair_forces();
    }
    add_other_forces(nullptr);
}

/// In the order of compute_forces(), so that a look changes no trajectory.
template <class Place>
PotentialSums PlacedEngine<Place>::potential() {
    const Profile::Scope time(profile_, core::Region::thermo);
    PotentialSums sums;
    sums.of_force = pair_forces_and_sums();
    const auto of_sites = add_other_forces(&sums.of_force);
    for (const auto& one : sums.of_force) sums.total += one;
    sums.total.virial += of_sites;
    return sums;
}

/// What compute_forces() computes, and the virial.
template <class Place>
core::Sym3d PlacedEngine<Place>::forces_and_virial() {
    core::Sym3d virial{};
    {
        const Profile::Scope time(profile_, core::Region::force);
        virial = pair_forces_and_virial();
    }
    std::vector<EnergyVirial> terms;
    virial += add_other_forces(&terms);
    for (const auto& one : terms) virial += one.virial;
    return virial;
}

template <class Place>
core::Sym3d PlacedEngine<Place>::pair_forces_and_virial() {
    core::Sym3d virial{};
    for (const auto& one : pair_forces_and_sums()) virial += one.virial;
    return virial;
}

/// What is not from pairs, and what the mesh and each list of bonded terms add up to, if `terms` is
/// given: then it returns what virtual sites add to the virial.
template <class Place>
core::Sym3d PlacedEngine<Place>::add_other_forces(std::vector<EnergyVirial>* terms) {
    std::vector<EnergyVirial> of_bonded;
    {
        const Profile::Scope time(profile_, core::Region::bonded);
        add_bonded(terms != nullptr ? &of_bonded : nullptr);
    }
    if (mesh_) {
        const Profile::Scope time(profile_, core::Region::mesh);
        const auto& p = system_.particles;
        mesh_->compute(queue_, {p.n, p.position.data(), p.charge.data()}, system_.box, mesh_sink(),
                       terms != nullptr ? MeshWant::forces_and_energy : MeshWant::forces);
        if (terms != nullptr) terms->push_back(mesh_->energy(queue_));
    }
    if (terms != nullptr) terms->insert(terms->end(), of_bonded.begin(), of_bonded.end());
    add_field();
    return spread_sites(terms != nullptr);
}

/// Of the positions, on the clock of annealing and fields.
template <class Place>
double PlacedEngine<Place>::now() const {
    return system_.coupling.start + static_cast<double>(system_.step) * system_.motion.dt;
}

template <class Place>
void PlacedEngine<Place>::add_field() {
    if (system_.field.none() || system_.particles.charge.size() == 0) return;
    device::parallel_for(
        queue_, "electric field", system_.particles.n,
        AddField<Place>{system_.particles.charge.data(), system_.field.at(now()), place()});
}

/// Forces on sites go to the particles that place them; returns what that adds to the virial.
template <class Place>
core::Sym3d PlacedEngine<Place>::spread_sites(bool want_virial) {
    if (!sites_) return {};
    auto& p = system_.particles;
    column_.resize(queue_, p.n);
    read_forces(column_.view());
    const auto virial =
        sites_->spread(queue_, {system_.box, p.position.view(), column_.view(), want_virial});
    device::parallel_for(queue_, "give forces", p.n, GiveForces<Place>{column_.data(), place()});
    return virial;
}

template <class Place>
void PlacedEngine<Place>::read_forces(device::View<Vec3d> to) {
    device::parallel_for(queue_, "forces", system_.particles.n,
                         ReadForces<Place>{place(), to.data});
}

template <class Place>
MotionSums PlacedEngine<Place>::motion_sums(const MotionColumns& moving) {
    return reduced<MotionSums>("motion sums", SumMotion{moving});
}

template <class Place>
FireSums PlacedEngine<Place>::fire_sums() {
    return reduced<FireSums>("FIRE sums", SumFire<Place>{columns(), place()});
}

template <class Place>
void PlacedEngine<Place>::fire_mix(double keep, double along) {
    device::parallel_for(queue_, "FIRE", system_.particles.n,
                         MixFire<Place>{columns(), place(), keep, along});
}

template <class Place>
void PlacedEngine<Place>::half_kick() {
    const Profile::Scope time(profile_, core::Region::update);
    device::parallel_for(queue_, "half kick", system_.particles.n,
                         HalfKick<Place>{columns(), place(), 0.5 * system_.motion.dt});
}

template <class Place>
void PlacedEngine<Place>::close_steps() {
    if (half_kick_pending_) half_kick();
    half_kick_pending_ = false;
}

/// Rescales by what `find` makes of the sums over motion, without a look from the host.
template <class Place>
template <class Find>
void PlacedEngine<Place>::rescale(const char* name, const Find& find) {
    const auto n = system_.particles.n;
    device::parallel_reduce<MotionSums>(queue_, "motion sums", n, MotionSums{},
                                        SumMotion{columns()}, device::Sum{}, motion_sums_.data());
    device::parallel_for(queue_, name, 1, find);
    device::parallel_for(queue_, "rescale", n, RescaleBy{columns(), rescaling_.data()});
}

template <class Place>
void PlacedEngine<Place>::finish_step(const StepState* state) {
    const auto& m = system_.motion;
    const auto step = system_.step;
    half_kick_pending_ = true;
    const bool bath = m.bath == Bath::bussi && step % m.bath_every == 0;
    const bool drift = m.remove_drift_every > 0 && step % m.remove_drift_every == 0;
    if (!bath && !drift) return;
    close_steps();
    if (bath)
        rescale("Bussi factor",
                DrawBussi{motion_sums_.data(), state, dof_, m.kT, m.bath_every * m.dt / m.tau,
                          system_.seed, rescaling_.data()});
    if (drift) take_off_drift();
}

template <class Place>
void PlacedEngine<Place>::take_off_drift() {
    rescale("drift", FindDrift{motion_sums_.data(), rescaling_.data()});
}

template <class Place>
std::vector<double> PlacedEngine<Place>::group_sums(const MotionColumns& moving) {
    std::vector<double> out;
    for (std::size_t g = 0; g < system_.coupling.groups.size(); ++g)
        out.push_back(reduced<double>(
            "sum of group",
            SumGroup{moving, system_.particles.bath.data(), static_cast<std::uint8_t>(g)}));
    return out;
}

/// The mean over the half steps before and after for leap-frog, whose velocities the forces then
/// take half a step further, and for stochastic dynamics, whose velocities at whole steps are
/// colder than their bath by a term in dt² while those at half steps are not; constraints bear what
/// that step asks of them.
template <class Place>
Kinetics PlacedEngine<Place>::kinetics() {
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
                         TryStep<Place>{columns(), place(), trial_.data(), column_.data(),
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

template <class Place>
void PlacedEngine<Place>::permute_columns(const std::int32_t* order) {
    system_.particles.for_each_column([&](AnyColumn& column) { column.permute(queue_, order); });
    ++system_.particles.generation;
}

template <class Place>
void PlacedEngine<Place>::check_places() {
    const auto& p = system_.particles;
    auto* const out = reinterpret_cast<std::uint32_t*>(sum_.data());
    device::parallel_reduce<std::uint32_t>(queue_, "lost particles", p.n, StepState::nobody,
                                           LostTag{system_.box, p.position.data(), p.tag.data()},
                                           device::Min{}, out);
    std::uint32_t lost = StepState::nobody;
    device::copy_to_host(queue_, &lost, device::View<const std::uint32_t>{out, 1});
    if (lost != StepState::nobody) report_blow_up(lost);
}

template <class Place>
void PlacedEngine<Place>::report_blow_up(std::uint32_t tag) {
    throw_blow_up(diagnose(queue_, system_, tag));
}

template class PlacedEngine<Packed<float>>;
template class PlacedEngine<Packed<double>>;
template class PlacedEngine<Dense<float>>;
template class PlacedEngine<Dense<double>>;

}  // namespace aureole::md
