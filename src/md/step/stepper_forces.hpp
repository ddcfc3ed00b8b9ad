// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/integrate/read.kernel.hpp"
#include "md/step/stepper.hpp"

// Forces, and the sums that observers ask for.
namespace aureole::md {

using core::Profile;

template <class Lists>
void Stepper<Lists>::compute_forces() {
    {
        const Profile::Scope time(context_.profile, core::Region::force);
        lists_.pair_forces();
    }
    add_other_forces(nullptr);
}

/// In the order of compute_forces(), so that a look changes no trajectory.
template <class Lists>
PotentialSums Stepper<Lists>::potential() {
    const Profile::Scope time(context_.profile, core::Region::thermo);
    PotentialSums sums;
    sums.of_force = lists_.pair_forces_and_sums();
    const auto of_sites = add_other_forces(&sums.of_force);
    for (const auto& one : sums.of_force) sums.total += one;
    sums.total.virial += of_sites;
    return sums;
}

/// What compute_forces() computes, and the virial.
template <class Lists>
core::Sym3d Stepper<Lists>::forces_and_virial() {
    core::Sym3d virial{};
    {
        const Profile::Scope time(context_.profile, core::Region::force);
        virial = lists_.pair_forces_and_virial();
    }
    std::vector<EnergyVirial> terms;
    virial += add_other_forces(&terms);
    for (const auto& one : terms) virial += one.virial;
    return virial;
}

/// What is not from pairs, and what the mesh and each list of bonded terms add up to, if `terms` is
/// given: then it returns what virtual sites add to the virial.
template <class Lists>
core::Sym3d Stepper<Lists>::add_other_forces(std::vector<EnergyVirial>* terms) {
    std::vector<EnergyVirial> of_bonded;
    {
        const Profile::Scope time(context_.profile, core::Region::bonded);
        lists_.add_bonded(terms != nullptr ? &of_bonded : nullptr);
    }
    if (mesh_) {
        const Profile::Scope time(context_.profile, core::Region::mesh);
        const auto& p = system_.particles;
        mesh_->compute(queue_, {p.n, p.position.data(), p.charge.data()}, system_.box,
                       lists_.mesh_sink(),
                       terms != nullptr ? MeshWant::forces_and_energy : MeshWant::forces);
        if (terms != nullptr) terms->push_back(mesh_->energy(queue_));
    }
    if (terms != nullptr) terms->insert(terms->end(), of_bonded.begin(), of_bonded.end());
    add_field();
    return spread_sites(terms != nullptr);
}

template <class Lists>
void Stepper<Lists>::add_field() {
    const auto& charge = system_.particles.charge;
    if (system_.field.none() || charge.size() == 0) return;
    device::parallel_for(queue_, "field", 1,
                         FindField{system_.field, system_.coupling.start, system_.motion.dt,
                                   context_.state.data(), field_.data()});
    device::parallel_for(queue_, "electric field", system_.particles.n,
                         AddField<Place>{charge.data(), field_.data(), lists_.place()});
}

/// Forces on sites go to the particles that place them; returns what that adds to the virial.
template <class Lists>
core::Sym3d Stepper<Lists>::spread_sites(bool want_virial) {
    if (!topology_.sites) return {};
    auto& p = system_.particles;
    column_.resize(queue_, p.n);
    read_forces(column_.view());
    const auto virial = topology_.sites->spread(
        queue_, {system_.box, p.position.view(), column_.view(), want_virial});
    device::parallel_for(queue_, "give forces", p.n,
                         GiveForces<Place>{column_.data(), lists_.place()});
    return virial;
}

template <class Lists>
void Stepper<Lists>::read_forces(device::View<Vec3d> to) {
    device::parallel_for(queue_, "forces", system_.particles.n,
                         ReadForces<Place>{lists_.place(), to.data});
}

template <class Lists>
FireSums Stepper<Lists>::fire_sums() {
    return context_.template reduced<FireSums>("FIRE sums",
                                               SumFire<Place>{columns(), lists_.place()});
}

template <class Lists>
void Stepper<Lists>::fire_mix(double keep, double along) {
    device::parallel_for(queue_, "FIRE", system_.particles.n,
                         MixFire<Place>{columns(), lists_.place(), keep, along});
}

template <class Lists>
void Stepper<Lists>::construct_sites() {
    if (!topology_.sites) return;
    auto& p = system_.particles;
    topology_.sites->construct(queue_, {system_.box, p.position.view(), p.velocity.view()});
}

/// The mean over the half steps before and after for leap-frog, whose velocities the forces then
/// take half a step further, and for stochastic dynamics, whose velocities at whole steps are
/// colder than their bath by a term in dt² while those at half steps are not; constraints bear what
/// that step asks of them.
template <class Lists>
Kinetics Stepper<Lists>::kinetics() {
    const bool groups = system_.motion.coupled && !system_.coupling.groups.empty();
    const auto scheme = system_.motion.scheme;
    const bool leap = scheme == Scheme::leap_frog, noisy = scheme == Scheme::stochastic;
    Kinetics out{context_.motion_sums(), {}, {}};
    if (groups) out.twice_kinetic = group_sums(columns());
    if (!leap && !noisy && !topology_.constraints) return out;
    const Profile::Scope time(context_.profile, core::Region::thermo);
    auto& p = system_.particles;
    const double dt = system_.motion.dt;
    if (dt <= 0) return out;
    column_.resize(queue_, p.n), trial_.resize(queue_, p.n);
    device::parallel_for(queue_, "try step", p.n,
                         TryStep<Place>{columns(), lists_.place(), trial_.data(), column_.data(),
                                        leap ? dt : 0.5 * dt, dt});
    if (topology_.constraints) {
        const device::View<const Vec3d> here{p.position.data(), p.n};
        const auto sums = topology_.constraints->apply(
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
    const auto sums = context_.motion_sums(other);
    out.sums.twice_kinetic = kept * (out.sums.twice_kinetic + sums.twice_kinetic);
    if (leap) out.sums.momentum = 0.5 * (out.sums.momentum + sums.momentum);
    if (groups) {
        const auto later = group_sums(other);
        for (std::size_t g = 0; g < later.size(); ++g)
            out.twice_kinetic[g] = kept * (out.twice_kinetic[g] + later[g]);
    }
    return out;
}

template <class Lists>
std::vector<double> Stepper<Lists>::group_sums(const MotionColumns& moving) {
    sum_groups(moving, false);
    return download(queue_, group_energy_);
}

}  // namespace aureole::md
