// SPDX-License-Identifier: Apache-2.0
#include "md/integrate/constraints/constraints.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "device/copy.hpp"
#include "device/launch.hpp"
#include "device/reduce_ops.hpp"
#include "md/integrate/constraints/lanes.kernel.hpp"
#include "md/integrate/constraints/regions.hpp"

namespace aureole::md {

namespace {

constexpr int most_ranks = 64;

/// Passes after which convergence is given up.
constexpr int most_refinements = 200;

/// Coupled constraints per region on devices with many lanes: few enough that a team is soon done.
constexpr std::int64_t team_region = 192;

std::int64_t count(const std::vector<std::vector<Bond>>& coupled) {
    std::int64_t n = 0;
    for (const auto& bonds : coupled) n += static_cast<std::int64_t>(bonds.size());
    return n;
}

/// Tags below n that belong to no water and no group.
std::vector<Tag> others_than(const ConstraintGroups& groups, std::size_t n) {
    std::vector<bool> taken(n, false);
    const auto take = [&](const std::vector<Tag>& tags) {
        for (const auto tag : tags) taken[static_cast<std::size_t>(tag)] = true;
    };
    for (const auto& water : groups.waters) take(water.tags);
    for (const auto& group : groups.groups) take(group.tags);
    std::vector<Tag> others;
    for (std::size_t i = 0; i < n; ++i)
        if (!taken[i]) others.push_back(static_cast<Tag>(i));
    return others;
}

}  // namespace

Constraints::Constraints(device::Queue& queue, const ConstraintSpec& spec, Path path)
    : lanes_(path == Path::lanes ||
             (path == Path::automatic && queue.backend() != device::Backend::host)),
      solutions_(1 + spec.iterations),
      tolerance_(spec.tolerance),
      sums_(queue, 1),
      all_sums_(queue, 1),
      deviations_(queue, 1),
      largest_rate_(queue, 1) {
    const auto sorted = sort_constraints(spec);
    settle_.resize(sorted.waters.size());
    for (std::size_t k = 0; k < sorted.waters.size(); ++k) {
        const auto& water = sorted.waters[k];
        waters_.emplace_back(queue, 3, water.tags);
        const double height = std::sqrt(water.d_oh * water.d_oh - 0.25 * water.d_hh * water.d_hh);
        const double to_o = 2 * water.mass_h * height / (water.mass_o + 2 * water.mass_h);
        settle_[k].mass_o = water.mass_o, settle_[k].mass_h = water.mass_h;
        settle_[k].d_oh = water.d_oh, settle_[k].d_hh = water.d_hh;
        settle_[k].to_o = to_o, settle_[k].to_h = height - to_o;
        settle_[k].half_hh = 0.5 * water.d_hh;
    }
    for (std::size_t shape = 0; shape < groups_.size(); ++shape)
        groups_[shape] =
            PackedGroups(queue, sorted.groups[shape], spec.mass, spec.constraint.parameters);
    // Only a host has threads to divide the regions among.
    const auto size = lanes_ ? RegionSize{team_region, team_region}
                             : size_of_regions(count(sorted.coupled), queue.threads());
    make_regions(queue, spec, plan_regions(sorted.coupled, spec, size));
    make_measures(queue, spec);
    if (lanes_) singles_ = PackedGroups(queue, 1, others_than(sorted, spec.mass.size()));
    collect_tables();
    collect_molecules();
    slot_sums_ = device::Buffer<ConstraintSums>(queue, lanes_ ? slots_ : 0);
}

Constraints::Constraints(device::Queue& queue, const ConstraintSpec& measured,
                         const RegionPlan& regions)
    : lanes_(false),
      solutions_(1 + measured.iterations),
      tolerance_(0),
      sums_(queue, 1),
      deviations_(queue, 1),
      largest_rate_(queue, 1) {
    make_regions(queue, measured, regions);
    make_measures(queue, measured);
    collect_tables();
}

void Constraints::make_regions(device::Queue& queue, const ConstraintSpec& spec,
                               const RegionPlan& plan) {
    const auto n = static_cast<std::int64_t>(plan.a.size());
    const auto atoms = static_cast<std::int64_t>(plan.tag.size());
    region_ = device::Buffer<Region>(queue, static_cast<std::int64_t>(plan.regions.size()));
    device::copy_from_host(queue, region_.view(), plan.regions.data());
    region_tag_ = to_device(queue, plan.tag);
    region_tag_a_ = to_device(queue, plan.tag_a), region_tag_b_ = to_device(queue, plan.tag_b);
    region_index_ = device::Buffer<std::int32_t>(queue, atoms);
    region_index_a_ = device::Buffer<std::int32_t>(queue, n);
    region_index_b_ = device::Buffer<std::int32_t>(queue, n);
    region_a_ = to_device(queue, plan.a), region_b_ = to_device(queue, plan.b);
    region_coupled_ = to_device(queue, plan.coupled), region_bond_ = to_device(queue, plan.bond);
    region_scale_ = to_device(queue, plan.scale), region_weight_ = to_device(queue, plan.weight);
    region_coupling_ = to_device(queue, plan.coupling);
    region_pull_ = to_device(queue, plan.pull);
    region_rows_ = plan.row;
    std::vector<double> lengths;
    for (const auto row : plan.row)
        lengths.push_back(spec.constraint.parameters[static_cast<std::size_t>(row)]);
    region_length_ = to_device(queue, lengths);
    of_constraints_ = device::Buffer<double>(queue, constraint_rows * n);
    of_couplings_ = device::Buffer<double>(queue, static_cast<std::int64_t>(plan.coupled.size()));
    of_atoms_ = device::Buffer<double>(queue, 3 * atoms);
    tables_.cut = plan.cut;
}

void Constraints::collect_tables() {
    slots_ = region_.size();
    for (std::size_t k = 0; k < waters_.size(); ++k) {
        const auto packed = waters_[k].tables();
        settle_[k].atom = packed.atom, settle_[k].count = packed.count;
        settle_[k].packs = packed.packs;
        slots_ += waters_[k].slots();
    }
    settle_in_use_ = std::make_shared<const std::vector<SettleTables>>(settle_);
    tables_.settle = settle_in_use_->data();
    tables_.settles = static_cast<int>(settle_.size());
    for (std::size_t shape = 0; shape < groups_.size(); ++shape) {
        tables_.group[shape] = groups_[shape].tables();
        slots_ += groups_[shape].slots();
    }
    auto& r = tables_.region;
    r.region = region_.data(), r.regions = region_.size();
    r.atom = region_index_.data();
    r.index_a = region_index_a_.data(), r.index_b = region_index_b_.data();
    r.a = region_a_.data(), r.b = region_b_.data();
    r.length = region_length_.data(), r.scale = region_scale_.data();
    r.weight = region_weight_.data();
    r.coupled = region_coupled_.data(), r.coupling = region_coupling_.data();
    r.bond = region_bond_.data(), r.pull = region_pull_.data();
    r.of_constraints = of_constraints_.data(), r.of_couplings = of_couplings_.data();
    r.of_atoms = of_atoms_.data();
    r.all_constraints = region_a_.size(), r.all_atoms = region_tag_.size();
}

void Constraints::collect_molecules() {
    if (!lanes_ || tolerance_ > 0 || settle_.size() > MoleculeSlots::most_waters) return;
    MoleculeSlots slots{};
    std::int64_t end = 0;
    int part = 0;
    const auto add = [&](std::int64_t packs) {
        constexpr std::int64_t warp = 32;
        end += (packs * pack_lanes + warp - 1) / warp * warp;
        slots.end[part++] = end;
    };
    for (std::size_t k = 0; k < MoleculeSlots::most_waters; ++k) {
        if (k < settle_.size()) slots.water[k] = settle_[k];
        add(slots.water[k].packs);
    }
    for (std::size_t shape = 0; shape < groups_.size(); ++shape) {
        slots.group[shape] = tables_.group[shape];
        add(slots.group[shape].packs);
    }
    slots.single = singles_.tables();
    add(slots.single.packs);
    molecules_ = slots;
}

void Constraints::localise(device::Queue& queue, const TagMap& all) {
    for (auto& water : waters_) water.localise(queue, all);
    for (auto& group : groups_) group.localise(queue, all);
    if (molecules_) singles_.localise(queue, all);
    const auto index = [&](const device::Buffer<Tag>& tags, device::Buffer<std::int32_t>& to) {
        device::parallel_for(queue, "localise tags", tags.size(),
                             FindIndices{tags.data(), all.indices(), to.data()});
    };
    index(region_tag_, region_index_);
    index(region_tag_a_, region_index_a_), index(region_tag_b_, region_index_b_);
    index(measured_tag_, measured_index_);
}

ConstraintPass Constraints::pass_of(const ConstraintMove& move) const {
    return {move.box,        move.reference.data, move.position.data, move.velocity.data,
            move.inverse_dt, solutions_,          move.want_sums,     move.refines};
}

bool Constraints::enqueue(device::Queue& queue, const ConstraintMove& move) {
    const auto pass = pass_of(move);
    const device::View<const core::Vec3d> position{move.position.data, move.position.size};
    const auto measure = [&] { return measure_deviation(queue, move.box, position); };
    return run_until_satisfied(queue, pass, move.unsatisfied, measure);
}

bool Constraints::enqueue_velocities(device::Queue& queue, const VelocityCorrection& correction) {
    const ConstraintPass pass{correction.box,           correction.position.data, nullptr,
                              correction.velocity.data, correction.inverse_time,  solutions_,
                              correction.want_sums,     correction.refines};
    const auto measure = [&] { return measure_rate(queue, correction); };
    return run_until_satisfied(queue, pass, correction.unsatisfied, measure);
}

/// One pass, or as many as the tolerance needs; `measure` enqueues the search for the largest
/// violation, and returns where that will be.
template <class Measure>
bool Constraints::run_until_satisfied(device::Queue& queue, ConstraintPass pass,
                                      std::uint32_t* unsatisfied, const Measure& measure) {
    const bool velocities = pass.position == nullptr;
    run(queue, pass, velocities);
    if (empty() || tolerance_ == 0) return true;
    if (unsatisfied != nullptr) {
        refine_on_device(queue, pass, unsatisfied, measure);
        return true;
    }
    const auto off = [&] {
        double found = 0;
        device::copy_to_host(queue, &found, device::View<const double>{measure(), 1});
        return found;
    };
    auto sums = read_sums(queue, pass.want_sums);
    bool satisfied = off() <= tolerance_;
    pass.refines = true;
    for (int k = 0; k < most_refinements && !satisfied; ++k) {
        run(queue, pass, velocities);
        if (pass.want_sums) sums = sums + read_sums(queue, true);
        satisfied = off() <= tolerance_;
    }
    if (pass.want_sums) device::copy_from_host(queue, sums_.view(), &sums);
    return satisfied;
}

/// Refinements of which those do nothing that come after the tolerance was reached.
template <class Measure>
void Constraints::refine_on_device(device::Queue& queue, ConstraintPass pass,
                                   std::uint32_t* unsatisfied, const Measure& measure) {
    pass.refines = true, pass.tolerance = tolerance_;
    const auto add = [&](bool first) {
        if (pass.want_sums)
            device::parallel_for(queue, "add pass", 1,
                                 AddPass{sums_.data(), all_sums_.data(), first});
    };
    add(true);
    for (int k = 0; k < refinements_; ++k) {
        pass.off = measure();
        run(queue, pass, pass.position == nullptr);
        add(false);
    }
    device::parallel_for(queue, "check constraints", 1,
                         JudgeConstraints{measure(), tolerance_, unsatisfied});
    if (pass.want_sums) device::copy(queue, sums_.view(), all_sums_.view());
}

bool Constraints::refine_more() {
    if (refinements_ == most_refinements) return false;
    refinements_ = std::min(2 * refinements_, most_refinements);
    return true;
}

ConstraintSums Constraints::apply(device::Queue& queue, const ConstraintMove& move) {
    enqueue(queue, move);
    return read_sums(queue, move.want_sums);
}

ConstraintSums Constraints::apply_velocities(device::Queue& queue,
                                             const VelocityCorrection& correction) {
    enqueue_velocities(queue, correction);
    return read_sums(queue, correction.want_sums);
}

ConstraintSums Constraints::read_sums(device::Queue& queue, bool wanted) {
    ConstraintSums sums;
    if (wanted && !empty()) device::copy_to_host(queue, &sums, sums_.view());
    return sums;
}

void Constraints::run(device::Queue& queue, const ConstraintPass& pass, bool velocities) {
    if (empty() && region_.size() == 0) return;
    if (!lanes_)
        run_packs(queue, pass, velocities);
    else if (velocities)
        run_lanes<true>(queue, pass);
    else
        run_lanes<false>(queue, pass);
}

void Constraints::run_packs(device::Queue& queue, const ConstraintPass& pass, bool velocities) {
    const auto kernels = constraint_kernels();
    const auto kernel = velocities ? kernels.velocities : kernels.move;
    device::host_task(queue, "constraints",
                      [tables = tables_, kept = settle_in_use_, pass, kernel,
                       out = sums_.data()](device::ThreadPool& pool) {
                          struct alignas(device::cache_line) Part {
                              ConstraintSums sums;
                          };
                          Part part[most_ranks];
                          const int ranks = std::min(pool.size(), most_ranks);
                          pool.run([&](int rank) {
                              if (rank < ranks)
                                  part[rank].sums = kernel(tables, pass, {rank, ranks});
                          });
                          if (tables.cut)
                              pool.run([&](int rank) {
                                  if (rank >= ranks) return;
                                  const Partition partition{rank, ranks};
                                  const auto end = partition.end(tables.region.regions);
                                  for (auto r = partition.begin(tables.region.regions); r < end;
                                       ++r)
                                      finish_region(tables.region, pass, r, Solo{});
                              });
                          ConstraintSums all;
                          for (int rank = 0; rank < ranks; ++rank) all = all + part[rank].sums;
                          if (pass.want_sums) *out = all;
                      });
}

template <class Shape, bool velocities>
std::int64_t Constraints::run_shape(device::Queue& queue, const ConstraintPass& pass,
                                    std::int64_t slot) {
    const auto& group = groups_[shape_number<Shape>];
    device::parallel_for(
        queue, "group constraints", group.slots(),
        GroupLane<Shape, velocities>{group.tables(), pass, slot_sums_.data() + slot});
    return slot + group.slots();
}

template <bool velocities>
void Constraints::run_lanes(device::Queue& queue, const ConstraintPass& pass) {
    std::int64_t slot = 0;
    for (const auto& water : settle_) {
        const std::int64_t n = water.packs * pack_lanes;
        device::parallel_for(queue, "settle", n,
                             SettleLane<velocities>{water, pass, slot_sums_.data() + slot});
        slot += n;
    }
    slot = run_shape<Star<1>, velocities>(queue, pass, slot);
    slot = run_shape<Star<2>, velocities>(queue, pass, slot);
    slot = run_shape<Star<3>, velocities>(queue, pass, slot);
    slot = run_shape<Star<4>, velocities>(queue, pass, slot);
    slot = run_shape<Triangle, velocities>(queue, pass, slot);
    slot = run_shape<Tetrahedron, velocities>(queue, pass, slot);
    run_regions(queue, pass, slot);
    if (pass.want_sums)
        device::parallel_reduce<ConstraintSums>(queue, "constraint sums", slots_, ConstraintSums{},
                                                ReadConstraintSums{slot_sums_.data()},
                                                device::Sum{}, sums_.data());
}

void Constraints::run_regions(device::Queue& queue, const ConstraintPass& pass, std::int64_t slot) {
    const device::TeamPolicy policy{region_.size(), 32, 0};
    device::team_for(queue, "coupled constraints", policy,
                     RegionTeam{tables_.region, pass, slot_sums_.data() + slot});
    device::team_for(queue, "finish constraints", policy, FinishRegion{tables_.region, pass});
}

void Constraints::enqueue_coupled(device::Queue& queue, const ConstraintMove& move) {
    run_regions(queue, pass_of(move), 0);
}

void Constraints::set_lengths(device::Queue& queue, const std::vector<double>& lengths) {
    std::int32_t rows = 0;
    for (const auto row : measured_rows_) rows = std::max(rows, row + 1);
    if (static_cast<std::size_t>(rows) > lengths.size() ||
        !std::ranges::all_of(lengths, [](double d) { return d > 0 && std::isfinite(d); }))
        throw core::InputError("the new constraint lengths are invalid",
                               "each parameter row needs one positive length",
                               "Give " + std::to_string(rows) + " lengths.");
    for (auto& group : groups_) group.set_lengths(queue, lengths);
    std::vector<double> of_regions;
    for (const auto row : region_rows_)
        of_regions.push_back(lengths[static_cast<std::size_t>(row)]);
    device::copy_from_host(queue, region_length_.view(), of_regions.data());
    for (std::size_t k = 0; k < measured_rows_.size(); ++k)
        if (measured_rows_[k] >= 0)
            measured_lengths_[k] = lengths[static_cast<std::size_t>(measured_rows_[k])];
    device::copy_from_host(queue, measured_length_.view(), measured_lengths_.data());
}

}  // namespace aureole::md
