// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/bonded_force.hpp"
#include "md/engine.hpp"
#include "md/integrate/dense.kernel.hpp"
#include "md/integrate/reach.kernel.hpp"
#include "md/integrate/segment.kernel.hpp"
#include "md/neighbor/lane_list.kernel.hpp"

namespace aureole::md {

/// Steps on any device, with a full neighbour list per particle and teams of lanes. The steps from
/// one list to the next are enqueued without looking at the device; where that outlived the list,
/// they are made again up to there, so that no step ever used a list that misses a pair.
template <class T>
class LaneEngine final : public Engine {
  public:
    LaneEngine(device::Queue& queue, System& system);

    void prepare() override;
    void advance(std::int64_t steps) override;
    PotentialSums potential() override;
    void read_forces(device::View<Vec3d> to) override;
    MotionSums motion_sums() override;
    ParticleSums particle_sums() override;
    FireSums fire_sums() override;
    void fire_mix(double keep, double along) override;
    void save(StateBlocks& to) override;
    void restore(const StateBlocks& from) override;
    ListTuning tuning() const override { return {0, tuning_.outer_floor, 0, life_}; }
    void set_tuning(const ListTuning& tuning) override { tuning_ = tuning; }
    ListStatistics statistics() const override { return statistics_; }

  private:
    struct ForceTables {
        device::Buffer<T> rows;
        const LaneKernelTable<T>* kernels;
    };

    MotionColumns columns() { return motion_columns(system_.particles); }
    Dense<T> dense();
    ReachRule rule() const;
    void rebuild();
    void sort_particles();
    void size_columns();
    void search();
    void tune(bool outlived);

    std::int64_t run_to(std::int64_t target, bool& owed);
    SegmentState enqueue(std::int64_t target, bool& owed);
    void start_from(std::int64_t step);
    void move(bool owed);
    void half_kick();
    bool finish_step(std::int64_t step);
    void rescale_by();
    void compute_forces();
    void run_force(std::size_t k, bool energy, PairSums* sums);
    LaneList list();

    device::Queue& queue_;
    System& system_;
    double r_cut_ = 0;
    int lanes_ = 1;
    CellGrid grid_;
    std::vector<ForceTables> tables_;
    BondedForces<T> bonded_;
    ListTuning tuning_;  ///< the numbers of the outer list; a life of 0 is planned at each search
    int life_ = 1;
    ListStatistics statistics_;
    double thermal_speed_ = 0, dof_ = 0;
    std::int64_t searched_at_ = 0;
    std::int64_t stride_ = 0;  ///< room for neighbours of a particle

    device::Buffer<Site<T>> site_, reference_;
    device::Buffer<T> reach_, most_reach_;
    device::Buffer<core::Vec3<T>> force_, saved_force_;
    device::Buffer<Vec3d> saved_position_, saved_velocity_;
    device::Buffer<std::uint32_t> key_, needed_;
    device::Buffer<std::int32_t> order_, cell_start_, neighbour_, count_;
    device::Buffer<SegmentState> state_;
    device::Buffer<MotionSums> motion_sums_;
    device::Buffer<Rescaling> rescaling_;
};

/// Cooperative lanes on any device, in mixed or double precision.
template <class T>
std::unique_ptr<Engine> make_lane_engine(device::Queue& queue, System& system);

}  // namespace aureole::md
