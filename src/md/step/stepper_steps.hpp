// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "device/gpu/vendor/names.hpp"
#include "md/context/blow_up.hpp"
#include "md/integrate/read.kernel.hpp"
#include "md/step/stepper.hpp"

// The one loop over steps: segments of them, and the stages of each.
namespace aureole::md {

template <class Lists>
void Stepper<Lists>::advance(std::int64_t steps) {
    const auto end = system_.step + steps;
    if (steps > 0) begin_coupling();
    while (system_.step < end && !minimum_found_) run_segment(end);
    make_due_forces();
}

/// Steps up to the next list, or to `end`, and the next list.
template <class Lists>
void Stepper<Lists>::run_segment(std::int64_t end) {
    const auto first = system_.step;
    const auto target =
        std::clamp(lists_.next_look(), first + 1, first + std::min(end - first, longest_segment()));
    const bool refines = topology_.constraints && topology_.constraints->has_tolerance();
    const Start start{first, memory_, std::exchange(forces_due_, false)};
    if (target > first + 1 || start.forces_due || (refines && !looks_at_every_step()))
        save_start(start);
    const auto seen = make_steps(target, start);
    context_.statistics.steps += system_.step - first;
    const bool blew_up = seen.blown_up != StepState::nobody;
    const bool outrun = !minimises() && !blew_up && lists_.was_outrun();
    const auto mine = wish(seen, outrun || system_.step >= lists_.deadline());
    // Ranks with inexact lists do not meet in each step: the owner speaks alone.
    if (mine == Wish::blow_up && !system_.list.exact)
        report_blow_up(queue_, system_, seen.blown_up, system_.counts.lists_outrun);
    const auto all = lists_.agree(mine);
    if (all == Wish::blow_up)
        report_of_any(queue_, system_, seen.blown_up, system_.counts.lists_outrun);
    // With flat lists the next segment begins with the forces of this one's positions: they are one
    // submission with what follows, and the host looks at the new list when it looks at them.
    forces_due_ = Lists::flat && system_.domain == nullptr && !minimises() && system_.step < end;
    if (all == Wish::renewal && !minimum_found_) renew_lists(!forces_due_);
    if constexpr (Lists::flat)
        if (minimises()) lists_.fit_force_unit();
    if (!forces_due_) make(StepPart::after_forces);
}

/// What is left of the last segment's step, where no other segment follows.
template <class Lists>
void Stepper<Lists>::make_due_forces() {
    if (!std::exchange(forces_due_, false)) return;
    if constexpr (Lists::flat) lists_.fit_rows();
    make(StepPart::after_forces);
}

template <class Lists>
bool Stepper<Lists>::rows_were_short() const {
    if constexpr (Lists::flat) return lists_.rows_were_short();
    return false;
}

/// Steps up to the positions of `target`, and the state there. They are made again if the rows of
/// their list were too short for it, and up to where the list expired or a particle blew up before.
template <class Lists>
StepState Stepper<Lists>::make_steps(std::int64_t target, const Start& start) {
    auto seen = enqueue_refined(target, start);
    if constexpr (Lists::flat)
        if (rows_were_short()) {
            return_to(start);
            lists_.lengthen_rows();
            seen = enqueue_refined(target, start);
        }
    const auto stop = std::min(seen.expired_at, seen.blown_at);
    if (stop >= system_.step) return seen;
    return_to(start);
    return enqueue_refined(stop, start, true);
}

/// Where forces are due, there are none yet.
template <class Lists>
void Stepper<Lists>::save_start(const Start& start) {
    const auto& p = system_.particles;
    saved_position_.resize(queue_, p.n), saved_velocity_.resize(queue_, p.n);
    device::parallel_for(
        queue_, "save", std::max<std::int64_t>(p.n, 1),
        SaveMotion{p.n, p.position.data(), p.velocity.data(), context_.state(),
                   saved_position_.data(), saved_velocity_.data(), saved_state_.data()});
    device::copy(queue_, saved_chains_.view(), chains_.view());
    if (!start.forces_due) lists_.save_forces();
    leaf_stages_.save();
}

template <class Lists>
void Stepper<Lists>::return_to(const Start& start) {
    auto& p = system_.particles;
    device::copy(queue_, p.position.view(), saved_position_.view());
    device::copy(queue_, p.velocity.view(), saved_velocity_.view());
    device::copy(queue_, device::View<StepState>{context_.state(), 1}, saved_state_.view());
    device::copy(queue_, chains_.view(), saved_chains_.view());
    leaf_stages_.return_to_saved();
    if (start.forces_due)
        device::parallel_for(queue_, "coordinates", p.n,
                             StoreAll<KernelLayout>{p.position.data(), lists_.layout()});
    else
        lists_.return_to_saved_forces();
    follow_box();
    system_.counts.taken_back += system_.step - start.step;
    system_.step = start.step;
    memory_ = start.memory;
}

/// Steps up to the positions of `target`, or to those for which a list is due, without the forces
/// there; then reads the state back. `list_ends`: a new list follows in any case.
template <class Lists>
StepState Stepper<Lists>::enqueue(std::int64_t target, const Start& start, bool list_ends) {
    context_.begin_segment();
    auto part = start.forces_due ? StepPart::to_next_forces : StepPart::before_forces;
    for (;;) {
        make(part);
        ++system_.step;
        part = StepPart::to_next_forces;
        if (system_.step < target && system_.step < lists_.deadline()) continue;
        if constexpr (Lists::flat)
            if ((list_ends || system_.step >= lists_.deadline()) && system_.domain == nullptr)
                lists_.find_facts();
        return look();
    }
}

/// Ranks look at every step, and minimisers change the time step. Outside of segments the host
/// waits for constraints with a tolerance.
template <class Lists>
bool Stepper<Lists>::uses_graphs() const {
    if (!Lists::flat || system_.domain != nullptr || minimises()) return false;
    if (!in_segment_ && topology_.constraints && topology_.constraints->has_tolerance())
        return false;
    if (system_.graphs == Graphs::on_devices)
        return queue_.backend() != device::Backend::host &&
               device::gpu::vendor_of(device::gpu_vendor).graphs_pay;
    return system_.graphs == Graphs::always;
}

/// A part of the step that is current, as one submission where it can be.
template <class Lists>
void Stepper<Lists>::make(StepPart part) {
    const auto enqueue = [&] {
        if (part != StepPart::before_forces) after_forces();
        if (part != StepPart::after_forces) before_forces();
    };
    const auto& before = plan_.before_forces();
    const auto& after = plan_.after_forces();
    if (!uses_graphs() || before.size() + after.size() > 64) return enqueue();
    if constexpr (Lists::flat) {
        const auto remember_mesh = [&] { memory_.mesh_knows_box = mesh_ && mesh_->knows_box(); };
        remember_mesh();
        StepGraphs::Kind kind{part, 0, memory_};
        const auto note = [&](const auto& stages, std::int64_t step) {
            for (const auto& stage : stages)
                kind.stages = kind.stages << 1 | (stage.acts(step) ? 1 : 0);
        };
        if (part != StepPart::before_forces) note(after, system_.step);
        if (part != StepPart::after_forces) note(before, system_.step + 1);
        const auto frozen = [&] {
            return StepGraphs::Frozen{queue_.counts().allocations, lists_.shape()};
        };
        graphs_.make(queue_, kind, memory_, frozen, [&] {
            if (mesh_) mesh_->set_knows_box(memory_.mesh_knows_box);
            enqueue();
            remember_mesh();
        });
        if (mesh_) mesh_->set_knows_box(memory_.mesh_knows_box);
        if (part != StepPart::before_forces && plan_.acts(StageKind::barostat, system_.step))
            system_.coupled.barostat_at = system_.step;
    }
}

/// Steps as enqueue() does, with as many refinements of constraints as their tolerance needs.
template <class Lists>
StepState Stepper<Lists>::enqueue_refined(std::int64_t target, const Start& start, bool list_ends) {
    for (;;) {
        in_segment_ = true;
        const auto seen = enqueue(target, start, list_ends);
        in_segment_ = false;
        const auto at = seen.unsatisfied_at;
        if (at == StepState::never || at > seen.expired_at || at >= seen.blown_at ||
            rows_were_short())
            return seen;
        return_to(start);
        graphs_.clear();  // they hold the number of refinements
        if (topology_.constraints->refine_more()) continue;
        enqueue(at, start, false);
        throw_unsatisfied();
    }
}

template <class Lists>
void Stepper<Lists>::before_forces() {
    step_counted_ = false;
    std::span<const PlannedStage> stages = plan_.before_forces();
    while (!stages.empty()) {
        auto made = move_molecules(stages);
        if (made == 0) {
            made = 1;
            if (stages.front().acts(system_.step + 1)) run(stages.front());
        }
        stages = stages.subspan(made);
    }
    if (!step_counted_) device::parallel_for(queue_, "count step", 1, CountStep{context_.state()});
}

/// Where no stage comes between the kick that closes this step and the one that opens the next, the
/// two are made together.
template <class Lists>
void Stepper<Lists>::after_forces() {
    const auto step = system_.step;
    const auto& stages = plan_.after_forces();
    const bool wait =
        plan_.kick_may_wait() && std::none_of(stages.begin(), stages.end(), [&](const auto& stage) {
            return declaration(stage.kind).coupling && stage.acts(step);
        });
    for (const auto& stage : stages) {
        if (wait && stage.kind == StageKind::kick)
            memory_.kick_pending = true;
        else if (stage.acts(step))
            run(stage);
    }
}

template <class Lists>
void Stepper<Lists>::close_steps() {
    if (memory_.kick_pending) kick(0.5);
    memory_.kick_pending = false;
    fetch_couplings();
}

template <class Lists>
void Stepper<Lists>::renew_lists(bool waits) {
    auto& counts = system_.counts;
    const auto before = system_.collectives();
    ++counts.renewals;
    if (system_.step < lists_.deadline()) ++counts.early_renewals;
    if constexpr (Lists::flat) {
        if (lists_.sorts_next()) check_rotations();
        lists_.renew(waits);
    } else {
        check_rotations();
        lists_.renew();
    }
    memory_.forces_to_measure = true;
    counts.collectives_of_renewals += system_.collectives() - before;
}

template <class Lists>
void Stepper<Lists>::run(const PlannedStage& stage) {
    const double dt = system_.motion.dt;
    switch (stage.kind) {
        case StageKind::kick:
            return kick(stage.part);
        case StageKind::drift:
            return drift(stage.part);
        case StageKind::noise:
            return add_noise();
        case StageKind::kick_drift:
            return kick_and_drift(stage.part, stage.drift);
        case StageKind::kick_apart:
            return kick_and_drift(stage.part, 0);
        case StageKind::move:
            return move(stage.part);
        case StageKind::mix:
            return mix();
        case StageKind::power:
            return find_power(false);
        case StageKind::constrain_positions:
            return constrain_or_throw(stage.part * dt, true);
        case StageKind::constrain_velocities:
            return constrain_velocities();
        case StageKind::update_positions:
        case StageKind::update_velocities:
        case StageKind::update_columns:
            return update(stage);
        case StageKind::settle_positions:
            return constrain_or_throw(dt, false);
        case StageKind::change_box:
            return change_box();
        case StageKind::construct_sites:
            return construct_sites();
        case StageKind::store:
            return store();
        case StageKind::forces:
            lists_.take_columns();
            if (plan_.acts(StageKind::barostat, system_.step))
                compute_forces_and_virial();
            else
                compute_forces();
            if (std::exchange(memory_.forces_to_measure, false)) measure_forces();
            return;
        case StageKind::barostat:
            return apply_barostat();
        case StageKind::thermostat:
            return thermostat();
        case StageKind::scale_for_box:
            if (system_.coupling.barostat.kind == Barostat::parrinello_rahman)
                scale_velocities_for_box(&context_.state()->barostat.at_once);
            return;
        case StageKind::remove_drift:
            return stop_whole();
        case StageKind::renew_lists:   // at the end of a segment
        case StageKind::spread_sites:  // with the forces
            return;
    }
}

}  // namespace aureole::md
