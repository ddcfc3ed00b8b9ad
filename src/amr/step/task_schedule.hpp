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
#include "device/buffer.hpp"
#include "tasks/executors.hpp"

namespace aureole::amr {

/// Steps made by tasks: one for each sub-grid and stage, which begins when the stage before of the
/// sub-grid and of its neighbours is done, and gives its kernels to an executor.
class TaskSchedule : public Schedule {
  public:
    void advance(Clock& clock) final;
    device::QueueCounts counts() const final { return executors_.counts().queues; }
    TaskCounts task_counts() const final {
        const auto counts = executors_.counts();
        return {counts.items, counts.batches, pool_.workers(), pool_.idle_seconds()};
    }

  protected:
    /// `fields_in`: where the fields are; `scratch_bytes`: scratch memory of an item.
    TaskSchedule(device::Device& device, device::Queue& queue, const Mesh& mesh, int halo,
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
    /// Looks at the fields at the end of a step, which are in the copy `output`: sets ends_.
    virtual void look_at_end(std::size_t output) = 0;

    tasks::Future submit_item(auto make) {
        return executors_.submit("stage of a sub-grid", scratch_bytes_, std::move(make));
    }
    device::Buffer<double>& current() { return states_[current_]; }
    double* cells_of(std::size_t copy, std::int64_t block) {
        return states_[copy].data() + block * fields * mesh_.shape().cells();
    }

    const Mesh mesh_;
    const int halo_;
    const std::vector<Layer> layers_beyond_;
    std::vector<Look> ends_;  ///< of each sub-grid

  private:
    Stage stage_of(std::size_t number) const;
    void begin(tasks::Scope& scope, std::int64_t block, std::size_t number);
    void end(tasks::Scope& scope, std::int64_t block, const Stage& stage);

    const double cfl_;
    const std::vector<double> weights_;
    const std::int64_t scratch_bytes_;
    std::array<device::Buffer<double>, 3> states_;  ///< [block][field][cell]
    tasks::Pool pool_;
    tasks::Executors executors_;
    /// For each sub-grid: itself and the neighbours that need it, each once for every common face.
    std::vector<std::int64_t> needed_by_, first_needed_by_;
    std::unique_ptr<std::atomic<int>[]> left_;  ///< [stage][block]: what its beginning waits for
    std::size_t current_ = 0;                   ///< the copy that holds the state
    double dt_ = 0;
};

}  // namespace aureole::amr
