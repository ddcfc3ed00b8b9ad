// SPDX-License-Identifier: Apache-2.0
#include "md/domain/spanning_constraints.hpp"

#include <algorithm>
#include <utility>

#include "device/copy.hpp"
#include "device/launch.hpp"
#include "device/reduce_ops.hpp"
#include "md/particles/particles.hpp"

namespace aureole::md {

namespace {

/// Passes after which convergence is given up.
constexpr int most_refinements = 200;

/// A copy of `spec` with its rows of lengths, but without constraints.
ConstraintSpec without_terms(const ConstraintSpec& spec) {
    ConstraintSpec none;
    none.constraint.parameters = spec.constraint.parameters;
    none.mass = spec.mass;
    none.order = spec.order, none.iterations = spec.iterations;
    return none;
}

}  // namespace

SpanningConstraints::SpanningConstraints(device::Queue& queue, comm::World& world,
                                         ConstraintSpec spec)
    : queue_(queue),
      world_(world),
      links_(world),
      regions_(std::move(spec)),
      by_first_(regions_.spec().constraint.particles, 2,
                static_cast<Tag>(regions_.spec().mass.size())) {}

void SpanningConstraints::localise(std::span<const Tag> tags, const halo::Links::FindOwned& owned) {
    std::vector<Tag> here;
    for (const auto tag : tags)
        if (regions_.has(tag)) here.push_back(tag);
    const auto plan = regions_.plan(
        here, size_of_regions(static_cast<std::int64_t>(here.size()), queue_.threads()));
    auto others = plan.tag;
    std::erase_if(others, [&](Tag tag) { return owned(tag) >= 0; });
    std::ranges::sort(others);
    const auto [first, last] = std::ranges::unique(others);
    others.erase(first, last);
    world_.enter(comm::Phase::renewal);
    links_.connect(others, owned);

    index_.clear();
    for (const auto tag : here) index_.push_back(owned(tag));
    find_measured(here, owned);
    solver_.emplace(queue_, measured_, plan);
    here.insert(here.end(), links_.tags().begin(), links_.tags().end());
    const auto n = static_cast<std::int64_t>(here.size());
    fixed_.resize(queue_, n), corrected_.resize(queue_, n), velocity_.resize(queue_, n);
    const auto on_device = to_device(queue_, here);
    TagMap map;
    map.make(queue_, on_device.view(), static_cast<Tag>(regions_.spec().mass.size()));
    solver_->localise(queue_, map);
    queue_.synchronize();
}

void SpanningConstraints::find_measured(std::span<const Tag> tags,
                                        const halo::Links::FindOwned& owned) {
    const auto& all = regions_.spec().constraint;
    measured_ = owned_ = without_terms(regions_.spec());
    const auto add = [&](TermColumns& to, std::int64_t term) {
        const auto k = static_cast<std::size_t>(term);
        to.particles.insert(to.particles.end(), {all.particles[2 * k], all.particles[2 * k + 1]});
        to.row.push_back(all.row[k]);
    };
    for (const auto tag : tags)
        for (const auto term : by_first_.of(tag)) {
            add(measured_.constraint, term);
            if (owned(all.particles[static_cast<std::size_t>(2 * term + 1)]) >= 0)
                add(owned_.constraint, term);
        }
}

void SpanningConstraints::take(const Columns& from) {
    const auto own = static_cast<std::int64_t>(index_.size());
    struct Pair {
        core::Vec3d fixed, corrected;
    };
    device::host_task(queue_, "positions of constraints",
                      [&, fixed = fixed_.data(), corrected = corrected_.data(),
                       velocity = velocity_.data()](device::ThreadPool&) {
                          for (std::int64_t k = 0; k < own; ++k) {
                              const auto i = index_[static_cast<std::size_t>(k)];
                              fixed[k] = from.fixed[i], corrected[k] = from.corrected[i];
                              if (from.velocity != nullptr) velocity[k] = from.velocity[i];
                          }
                          links_.forward<Pair>(
                              [&](std::int32_t i) {
                                  return Pair{from.fixed[i], from.corrected[i]};
                              },
                              [&](std::int64_t k, const Pair& pair) {
                                  fixed[own + k] = pair.fixed, corrected[own + k] = pair.corrected;
                              });
                      });
    queue_.synchronize();
}

void SpanningConstraints::give(const Columns& to) {
    device::host_task(
        queue_, "corrected positions",
        [&, corrected = corrected_.data(), velocity = velocity_.data()](device::ThreadPool&) {
            for (std::size_t k = 0; k < index_.size(); ++k) {
                to.corrected[index_[k]] = corrected[k];
                if (to.velocity != nullptr) to.velocity[index_[k]] = velocity[k];
            }
        });
    queue_.synchronize();
}

/// One pass, or as many as the tolerance needs on all ranks; solve(whether it refines), and off()
/// for the largest violation among the constraints of this rank.
template <class Solve, class Off>
bool SpanningConstraints::correct(const Columns& columns, bool wants_sums, const Solve& solve,
                                  const Off& off) {
    const double tolerance = regions_.spec().tolerance;
    sums_ = {};
    const auto pass = [&](bool refines) {
        if (index_.empty()) return;
        solve(refines);
        give(columns);
        if (!wants_sums) return;
        ConstraintSums sums;
        device::copy_to_host(queue_, &sums, solver_->last_sums());
        sums_ = sums_ + sums;
    };
    take(columns);
    pass(false);
    for (int k = 0; tolerance > 0; ++k) {
        take(columns);
        const double largest = world_.combine(off(), device::Max{});
        if (largest <= tolerance) return true;
        if (k == most_refinements) return false;
        pass(true);
    }
    return true;
}

bool SpanningConstraints::apply(const ConstraintMove& move) {
    const Columns columns{move.reference.data, move.position.data,
                          move.velocity.size > 0 ? move.velocity.data : nullptr};
    ConstraintMove here{move.box, fixed_.view(),   corrected_.view(),
                        {},       move.inverse_dt, move.want_sums};
    if (columns.velocity != nullptr) here.velocity = velocity_.view();
    return correct(
        columns, move.want_sums,
        [&](bool refines) {
            here.refines = refines;
            solver_->enqueue(queue_, here);
        },
        [&] { return solver_->deviation(queue_, move.box, corrected_.view()).largest; });
}

bool SpanningConstraints::apply_velocities(const VelocityCorrection& correction) {
    VelocityCorrection here{correction.box, fixed_.view(), corrected_.view(),
                            correction.inverse_time, correction.want_sums};
    return correct(
        {correction.position.data, correction.velocity.data, nullptr}, correction.want_sums,
        [&](bool refines) {
            here.refines = refines;
            solver_->enqueue_velocities(queue_, here);
        },
        [&] { return solver_->largest_rate(queue_, here); });
}

}  // namespace aureole::md
