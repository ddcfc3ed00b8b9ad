// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "amr/step/look.hpp"
#include "amr/step/schedule.hpp"
#include "amr/step/tree_on_device.hpp"
#include "device/buffer.hpp"
#include "tasks/executors.hpp"

namespace aureole::amr {

/// Steps made by tasks: one for each sub-grid and stage, which begins when the stage before of the
/// sub-grid and of its neighbours is done, and gives its kernels to an executor.
class TaskSchedule : public Schedule {
  public:
    void advance(Clock& clock) final;
    device::View<double> state() final { return states_.state().view(); }
    device::Buffer<double> take() final { return std::move(states_.state()); }
    void put(device::Buffer<double> conserved) final { states_.put(std::move(conserved)); }
    device::QueueCounts counts() const final { return executors_.counts().queues; }
    TaskCounts task_counts() const final {
        const auto counts = executors_.counts();
        return {counts.items, counts.batches, pool_.workers(), pool_.idle_seconds()};
    }

  protected:
    /// `fields_in`: where the fields are; `scratch_bytes`: scratch memory of an item.
    TaskSchedule(device::Device& device, device::Queue& queue, TreeOnDevice& on,
                 const Scheme& scheme, const Launching& launching, device::Resource fields_in,
                 std::int64_t scratch_bytes);

    /// Parameters of a stage; base, input and output are numbers of the three copies of the fields.
    struct Stage {
        std::size_t number, base, input, output;
        double weight, dt;
        bool last;
    };
    /// Prepares the stage of a sub-grid and submits its kernels; called by a task.
    virtual tasks::Future submit(std::int64_t block, const Stage& stage) = 0;
    /// Ends the stage of a sub-grid; called by the task that goes on after its kernels.
    virtual void finish(std::int64_t block, const Stage& stage) = 0;
    /// Gives a sub-grid the fluxes of finer neighbours, whose stage has ended as its own has.
    virtual tasks::Future correct(std::int64_t block, const Stage& stage) = 0;
    /// Looks at the fields at the end of a step, which are in the copy `output`: sets ends_.
    virtual void look_at_end(std::size_t output) = 0;

    tasks::Future submit_item(auto make) {
        return executors_.submit("stage of a sub-grid", scratch_bytes_, std::move(make));
    }
    /// Faces at jumps of a sub-grid: the first one, and how many.
    std::pair<std::int64_t, int> jumps_at(std::int64_t block) const;
    std::array<double, 3> inverse_spacings(std::int64_t block) const {
        auto inverse = on_.tree.mesh().inverse_spacings();
        for (auto& one : inverse) one *= on_.tree.refinement(block);
        return inverse;
    }
    device::Buffer<double>& current() { return states_.state(); }
    double* cells_of(std::size_t copy, std::int64_t block) {
        return states_[copy].data() + block * fields * on_.shape.cells();
    }

    TreeOnDevice& on_;
    const std::int64_t blocks_;
    std::vector<Look> ends_;  ///< of each sub-grid

  private:
    Stage stage_of(std::size_t number) const;
    void begin(tasks::Scope& scope, std::int64_t block, std::size_t number);
    void end(tasks::Scope& scope, std::int64_t block, const Stage& stage);
    void publish(tasks::Scope& scope, std::int64_t block, const Stage& stage);
    void count_down_corrections(tasks::Scope& scope, std::int64_t block, const Stage& stage);

    const double cfl_;
    const std::vector<double> weights_;
    const std::int64_t scratch_bytes_;
    Copies states_;
    tasks::Pool pool_;
    tasks::Executors executors_;
    /// For each sub-grid: itself and those that read it; the coarser ones that it corrects.
    std::vector<std::vector<std::int64_t>> needed_by_, corrects_;
    /// Numbers for each sub-grid: how many it reads, with itself; how many have ended when it is
    /// corrected.
    std::vector<int> reads_, waits_;
    std::unique_ptr<std::atomic<int>[]> left_;  ///< [stage][block]: what its beginning waits for
    std::unique_ptr<std::atomic<int>[]> uncorrected_;  ///< [block]: in the stage that it is in
    double dt_ = 0;
};

}  // namespace aureole::amr
