// SPDX-License-Identifier: Apache-2.0
#include "md/context/step_context.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/error.hpp"
#include "md/bonded/bonded_force.hpp"
#include "md/box/longest_cut_off.hpp"
#include "md/context/blow_up.hpp"
#include "md/external/external_forces.hpp"
#include "md/integrate/segment.kernel.hpp"

namespace aureole::md {

StepContext::StepContext(device::Queue& queue_of, System& system_of, int cluster,
                         bool box_on_device)
    : queue(queue_of),
      system(system_of),
      r_cut(largest_cut_off(system_of)),
      before(system_of.particles.column<Vec3d>(
          {.name = "position before", .unit = "length", .in_checkpoints = false})),
      cluster_(cluster),
      box_on_device_(box_on_device),
      record_(queue_of, 1),
      box_forms_(queue_of, 1),
      sum_(queue_of, most_sum_bytes / sizeof(double)),
      counts_(queue_of, 1),
      local_density_(queue_of) {
    const StepRecord none{};
    device::copy_from_host(queue, record_.view(), &none);
    set_state();
}

void StepContext::set_state() {
    StepState begin;
    begin.step = system.step, begin.heat = system.coupled.heat;
    begin.box = system.box, begin.barostat = system.coupled.barostat;
    begin.square_of_forces = mean_square_force * static_cast<double>(system.n_total());
    device::copy_from_host(queue, device::View<StepState>{state(), 1}, &begin);
    box_has_changed();
}

void StepContext::box_has_changed() {
    if (box_on_device_)
        device::parallel_for(queue, "box", 1, SetBoxForms{state(), box_forms_.data()});
}

void StepContext::begin_segment() {
    device::parallel_for(queue, "begin segment", 1, BeginSegment{state()});
}

StepState StepContext::look() {
    StepState seen;
    if (!box_on_device_) {
        device::copy_to_host(queue, &seen, device::View<const StepState>{state(), 1});
    } else {
        StepRecord record;
        device::copy_to_host(queue, &record, device::View<const StepRecord>(record_.view()));
        seen = record.state, list_seen_ = record.list;
        facts_at_ = std::exchange(asked_at_, -1);
    }
    system.box = seen.box;
    system.coupled.heat = seen.heat, system.coupled.barostat = seen.barostat;
    mean_square_force = seen.square_of_forces / static_cast<double>(system.n_total());
    return seen;
}

const std::uint32_t* StepContext::read_rows_needed() {
    device::copy_to_host(queue, list_seen_.needed,
                         device::View<const std::uint32_t>{list_report()->needed, 2});
    return list_seen_.needed;
}

MotionSums StepContext::motion_sums(const MotionColumns& moving) {
    return reduced<MotionSums>("motion sums", SumMotion{moving});
}

MotionSums StepContext::measure_speed() {
    const auto* const known = list_facts();
    const auto sums = known != nullptr ? known->facts.motion : motion_sums();
    thermal_speed = sums.mass > 0 ? std::sqrt(sums.twice_kinetic.trace() / (3 * sums.mass)) : 0;
    const double mass = sums.mass / static_cast<double>(system.n_total());
    usual_momentum = std::max(mass * thermal_speed, std::sqrt(mass * kT_of_thermostats()));
    dof = degrees_of_freedom(system, sums);
    return sums;
}

double StepContext::kT_of_thermostats() const {
    double kT = system.motion.thermostat != GlobalThermostat::none ? system.motion.kT : 0;
    if (system.motion.coupled)
        for (const auto& group : system.coupling.groups) {
            kT = std::max(kT, group.kT);
            for (const double point : group.kTs) kT = std::max(kT, point);
        }
    return kT;
}

double StepContext::kT_of_motion(const MotionSums& sums) const {
    const double axes = degrees_of_freedom(system, sums);
    return axes > 0 ? sums.twice_kinetic.trace() / axes : 0;
}

double StepContext::kT_of_lists() {
    const double kT = kT_of_thermostats();
    return kT > 0 ? kT : kT_of_motion(motion_sums());
}

void StepContext::make_drift_buffer(const DriftBuffer::Conditions& at) {
    drift.reset();
    drift_conditions = at, drift_volumes = {at.volume, at.volume};
    if (system.nonbonded && !system.list.exact) drift.emplace(queue, system, at, cluster_);
}

void StepContext::forget_counts() {
    const MotionCounts none;
    device::copy_from_host(queue, counts_.view(), &none);
}

MotionCounts StepContext::counted() {
    MotionCounts counts;
    device::copy_to_host(queue, &counts, counts_.view());
    return system.combine(counts);
}

MotionClasses StepContext::classes_of_motion() {
    auto& charge = system.particles.charge;
    return {columns(), charge.in_use() ? charge.data() : nullptr, watch.state().whole.lightest};
}

MotionCounts StepContext::count_speeds(double kT, double of_sites) {
    forget_counts();
    device::parallel_for(
        queue, "count speeds", system.particles.n,
        CountSpeeds{classes_of_motion(), watch.scale(kT, 1, false), counts_.data(), of_sites});
    return counted();
}

void StepContext::begin_watch() {
    watch.forget();
    if (system.list.exact) return;
    const double inverse =
        reduced<double>("lightest mass", InverseOfMovingMass{columns()}, device::Max{});
    if (inverse == 0) return;
    watch.begin(1 / inverse);
    watch.count(count_speeds(1, mass_of_sites));
}

namespace {

/// The root of what each type brings to C₆ at most, or to C₁₂ at the cut-off, in parts of the
/// largest.
std::vector<double> attraction_of(const NonbondedSpec& spec) {
    const auto n = static_cast<std::size_t>(spec.n_types);
    const double at_cut_off = std::pow(spec.r_vdw, -6);
    std::vector<double> of_types(n, 0.0);
    for (std::size_t k = 0; k < n * n; ++k)
        of_types[k / n] = std::max(
            of_types[k / n], std::sqrt(std::abs(spec.c6[k]) + at_cut_off * std::abs(spec.c12[k])));
    const double most = *std::ranges::max_element(of_types);
    if (most > 0)
        for (auto& one : of_types) one /= most;
    return of_types;
}

}  // namespace

void StepContext::expect_density() {
    const auto* const domain = system.domain;
    auto& p = system.particles;
    CountedParticles of{p.position.data(), nullptr, nullptr, nullptr};
    if (drift) {
        if (attraction_.size() == 0)
            attraction_ = to_device(queue, attraction_of(system.nonbonded->spec()));
        of.type = p.type.data(), of.attraction = attraction_.data();
        if (p.charge.in_use()) of.charge = p.charge.data();
    }
    const Frame part = domain != nullptr ? domain->frame() : Frame{};
    const auto seen = system.combine(local_density_.see(system.box, part, r_cut, of, p.n));
    const auto follow = [&](double OfContent::*content, double& assumed) {
        assumed = seen.volume(content, assumed, system.box.volume());
    };
    follow(&OfContent::particles, drift_conditions.volume);
    follow(&OfContent::charge, drift_volumes.charges);
    follow(&OfContent::attraction, drift_volumes.attraction);
}

void StepContext::expect_motion(const MotionSums& sums, bool anew) {
    if (system.list.exact || !watch.anything_moves()) return;
    if (r_cut > 0 && (anew || !is_calm())) expect_density();
    // Where something is held, it does not take part in the motion of the whole.
    const bool together = columns().moves == nullptr && sums.mass > 0;
    watch.begin_list(together ? 1 / sums.mass * sums.momentum : Vec3d{});
    auto& kT = drift_conditions.kT;
    if (kT_of_thermostats() == 0) {
        // A system may heat itself, as one that starts at rest does: by more than chance does.
        const double now = kT_of_motion(sums), axes = degrees_of_freedom(system, sums);
        if (now > (1.05 + std::sqrt(2 / axes)) * kT) watch.heated(kT / now), kT = now;
    }
    if (!is_calm() && kT > 0) watch.expect(count_speeds(kT, 0));
    assume_motion();
}

void StepContext::check_positions() {
    const auto& p = system.particles;
    if (const auto* const known = list_facts())
        return report_of_any(queue, system, known->facts.lost, system.counts.lists_outrun);
    auto* const out = reinterpret_cast<Tag*>(sum_.data());
    device::parallel_reduce<Tag>(queue, "lost particles", p.n, StepState::nobody,
                                 LostTag{system.box, p.position.data(), p.tag.data()},
                                 device::Min{}, out);
    Tag lost = StepState::nobody;
    device::copy_to_host(queue, &lost, device::View<const Tag>{out, 1});
    report_of_any(queue, system, lost, system.counts.lists_outrun);
}

void StepContext::permute_columns(const std::int32_t* order) {
    auto& p = system.particles;
    if (box_on_device_)  // where launches cost more than memory
        p.permute(queue, order, room_to_sort_);
    else
        p.for_each_column([&](AnyColumn& column) { column.permute(queue, order, room_to_sort_); });
    ++p.generation;
}

ParticleSums StepContext::with_other_terms(std::vector<EnergyVirial> sums) {
    const auto& p = system.particles;
    if (system.domain != nullptr) system.domain->return_to_owners(queue, p, sums);
    const auto tags = download_tags(queue, p);
    if (!system.bonded.empty())
        add_particle_sums(system.bonded, system.box,
                          system.by_tag(download(queue, p.position), tags), tags, sums);
    StepState now;
    now.step = system.step, now.box = system.box;
    for_each_external(queue, p, system.externals, {&now, system.coupling.start, system.motion.dt},
                      [&](std::size_t, std::size_t i, const ExternalResult& one) {
                          sums[i] += EnergyVirial{one.energy, {}};
                      });
    ParticleSums by_kind;
    for (const auto& one : sums)
        by_kind.energy.push_back(one.energy), by_kind.virial.push_back(one.virial);
    return by_kind;
}

double smallest_periodic_face(const core::Box& box) {
    const auto face = box.face_distances();
    double least = std::numeric_limits<double>::infinity();
    if (box.periodic_x) least = std::min(least, face.x);
    if (box.periodic_y) least = std::min(least, face.y);
    if (box.periodic_z) least = std::min(least, face.z);
    return least;
}

void throw_no_room(double longest, std::int64_t step) {
    throw core::Error(
        "the box has become too small for the cut-off",
        "half of the box is " + std::to_string(longest) + " at step " + std::to_string(step),
        "Start with a larger box.");
}

void check_room(const System& system, double r_cut, bool flat, std::int64_t step) {
    const double longest = longest_cut_off(system.box, flat);
    if (!(r_cut <= longest)) throw_no_room(longest, step);
}

}  // namespace aureole::md
