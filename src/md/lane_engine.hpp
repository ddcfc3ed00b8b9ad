// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/integrate/dense.kernel.hpp"
#include "md/integrate/segment.kernel.hpp"
#include "md/neighbor/lane_list.kernel.hpp"
#include "md/pair/lane_pair_forces.hpp"
#include "md/placed_engine.hpp"

namespace aureole::md {

/// Steps on any device, with a full neighbour list per particle and teams of lanes. Steps of free
/// particles from one list to the next are enqueued without looking at the device; where that
/// outlived the list, they are made again up to there, so that no step ever used a list that misses
/// a pair.
template <class T>
class LaneEngine final : public PlacedEngine<Dense<T>> {
  public:
    LaneEngine(device::Queue& queue, System& system);

    void advance(std::int64_t steps) override;
    ParticleSums particle_sums() override;
    void save(StateBlocks& to) override;
    void restore(const StateBlocks& from) override;
    ListTuning tuning() const override { return {0, tuning_.outer_floor, 0, life_}; }
    void set_tuning(const ListTuning& tuning) override { tuning_ = tuning; }

  private:
    using Base = PlacedEngine<Dense<T>>;
    using Base::before_, Base::columns, Base::compute_forces, Base::dof_, Base::drift_,
        Base::half_kick_pending_, Base::profile_, Base::queue_, Base::r_cut_, Base::statistics_,
        Base::system_, Base::thermal_speed_;

    Dense<T> place() override;
    void make_lists() override { rebuild(); }
    void renew_lists() override;
    bool list_is_due() const override { return system_.step - searched_at_ >= life_; }
    bool looks_at_every_step() const override { return system_.list.exact; }
    void follow(const Strain& strain) override;
    void pair_forces() override;
    std::vector<EnergyVirial> pair_forces_and_sums() override;
    void add_bonded(std::vector<EnergyVirial>* sums) override;
    ForceSink<T> mesh_sink() override { return ForceSink<T>::column(force_.data()); }

    ListConditions conditions() {
        return {r_cut_, thermal_speed_, most_reach(), drift_ ? &*drift_ : nullptr};
    }
    double most_reach() const;
    ReachRule rule();
    void rebuild();
    void sort_particles();
    void size_columns(const core::Box& box);
    void search(const core::Box& box);
    void tune(bool outlived);

    std::int64_t run_to(std::int64_t target);
    SegmentState enqueue(std::int64_t target);
    void start_from(std::int64_t step);
    void move(bool owed);
    LaneList list();
    LaneParticles<T> lane_particles();

    int lanes_ = 1;
    CellGrid grid_;
    LanePairForces<T> pair_forces_;
    BondedForces<T>& bonded_ = Base::topology_.bonded;
    ListTuning tuning_;  ///< the numbers of the outer list; a life of 0 is planned at each search
    int life_ = 1;
    core::Box searched_;  ///< the box at the last search
    std::int64_t searched_at_ = 0;
    std::int64_t stride_ = 0;  ///< room for neighbours of a particle

    device::Buffer<Site<T>> site_, reference_;
    device::Buffer<T> reach_, most_reach_;
    device::Buffer<core::Vec3<T>> force_, saved_force_;
    device::Buffer<Vec3d> saved_position_, saved_velocity_;
    device::Buffer<std::uint32_t> key_, needed_;
    device::Buffer<std::int32_t> order_, cell_start_, neighbour_, count_;
    device::Buffer<SegmentState> segment_;
};

/// Cooperative lanes on any device, in mixed or double precision.
template <class T>
std::unique_ptr<Engine> make_lane_engine(device::Queue& queue, System& system);

}  // namespace aureole::md
