// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/integrate/read.kernel.hpp"
#include "md/lists/force_unit.hpp"
#include "md/step/stepper.hpp"

// Forces, and the sums that observers ask for.
namespace aureole::md {

template <class Lists>
void Stepper<Lists>::compute_forces() {
    fork();
    {
        const Profile::Scope time(context_.profile, StepRegion::force);
        lists_.pair_forces();
    }
    add_other_forces(nullptr);
}

/// Forces of which nothing is known, and with flat lists a unit that suits them: the one that they
/// have, if it does, so that a run goes on with the same bits. If they are zero in that one, they
/// may be too small for it.
template <class Lists>
void Stepper<Lists>::compute_first_forces() {
    if constexpr (!Lists::flat) {
        compute_forces();
    } else {
        const auto compute = [&] {
            compute_forces();
            measure_forces();
            context_.look();
        };
        lists_.forget_force_units();
        for (const int exponent : {lists_.force_exponent(), ForceUnit::smallest_exponent}) {
            lists_.set_force_exponent(exponent);
            compute();
            if (context_.mean_square_force != 0) break;
        }
        while (lists_.fit_force_unit()) compute();
    }
}

/// The unit of forces in fixed point follows from their mean square.
template <class Lists>
void Stepper<Lists>::measure_forces() {
    if constexpr (Lists::flat) {
        auto* const to = &context_.state()->square_of_forces;
        device::parallel_reduce<double>(queue_, "square of forces", system_.particles.n, 0.0,
                                        SquareOfForces<KernelLayout>{lists_.layout()},
                                        device::Sum{}, to);
        context_.combine_on_device(to);
    }
}

/// All terms of the potential energy, on the device, to which pressure_terms() refers, too. Unlike
/// compute_forces(), it may be called again at the same positions.
template <class Lists>
EnergyOfTerms Stepper<Lists>::enqueue_potential() {
    auto* const end = lists_.pair_forces_and_sums(terms_.data());
    pair_terms_ = end - terms_.data();
    all_terms_ = add_other_forces(end) - terms_.data();
    context_.combine_on_device(terms_.data(), all_terms_);
    return {terms_.data(), all_terms_, descent_tail_};
}

/// Potential energies, computed in the order of compute_forces(), so that observing changes no
/// trajectory.
template <class Lists>
PotentialSums Stepper<Lists>::potential() {
    const Profile::Scope time(context_.profile, StepRegion::thermo);
    const auto of = enqueue_potential();
    PotentialSums sums;
    sums.of_force.resize(static_cast<std::size_t>(of.terms));
    device::copy_to_host(queue_, sums.of_force.data(),
                         device::View<const EnergyVirial>{of.term, of.terms});
    for (const auto& one : sums.of_force) sums.total += one;
    if (!topology_.sites) return sums;
    core::Sym3d of_sites;
    device::copy_to_host(queue_, &of_sites, topology_.sites->last_virial());
    sums.total.virial += system_.combine(of_sites);
    return sums;
}

/// The forces of compute_forces(), with the energies and virials that pressure_terms() refers to.
template <class Lists>
void Stepper<Lists>::compute_forces_and_virial() {
    fork();
    EnergyVirial* end = terms_.data();
    {
        const Profile::Scope time(context_.profile, StepRegion::force);
        end = lists_.pair_forces_and_virial(end);
    }
    pair_terms_ = end - terms_.data();
    all_terms_ = add_other_forces(end) - terms_.data();
    context_.combine_on_device(terms_.data(), all_terms_);
}

/// In graphs bonded terms and the mesh have a queue of their own beside the pairs, of high
/// priority: they are chains of small kernels. Elsewhere the events would cost more than that
/// gains.
template <class Lists>
device::Queue& Stepper<Lists>::beside() {
    return graphs_.recording() && beside_ ? *beside_ : queue_;
}

/// Later work beside() follows what was enqueued before.
template <class Lists>
void Stepper<Lists>::fork() {
    if (&beside() != &queue_) beside_->wait(queue_.record());
}

/// Later work of the queue follows that beside() it.
template <class Lists>
void Stepper<Lists>::join() {
    if (&beside() != &queue_) queue_.wait(beside_->record());
}

/// Adds all forces but those of pairs. Unless `terms` is null, writes the sums of the mesh, of each
/// kind of bonded term and of each external force there, and finds the virial of virtual sites;
/// returns the end of what it wrote.
template <class Lists>
EnergyVirial* Stepper<Lists>::add_other_forces(EnergyVirial* terms) {
    const bool want = terms != nullptr;
    EnergyVirial* const of_mesh = terms;
    if (want && mesh_) ++terms;
    {
        const Profile::Scope time(context_.profile, StepRegion::bonded);
        terms = lists_.add_bonded(beside(), terms);
    }
    lists_.return_forces();
    if (mesh_) {
        const Profile::Scope time(context_.profile, StepRegion::mesh);
        const auto& p = system_.particles;
        mesh_->compute(beside(), {p.n, p.position.data(), p.charge.data()}, context_.box(),
                       lists_.mesh_sink(), want ? MeshWant::forces_and_energy : MeshWant::forces);
        if (want) device::copy(beside(), device::View<EnergyVirial>{of_mesh, 1}, mesh_->sums());
    }
    join();
    add_field();
    terms = externals_.add(lists_.layout(), external_conditions(), terms);
    spread_sites(want);
    return terms;
}

template <class Lists>
ExternalConditions Stepper<Lists>::external_conditions() {
    return {context_.state(), system_.coupling.start, system_.motion.dt};
}

template <class Lists>
void Stepper<Lists>::add_field() {
    const auto& charge = system_.particles.charge;
    if (system_.field.none() || charge.size() == 0) return;
    device::parallel_for(queue_, "field", 1,
                         FindField{system_.field, system_.coupling.start, system_.motion.dt,
                                   context_.state(), field_.data()});
    device::parallel_for(queue_, "electric field", system_.particles.n,
                         AddField<KernelLayout>{charge.data(), field_.data(), lists_.layout()});
}

/// Moves the forces on virtual sites to the particles that the sites are constructed from.
template <class Lists>
void Stepper<Lists>::spread_sites(bool want_virial) {
    if (!topology_.sites) return;
    auto& p = system_.particles;
    column_.resize(queue_, p.n);
    read_forces(column_.view());
    topology_.sites->spread(queue_,
                            {context_.box(), p.position.view(), column_.view(), want_virial});
    device::parallel_for(queue_, "set forces", p.n,
                         SetForces<KernelLayout>{column_.data(), lists_.layout()});
}

template <class Lists>
void Stepper<Lists>::read_forces(device::View<Vec3d> to) {
    device::parallel_for(queue_, "forces", system_.particles.n,
                         ReadForces<KernelLayout>{lists_.layout(), to.data});
}

template <class Lists>
void Stepper<Lists>::construct_sites() {
    if (!topology_.sites) return;
    auto& p = system_.particles;
    topology_.sites->construct(queue_, {context_.box(), p.position.view(), p.velocity.view()});
}

/// Kinetic energies and the virial of constraints at the present step, in device memory. Leap-frog
/// has velocities of half steps only: the mean of the half steps before and after is taken. So it
/// is for stochastic dynamics, whose velocities at whole steps are colder than their thermostat by
/// a term in dt². The half step after is tried in working memory, with its constraints.
template <class Lists>
void Stepper<Lists>::find_kinetics(bool of_groups) {
    const auto scheme = system_.motion.scheme;
    const bool leap = scheme == Scheme::leap_frog, noisy = scheme == Scheme::stochastic;
    const double dt = system_.motion.dt;
    auto& p = system_.particles;
    auto* const constraints = topology_.constraints ? &*topology_.constraints : nullptr;
    const bool tries = dt > 0 && (leap || noisy || constraints != nullptr),
               two = tries && (leap || noisy);
    sum_motion(columns(), motion_sums_.data());
    if (of_groups) sum_groups(columns(), false, group_energy_.data());
    if (tries) {
        column_.resize(queue_, p.n), trial_.resize(queue_, p.n);
        device::parallel_for(queue_, "try step", p.n,
                             TryStep<KernelLayout>{columns(), lists_.layout(), trial_.data(),
                                                   column_.data(), leap ? dt : 0.5 * dt, dt});
        if (constraints != nullptr)
            constraints->enqueue(queue_, {context_.box(), p.position.view(), trial_.view(),
                                          column_.view(), 1 / dt, true, unsatisfied()});
    }
    if (two) {
        if (noisy)
            device::parallel_for(queue_, "kick alone", p.n,
                                 Subtract{column_.data(), p.velocity.data(), column_.data()});
        auto other = columns();
        other.velocity = column_.data();
        sum_motion(other, motion_sums_.data() + 1);
        if (of_groups) sum_groups(other, false, group_energy_.data() + group_.size());
    }
    const ConstraintSums* of_constraints = nullptr;
    if (tries && constraints != nullptr) {
        if (!constraints->empty())
            device::copy(queue_, constraint_sums_.view(), constraints->last_sums());
        else
            device::fill(queue_, constraint_sums_.view(), ConstraintSums{});
        context_.combine_on_device(constraint_sums_.data());
        of_constraints = constraint_sums_.data();
    }
    device::parallel_for(
        queue_, "kinetic sums", 1,
        FindKinetics{motion_sums_.data(), two ? motion_sums_.data() + 1 : nullptr, leap ? 0.5 : 1,
                     leap, of_constraints, leap ? 1.0 : 2.0, kinetic_sums_.data()});
}

template <class Lists>
Kinetics Stepper<Lists>::kinetics() {
    const Profile::Scope time(context_.profile, StepRegion::thermo);
    const auto& m = system_.motion;
    const bool groups = m.coupled && !system_.coupling.groups.empty();
    find_kinetics(groups);
    const auto sums = download(queue_, kinetic_sums_).front();
    Kinetics out{sums.motion, sums.constraint_virial, {}};
    if (!groups) return out;
    const auto energy = download(queue_, group_energy_);
    const auto n = static_cast<std::size_t>(group_.size());
    const bool leap = m.scheme == Scheme::leap_frog;
    const bool two = m.dt > 0 && (leap || m.scheme == Scheme::stochastic);
    for (std::size_t g = 0; g < n; ++g)
        out.twice_kinetic.push_back(two ? (leap ? 0.5 : 1) * (energy[g] + energy[g + n])
                                        : energy[g]);
    return out;
}

}  // namespace aureole::md
