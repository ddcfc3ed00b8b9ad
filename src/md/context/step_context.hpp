// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <optional>
#include <type_traits>

#include "device/copy.hpp"
#include "device/launch.hpp"
#include "device/reduce_ops.hpp"
#include "md/integrate/box_forms.hpp"
#include "md/integrate/list_report.kernel.hpp"
#include "md/integrate/motion_counts_launch.hpp"
#include "md/list_plan/drift_buffer.hpp"
#include "md/list_plan/list_rules.hpp"
#include "md/neighbor/local_density.hpp"
#include "md/system/engine.hpp"

namespace aureole::md {

/// Data that pair lists, forces and stages of one simulation have in common.
class StepContext {
  public:
    /// `cluster`: particles that a pair list takes together.
    /// `box_on_device`: kernels read the box there, as it changes while the host does not look.
    StepContext(device::Queue& queue, System& system, int cluster, bool box_on_device);

    MotionColumns columns() { return motion_columns(system.particles); }
    /// Sets the device's state to the step that is current.
    void set_state();
    /// Resets the device's state before a segment of steps.
    void begin_segment();
    /// Brings the device's state here, and with it the box, what couplings remember, and the facts
    /// about the list.
    StepState look();
    StepState* state() { return &record_.data()->state; }
    const StepState* state() const { return &record_.data()->state; }
    ListReport* list_report() { return &record_.data()->list; }
    /// Lets the next look() bring the facts about the list that was made at a step: nobody has to
    /// wait for them one by one then. Not for several ranks.
    template <class T>
    void find_list_facts(const Dense<T>& layout, std::int64_t made_at);
    /// The facts of the last look, if they are those of the present step, or null.
    const ListReport* list_facts() const {
        return facts_at_ == system.step ? &list_seen_ : nullptr;
    }
    /// Particles have changed since the last look.
    void forget_list_facts() { facts_at_ = -1; }
    /// Lengths of rows that did not fit, at the last look, or now.
    const std::uint32_t* rows_needed() const { return list_seen_.needed; }
    const std::uint32_t* read_rows_needed();
    /// The box as kernels are to read it.
    BoxRef box() const { return {&system.box, box_on_device_ ? box_forms_.data() : nullptr}; }
    /// Renews the kernels' copies of the box after the box of the device's state has changed.
    void box_has_changed();
    MotionSums motion_sums() { return motion_sums(columns()); }
    MotionSums motion_sums(const MotionColumns& moving);
    /// Sums over motion, which set the thermal speed that lists are planned by.
    MotionSums measure_speed();
    /// Notes which particles move, at the start of a run with tolerance lists.
    void begin_watch();
    /// The density and the speed that new lists are planned for. `anew`: the density is looked at.
    void expect_density();
    void expect_motion(const MotionSums& sums, bool anew = true);
    /// Conditions that lists are planned by, with the limit from the box.
    ListConditions list_conditions(double largest_limit) {
        return {.r_cut = r_cut,
                .thermal_speed = thermal_speed,
                .fastest = fastest(),
                .moves = watch.anything_moves(),
                .density = density(),
                .largest_limit = largest_limit,
                .drift = drift ? &*drift : nullptr};
    }
    /// The step at which the motion of particles is looked at next: at the latest the deadline of
    /// the list, for tolerance lists each one until these have proven to last.
    std::int64_t next_look(std::int64_t deadline) const {
        return system.list.exact || is_calm() ? deadline : system.step + 1;
    }
    /// Whether particles went farther than a tolerance list of the step `made_at` allows: the list
    /// is to be renewed then, and later ones are planned accordingly. `widths`: calls f(needed,
    /// had) for each width of the list. All ranks call it together.
    template <class KernelLayout, class Widths>
    bool is_outrun(const KernelLayout& layout, std::int64_t made_at, std::int64_t deadline,
                   Widths&& widths);
    /// Temperature for which lists are made: that of the thermostats, or else that of the
    /// particles.
    double kT_of_lists();
    void make_drift_buffer(const DriftBuffer::Conditions& at);
    /// Makes the widths of lists follow from the motion that is assumed now.
    void assume_motion() {
        if (drift) drift->assume(drift_conditions, drift_volumes, watch);
    }

    /// Throws core::BlowUpError for a particle without a finite position; before every sort.
    void check_positions();
    /// Brings all columns into a new order; see AnyColumn::permute().
    void permute_columns(const std::int32_t* order);
    /// Frees the working memory of permute_columns(), for lists that need theirs then.
    void give_room_to_sort_back() { room_to_sort_ = {}; }
    /// Sums of each particle with those of bonded terms and external forces, from those of pairs of
    /// particles and ghosts. All ranks call it together.
    ParticleSums with_other_terms(std::vector<EnergyVirial> of_pairs);

    /// f over all particles, as `op` combines it.
    template <class Value, class F, class Op = device::Sum>
    Value reduced(const char* name, const F& f, const Op& op = {}) {
        static_assert(std::is_trivially_copyable_v<Value> && sizeof(Value) <= most_sum_bytes);
        auto* const out = reinterpret_cast<Value*>(sum_.data());
        device::parallel_reduce<Value>(queue, name, system.particles.n, Value{}, f, op, out);
        Value value;
        device::copy_to_host(queue, &value, device::View<const Value>{out, 1});
        return system.combine(value, op);
    }

    /// Values in device memory, which become those of all ranks together: sums, or what `op`
    /// makes of them.
    template <class Value, class Op = device::Sum>
    void combine_on_device(Value* at, std::int64_t n = 1, const Op& op = {}) {
        if (system.domain == nullptr) return;
        const device::View<Value> values{at, n};
        auto on_host = download(queue, device::View<const Value>(values));
        for (auto& value : on_host) value = system.combine(value, op);
        device::copy_from_host(queue, values, on_host.data());
    }

    device::Queue& queue;
    System& system;
    const double r_cut;
    Profile profile;
    std::optional<DriftBuffer> drift;
    DriftBuffer::Conditions drift_conditions;  ///< of tolerance lists
    DriftBuffer::Volumes drift_volumes;
    ListWatch watch;
    Column<Vec3d>& before;  ///< positions before a move, or a descent
    ListStatistics statistics;
    double thermal_speed = 0;
    double dof = 0;  ///< degrees of freedom
    /// Root mean square of a component, as particles have it or as thermostats will give it to
    /// them.
    double usual_momentum = 0;
    double mean_square_force = 0;  ///< when it was last measured
    double density() const {
        return static_cast<double>(system.n_total()) / drift_conditions.volume;
    }
    /// Root mean square of a component of the fastest particles' velocities, as assumed.
    double fastest() const { return std::sqrt(drift_conditions.kT) * watch.fastest(); }

  private:
    static constexpr std::size_t most_sum_bytes = 256;

    /// Whether lists need no look in each step: a field that changes with time may push suddenly.
    bool is_calm() const { return watch.is_calm() && !system.field.changes(); }

    /// Particles have moved with a list for some time. Returns whether some went farther than was
    /// assumed, as is assumed from then on.
    template <class KernelLayout>
    bool see_motion(const KernelLayout& layout, double time);
    double kT_of_thermostats() const;
    double kT_of_motion(const MotionSums& sums) const;
    MotionClasses classes_of_motion();
    MotionCounts count_speeds(double kT, double of_sites);
    MotionCounts counted();
    void forget_counts();
    /// What displacements after some time are counted by.
    MotionScale scale_of_displacements(double time) const {
        return watch.scale(drift_conditions.kT, time, true);
    }
    bool counts_displacements() const {
        return !system.list.exact && watch.anything_moves() && drift_conditions.kT > 0;
    }

    const int cluster_;
    const bool box_on_device_;
    device::Buffer<StepRecord> record_;
    ListReport list_seen_;
    std::int64_t facts_at_ = -1, asked_at_ = -1;  ///< steps
    device::Buffer<BoxForms> box_forms_;
    device::Buffer<double> sum_;  ///< that of reduced()
    device::Buffer<MotionCounts> counts_;
    LocalDensity local_density_;
    device::Buffer<double> attraction_;  ///< of each type; see CountedParticles
    device::Buffer<std::byte> room_to_sort_;
};

template <class KernelLayout>
bool StepContext::see_motion(const KernelLayout& layout, double time) {
    if (!counts_displacements()) return false;
    const auto count = [&] {
        forget_counts();
        count_motion(queue, system.particles.n,
                     CountMotion<KernelLayout>{classes_of_motion(), layout,
                                               scale_of_displacements(time), counts_.data()});
        return counted();
    };
    const auto* const known = list_facts();
    if (!watch.see(known != nullptr ? known->counts : count())) return false;
    assume_motion();
    return true;
}

template <class T>
void StepContext::find_list_facts(const Dense<T>& layout, std::int64_t made_at) {
    const double time = static_cast<double>(system.step - made_at) * system.motion.dt;
    const auto& p = system.particles;
    const bool counts = counts_displacements();
    const CountMotion<Dense<T>> count{classes_of_motion(), layout,
                                      counts ? scale_of_displacements(time) : MotionScale{},
                                      &list_report()->counts};
    device::parallel_reduce<ListFacts>(
        queue, "list facts", p.n, ListFacts{},
        SumListFacts<Dense<T>>{
            {columns()}, state(), p.position.data(), p.tag.data(), count, counts},
        device::Sum{}, &list_report()->facts);
    asked_at_ = system.step;
}

template <class KernelLayout, class Widths>
bool StepContext::is_outrun(const KernelLayout& layout, std::int64_t made_at, std::int64_t deadline,
                            Widths&& widths) {
    constexpr double enough = 1.02;  // widths are upper bounds by more than this
    if (system.list.exact || (is_calm() && system.step < deadline)) return false;
    if (!see_motion(layout, static_cast<double>(system.step - made_at) * system.motion.dt))
        return false;
    bool outrun = false;
    widths([&](double needed, double had) { outrun |= needed > enough * had; });
    if (outrun) watch.list_was_outrun(), ++system.counts.lists_outrun;
    return outrun;
}

/// The least distance between opposite faces along which the box is periodic; infinity without.
double smallest_periodic_face(const core::Box& box);

/// Throws core::Error for a box that is too small for the cut-off; `longest`: the longest cut-off
/// that it allows.
[[noreturn]] void throw_no_room(double longest, std::int64_t step);
/// Calls throw_no_room() if the box is too small; `flat`: as `by_faces` of longest_cut_off().
void check_room(const System& system, double r_cut, bool flat, std::int64_t step);

}  // namespace aureole::md
