// SPDX-License-Identifier: Apache-2.0
#include "device/copy.hpp"
#include "device/launch.hpp"
#include "device/reduce_ops.hpp"
#include "md/integrate/read.kernel.hpp"
#include "md/lane_engine.hpp"
#include "md/restored_state.hpp"
#include "md/state_blocks.hpp"

// What is read from a lane engine, and its checkpoint.
namespace aureole::md {

using core::Profile;

template <class T>
PotentialSums LaneEngine<T>::potential() {
    const Profile::Scope time(profile_, core::Region::thermo);
    const auto n = system_.particles.n;
    device::Buffer<PairSums> of_particle(queue_, n), total(queue_, 1);
    PotentialSums sums;
    for (std::size_t k = 0; k < tables_.size(); ++k) {
        run_force(k, true, of_particle.data());
        device::parallel_reduce<PairSums>(queue_, "potential", n, PairSums{},
                                          ReadPairSums{of_particle.data()}, device::Sum{},
                                          total.data());
        PairSums all;
        device::copy_to_host(queue_, &all, total.view());
        sums.of_force.push_back({all.energy, all.virial});
    }
    for (const auto& one : bonded_.sums(system_.box, system_.particles.position.data()))
        sums.of_force.push_back(one);
    for (const auto& one : sums.of_force) sums.total += one;
    return sums;
}

template <class T>
ParticleSums LaneEngine<T>::particle_sums() {
    const auto n = static_cast<std::size_t>(system_.particles.n);
    ParticleSums sums{std::vector<double>(n, 0.0), std::vector<core::Sym3d>(n)};
    device::Buffer<PairSums> of_particle(queue_, system_.particles.n);
    for (std::size_t k = 0; k < tables_.size(); ++k) {
        run_force(k, true, of_particle.data());
        const auto found = download(queue_, of_particle);
        for (std::size_t i = 0; i < n; ++i) {
            sums.energy[i] += found[i].energy;
            sums.virial[i] += found[i].virial;
        }
    }
    add_particle_sums(system_.bonded, system_.box, download(queue_, system_.particles.position),
                      download_tags(queue_, system_.particles), sums.energy, sums.virial);
    return sums;
}

template <class T>
void LaneEngine<T>::read_forces(device::View<Vec3d> to) {
    device::parallel_for(queue_, "forces", system_.particles.n,
                         ReadForces<Dense<T>>{dense(), to.data});
}

template <class T>
MotionSums LaneEngine<T>::motion_sums() {
    device::parallel_reduce<MotionSums>(queue_, "motion sums", system_.particles.n, MotionSums{},
                                        SumMotion{columns()}, device::Sum{}, motion_sums_.data());
    MotionSums out;
    device::copy_to_host(queue_, &out, motion_sums_.view());
    return out;
}

template <class T>
FireSums LaneEngine<T>::fire_sums() {
    device::Buffer<FireSums> sums(queue_, 1);
    device::parallel_reduce<FireSums>(queue_, "FIRE sums", system_.particles.n, FireSums{},
                                      SumFire<Dense<T>, FireSums>{columns(), dense()},
                                      device::Sum{}, sums.data());
    FireSums out;
    device::copy_to_host(queue_, &out, sums.view());
    return out;
}

template <class T>
void LaneEngine<T>::fire_mix(double keep, double along) {
    device::parallel_for(queue_, "FIRE", system_.particles.n,
                         MixFire<Dense<T>>{columns(), dense(), keep, along});
}

namespace {

/// What a restart needs besides arrays.
struct LaneRecord {
    ListTuning tuning;
    ListStatistics statistics;
    double thermal_speed, dof;
    std::int64_t searched_at, stride, life;
};

/// Whether a run may have written it.
bool sensible(const LaneRecord& r, std::int64_t step, std::int64_t n) {
    const auto between = [](double x, double least, double most) {
        return x >= least && x <= most;
    };
    return between(r.thermal_speed, 0, 1e100) && between(r.dof, 0, 3e9 * 3) &&
           between(r.tuning.outer_floor, 0, 100) && r.tuning.outer_life >= 0 && r.life >= 1 &&
           r.life < INT32_MAX && r.searched_at <= step && step - r.searched_at <= r.life &&
           r.stride >= 0 && r.stride <= n + n / 10 + 16;
}

}  // namespace

template <class T>
void LaneEngine<T>::save(StateBlocks& to) {
    LaneRecord record{};
    record.tuning = tuning_, record.statistics = statistics_;
    record.thermal_speed = thermal_speed_, record.dof = dof_;
    record.searched_at = searched_at_, record.stride = stride_;
    record.life = life_;
    put(to, "lanes", std::span(&record, 1));
    put(to, "lanes.reference", download(queue_, reference_));
    put(to, "lanes.reach", download(queue_, reach_));
}

template <class T>
void LaneEngine<T>::restore(const StateBlocks& from) {
    const auto record = get<LaneRecord>(from, "lanes", 1)[0];
    const auto& p = system_.particles;
    const auto n = static_cast<std::size_t>(p.n);
    const auto reference = get<Site<T>>(from, "lanes.reference", n);
    const auto reach = get<T>(from, "lanes.reach", n);
    require(sensible(record, system_.step, p.n), "lanes", "a number is out of its range");
    require(all_finite(std::span(reach)), "lanes.reach", "a reach is no number");
    for (const auto& r : reference)
        require(std::isfinite(r.x) && std::isfinite(r.y) && std::isfinite(r.z), "lanes.reference",
                "a coordinate is no number");
    tuning_ = record.tuning, statistics_ = record.statistics;
    thermal_speed_ = record.thermal_speed, dof_ = record.dof;
    searched_at_ = record.searched_at, stride_ = record.stride;
    life_ = static_cast<int>(record.life);
    size_columns();
    device::copy_from_host(queue_, site_.view(), reference.data());
    device::copy_from_host(queue_, reference_.view(), reference.data());
    device::copy_from_host(queue_, reach_.view(), reach.data());
    device::parallel_for(queue_, "cell keys", p.n,
                         CellKeysOfSites<T>{grid_, site_.data(), key_.data()});
    search();
    bonded_.localise(p.tag.view());
    device::parallel_for(queue_, "coordinates", p.n,
                         StoreAll<Dense<T>>{p.position.data(), dense()});
    start_from(system_.step);
    compute_forces();
}

template class LaneEngine<float>;
template class LaneEngine<double>;

}  // namespace aureole::md
