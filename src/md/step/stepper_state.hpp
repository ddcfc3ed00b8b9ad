// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "md/checkpoint/restored_state.hpp"
#include "md/checkpoint/state_blocks.hpp"
#include "md/integrate/dense.kernel.hpp"
#include "md/lists/force_unit.hpp"
#include "md/step/stepper.hpp"

// Begin, checkpoints, and the steps in words.
namespace aureole::md {

/// Also those that earlier versions wrote, whose tags had 32 bits.
inline RotationCheck get_rotation_check(const StateBlocks& from) {
    if (from.contains("rotations")) return get<RotationCheck>(from, "rotations", 1)[0];
    const auto old = get<NarrowRotationCheck>(from, "watch", 1)[0];
    return {{old.tag_a, old.tag_b, old.angle, old.step}, old.at};
}

template <class Lists>
Stepper<Lists>::Stepper(device::Queue& queue, System& system)
    : queue_(queue),
      system_(system),
      context_(queue, system, KernelLayout::cluster, !Lists::looks_at_every_step),
      topology_(queue, system, Lists::constraints),
      mesh_(make_mesh()),
      lists_(context_, topology_, mesh_ ? &*mesh_ : nullptr),
      externals_(queue, system.particles, system.externals),
      leaf_stages_(queue, system.particles, system.stages),
      saved_state_(queue, 1),
      drift_group_(
          system.particles.column<std::uint8_t>({.name = "drift group", .in_checkpoints = false})),
      field_(queue, 1),
      drift_(queue, 1),
      motion_sums_(queue, 2),
      fire_sums_(queue, 1),
      farthest2_(queue, 1),
      kinetic_sums_(queue, 1),
      terms_(queue, static_cast<std::int64_t>(term_names(system).size())),
      constraint_sums_(queue, 1),
      site_virial_(queue, 1),
      rotation_sums_(queue, 1),
      common_motion_(queue, 1) {
    drift_group_ = {};
    if (!system.drift_group.empty())
        drift_group_ = to_device(
            queue, to_local_order(system.drift_group, download_tags(queue, system.particles)));
}

/// Flat lists use the devices' kernels on hosts as well, where these are tested.
template <class Lists>
std::optional<Pme<typename Lists::Number>> Stepper<Lists>::make_mesh() {
    if (!system_.mesh) return {};
    auto spec = system_.pme();
    if (Lists::flat) spec.kernels = MeshKernels::lanes;
    auto* const domain = system_.domain;
    return std::optional<Pme<T>>(std::in_place, queue_, spec,
                                 domain != nullptr ? &domain->common() : nullptr);
}

template <class Lists>
void Stepper<Lists>::begin_steps() {
    plan_ = StepPlan(system_);
    memory_ = {}, minimum_found_ = false, forces_due_ = false;
    memory_.strain_pending = !system_.coupled.barostat.pending.none();
    graphs_.clear();
    if (!uses_graphs() || beside_ || (!mesh_ && topology_.bonded.empty())) return;
    auto device = queue_.device();
    beside_.emplace(device, device::Priority::high);
}

template <class Lists>
void Stepper<Lists>::prepare() {
    begin_steps();
    context_.set_state();
    if (mesh_) mesh_->box_has_changed();
    watch_.at = system_.step;
    topology_.localise_owned();
    construct_sites();
    context_.make_drift_buffer({context_.kT_of_lists(), system_.box.volume()});
    lists_.make();
    lists_.take_columns();
    localise_groups();
    compute_first_forces();
}

template <class Lists>
void Stepper<Lists>::save(StateBlocks& to) {
    put(to, "rotations", std::span(&watch_, 1));
    lists_.save(to);
}

template <class Lists>
void Stepper<Lists>::restore(const StateBlocks& from) {
    begin_steps();
    if (mesh_) mesh_->box_has_changed();
    lists_.restore(from);
    localise_groups();
    const auto found = get_rotation_check(from);
    const auto n = system_.particles.n;
    require(found.at <= system_.step && found.turn.tag_a < n && found.turn.tag_b < n, "rotations",
            "it refers to unknown particles or to a later step");
    watch_ = found;
    if (from.contains(ForceUnitRecord::block))
        compute_forces();
    else
        compute_first_forces();
}

template <class Lists>
std::string Stepper<Lists>::describe() {
    const bool exact = system_.list.exact;
    return std::string("Each step, with ") + (exact ? "exact " : "") + Lists::name +
           (exact ? "" : " sized by the tolerated energy drift") + ":\n" +
           StepPlan(system_).describe() + describe_forces(system_);
}

}  // namespace aureole::md
