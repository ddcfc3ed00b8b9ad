// SPDX-License-Identifier: Apache-2.0
#include "md/lane_engine.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include "device/copy.hpp"
#include "device/launch.hpp"
#include "device/primitives.hpp"
#include "device/reduce_ops.hpp"
#include "md/blow_up.hpp"
#include "md/list_rules.hpp"

namespace aureole::md {

using core::Profile;

namespace {

/// Particles faster than this renew the list early, instead of widening everyone's search: reach as
/// a share of the cut-off.
constexpr double most_reach_share = 0.3;
/// Least reach as a share of the cut-off, for systems at rest.
constexpr double least_reach_share = 0.02;

/// Lanes per particle: many for few particles, so that the device has enough to do. The order of
/// sums depends on it, so it follows from the system alone.
int choose_lanes(std::int64_t n) { return n < 20'000 ? 32 : n < 100'000 ? 16 : 8; }

}  // namespace

template <class T>
LaneEngine<T>::LaneEngine(device::Queue& queue, System& system)
    : Base(queue, system),
      lanes_(choose_lanes(system.particles.n)),
      pair_forces_(queue, system.pairs()),
      tuning_{0, 0.5, 0, 0},
      most_reach_(queue, 1),
      needed_(queue, 1),
      segment_(queue, 1) {}

template <class T>
Dense<T> LaneEngine<T>::place() {
    return {site_.data(), reference_.data(), reach_.data(), force_.data()};
}

template <class T>
LaneList LaneEngine<T>::list() {
    return {neighbour_.data(), count_.data(), stride_};
}

template <class T>
LaneParticles<T> LaneEngine<T>::lane_particles() {
    return {site_.data(), list(), Base::topology_.exclusions.places(), Images<T>(system_.box),
            lanes_};
}

template <class T>
double LaneEngine<T>::most_reach() const {
    return most_reach_share * r_cut_;
}

template <class T>
ReachRule LaneEngine<T>::rule() {
    if (r_cut_ == 0) return {0, 1e15, 0, 1e15, true};
    const double most = most_reach(), time = life_ * system_.motion.dt;
    if (!system_.list.exact) {
        const double width = list_width(system_, life_, conditions());
        statistics_.outer_buffer = std::min(width, 2 * most);
        return {0, std::min(0.5 * width, most), 0, most, true};
    }
    const double floor =
        std::max(tuning_.outer_floor * thermal_speed_ * time, least_reach_share * r_cut_);
    return {time, floor, 0, most, false};
}

template <class T>
void LaneEngine<T>::start_from(std::int64_t step) {
    SegmentState start;
    start.step.step = step;
    device::copy_from_host(queue_, segment_.view(), &start);
}

template <class T>
void LaneEngine<T>::size_columns(const core::Box& box) {
    const auto n = system_.particles.n;
    site_.resize(queue_, n), reference_.resize(queue_, n), reach_.resize(queue_, n);
    force_.resize(queue_, n), saved_force_.resize(queue_, n);
    saved_position_.resize(queue_, n), saved_velocity_.resize(queue_, n);
    key_.resize(queue_, n), order_.resize(queue_, n), count_.resize(queue_, n);
    grid_ = make_cell_grid(box, r_cut_ + most_reach(), n);
    cell_start_.resize(queue_, grid_.cells() + 1);
}

template <class T>
void LaneEngine<T>::sort_particles() {
    auto& p = system_.particles;
    Base::check_places();
    device::parallel_for(queue_, "wrap", p.n, Wrap{system_.box, p.position.data(), p.image.data()});
    device::parallel_for(queue_, "cell keys", p.n,
                         CellKeys<T>{grid_, p.position.data(), key_.data(), order_.data()});
    const auto bits = std::bit_width(static_cast<std::uint64_t>(grid_.cells()));
    device::sort_by_key(queue_, key_.view(), order_.view(), static_cast<int>(bits));
    Base::permute_columns(order_.data());
}

template <class T>
void LaneEngine<T>::rebuild() {
    const Profile::Scope time(profile_, core::Region::search);
    auto& p = system_.particles;
    size_columns(system_.box);
    sort_particles();
    Base::localise();
    Base::measure_speed();
    life_ = plan_one_list(system_, tuning_, conditions());
    pair_forces_.place(p, site_.data());
    device::parallel_for(queue_, "place", p.n, PlaceAll<Dense<T>>{columns(), place(), rule()});
    searched_ = system_.box;
    search(searched_);
    Base::begin_state();
    searched_at_ = system_.step;
    ++statistics_.searches;
}

template <class T>
void LaneEngine<T>::renew_lists() {
    if (system_.list.exact) tune(!list_is_due());
    rebuild();
}

/// What an exact list missed is known for one box alone.
template <class T>
void LaneEngine<T>::follow(const Strain&) {
    if (system_.list.exact) life_ = 0;
}

/// The list for the sorted sites and their reaches.
template <class T>
void LaneEngine<T>::search(const core::Box& box) {
    const auto n = system_.particles.n;
    device::parallel_for(queue_, "cell starts", grid_.cells() + 1,
                         CellStarts{key_.data(), static_cast<std::int32_t>(n), cell_start_.data()});
    device::parallel_reduce<T>(queue_, "largest reach", n, T(0), ReachOf<T>{reach_.data()},
                               device::Max{}, most_reach_.data());
    if (r_cut_ == 0) {
        device::fill(queue_, count_.view(), 0);
        return;
    }
    const auto corner = box.lattice(1, 1, 1);
    const double surely = box.orthorhombic() ? std::numeric_limits<double>::infinity()
                                             : 0.49 * Base::smallest_periodic_face(box);
    const double sphere = 4.0 / 3 * std::numbers::pi * std::pow(r_cut_ + most_reach(), 3);
    const double guess = 1.2 * static_cast<double>(n) / box.volume() * sphere + 16;
    if (stride_ == 0) stride_ = static_cast<std::int64_t>(std::min(guess, double(n))) / 8 * 8 + 8;
    for (;;) {
        neighbour_.resize(queue_, n * stride_);
        device::fill(queue_, needed_.view(), 0u);
        device::team_for(
            queue_, "search", device::TeamPolicy{n, lanes_, 0},
            LaneSearch<T>{
                grid_, Images<T>(box), site_.data(), reach_.data(), most_reach_.data(),
                cell_start_.data(), static_cast<T>(r_cut_),
                static_cast<T>(std::abs(corner.x) + std::abs(corner.y) + std::abs(corner.z)),
                static_cast<T>(std::min(surely, double(std::numeric_limits<T>::max()))),
                Base::topology_.exclusions.places(), list(), needed_.data()});
        std::uint32_t needed = 0;
        device::copy_to_host(queue_, &needed, needed_.view());
        if (needed == 0) return;
        stride_ = std::min<std::int64_t>(needed + needed / 10, n) / 8 * 8 + 8;
    }
}

template <class T>
void LaneEngine<T>::pair_forces() {
    pair_forces_.add(lane_particles(), force_.data(), PairWant::forces);
}

template <class T>
std::vector<EnergyVirial> LaneEngine<T>::pair_forces_and_sums() {
    return pair_forces_.add(lane_particles(), force_.data(), PairWant::terms);
}

template <class T>
void LaneEngine<T>::add_bonded(std::vector<EnergyVirial>* sums) {
    const auto* position = system_.particles.position.data();
    bonded_.add_to(force_.data(), system_.box, position);
    if (sums != nullptr) *sums = bonded_.sums(system_.box, position);
}

template <class T>
void LaneEngine<T>::move(bool owed) {
    const Profile::Scope time(profile_, core::Region::update);
    const auto& m = system_.motion;
    const double farthest = r_cut_ > 0 ? r_cut_ : 1e300;
    const bool watch = system_.list.exact;
    auto* state = &segment_.data()->step;
    const auto n = system_.particles.n;
    if (m.bath == Bath::langevin) {
        const LangevinBath bath{std::exp(-m.gamma * m.dt), m.kT * -std::expm1(-2 * m.gamma * m.dt),
                                system_.seed};
        device::parallel_for(queue_, "move", n,
                             Move<Dense<T>, LangevinBath>{columns(), place(), state, bath, m.dt,
                                                          farthest, m.longest_move, owed, watch});
    } else {
        device::parallel_for(queue_, "move", n,
                             Move<Dense<T>, NoBath>{columns(), place(), state, NoBath{}, m.dt,
                                                    farthest, m.longest_move, owed, watch});
    }
    device::parallel_for(queue_, "close move", 1, CloseMove{segment_.data()});
}

/// Steps up to the positions of `target`, without its forces; then looks at what happened.
template <class T>
SegmentState LaneEngine<T>::enqueue(std::int64_t target) {
    const auto start = system_.step;
    start_from(start);
    for (;;) {
        move(half_kick_pending_);
        if (++system_.step == target) break;
        compute_forces();
        Base::finish_step(&segment_.data()->step);
    }
    system_.step = start;
    SegmentState end;
    device::copy_to_host(queue_, &end, segment_.view());
    return end;
}

/// Goes on to `target`, or to the step before it at which the list was outlived or a particle
/// thrown out; returns how far. Whatever was enqueued beyond that is undone.
template <class T>
std::int64_t LaneEngine<T>::run_to(std::int64_t target) {
    auto& p = system_.particles;
    const bool pending_at_start = half_kick_pending_;
    if (target > system_.step + 1) {
        device::copy(queue_, saved_position_.view(), p.position.view());
        device::copy(queue_, saved_velocity_.view(), p.velocity.view());
        device::copy(queue_, saved_force_.view(), force_.view());
    }
    auto end = enqueue(target);
    const auto first = std::min(end.outlived_at, end.blown_at);
    if (first < target) {
        device::copy(queue_, p.position.view(), saved_position_.view());
        device::copy(queue_, p.velocity.view(), saved_velocity_.view());
        device::copy(queue_, force_.view(), saved_force_.view());
        half_kick_pending_ = pending_at_start;
        target = first;
        ++statistics_.early_prunings;
        end = enqueue(target);
    }
    statistics_.steps += target - system_.step;
    system_.step = target;
    if (end.blown_at == target) Base::report_blow_up(end.step.blown_up);
    const bool outlived = end.outlived_at == target;
    if (outlived || target - searched_at_ >= life_) {
        if (system_.list.exact) tune(outlived);
        rebuild();
    }
    return target;
}

/// Reaches follow what happened: about one list in fifty is outlived.
template <class T>
void LaneEngine<T>::tune(bool outlived) {
    auto& floor = tuning_.outer_floor;
    floor = std::clamp(outlived ? 1.1 * floor : 0.998 * floor, 0.1, 4.0);
}

template <class T>
void LaneEngine<T>::advance(std::int64_t steps) {
    if (Base::of_molecules()) return Base::advance_molecules(steps);
    const std::int64_t end = system_.step + steps;
    while (system_.step < end) {
        const auto renewal = std::max(searched_at_ + life_, system_.step + 1);
        run_to(std::min(end, renewal));
        compute_forces();
        Base::finish_step(&segment_.data()->step);
    }
}

template class LaneEngine<float>;
template class LaneEngine<double>;

template <class T>
std::unique_ptr<Engine> make_lane_engine(device::Queue& queue, System& system) {
    return std::make_unique<LaneEngine<T>>(queue, system);
}
template std::unique_ptr<Engine> make_lane_engine<float>(device::Queue&, System&);
template std::unique_ptr<Engine> make_lane_engine<double>(device::Queue&, System&);

}  // namespace aureole::md
