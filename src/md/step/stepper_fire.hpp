// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/step/stepper.hpp"

// The minimiser FIRE: its steps are those of a plan, and their length is decided on the device.
namespace aureole::md {

template <class Lists>
void Stepper<Lists>::begin_fire(const FireSpec& spec) {
    fire_rule_ = {spec.force_tolerance, spec.dt_start};
    find_power(true);
}

template <class Lists>
FireState Stepper<Lists>::fire() {
    return look().fire;
}

/// Constraints, and forces that depend on time, are told the time step by the host, and ranks agree
/// in every step.
template <class Lists>
bool Stepper<Lists>::looks_at_every_step() const {
    if (Lists::looks_at_every_step || system_.domain != nullptr) return true;
    return minimises() &&
           (topology_.constraints || !system_.externals.empty() || !system_.field.none());
}

/// Steps. A minimisation speeds up and stops: its lists expire early, and the last steps to a
/// minimum may be none. Exact lists are outrun before their time, and the steps since the last look
/// are made again then.
template <class Lists>
std::int64_t Stepper<Lists>::longest_segment() const {
    constexpr std::int64_t between_looks = 10;
    if (looks_at_every_step()) return 1;
    return minimises() || system_.list.exact ? between_looks : INT64_MAX;
}

template <class Lists>
void Stepper<Lists>::mix() {
    const Profile::Scope time(context_.profile, StepRegion::update);
    device::parallel_for(queue_, "FIRE", system_.particles.n,
                         MixFire<KernelLayout>{columns(), lists_.layout(), context_.state()});
}

template <class Lists>
void Stepper<Lists>::find_power(bool first) {
    const Profile::Scope time(context_.profile, StepRegion::update);
    device::parallel_reduce<FireSums>(queue_, "FIRE sums", system_.particles.n, FireSums{},
                                      SumFire<KernelLayout>{columns(), lists_.layout()},
                                      device::Sum{}, fire_sums_.data());
    context_.combine_on_device(fire_sums_.data());
    device::parallel_for(queue_, "FIRE step", 1,
                         DecideFire{fire_rule_, fire_sums_.data(), context_.state(), first});
    if (first || looks_at_every_step()) look();
}

/// Kernels whose times are given in steps.
template <class Lists>
template <class Kernel>
void Stepper<Lists>::launch_motion(const char* name, Kernel kernel) {
    const auto n = system_.particles.n;
    if (minimises()) {
        device::parallel_for(queue_, name, n, InStepOfFire<Kernel>{kernel, context_.state()});
        return;
    }
    kernel.scale_times(system_.motion.dt);
    device::parallel_for(queue_, name, n, kernel);
}

}  // namespace aureole::md
