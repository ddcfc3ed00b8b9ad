// SPDX-License-Identifier: Apache-2.0
#include "amr/step/task_schedule.hpp"

#include <numeric>

namespace aureole::amr {

namespace {

/// The device whose threads run the tasks.
device::Device host_of(device::Device& device, const Launching& launching) {
    if (launching.workers == 0 && device.backend() == device::Backend::host) return device;
    return device::Device::host({.threads = launching.workers});
}

/// No more than there is work for, as each executor has memory for a whole batch.
tasks::ExecutorOptions fitting(tasks::ExecutorOptions options, std::int64_t blocks) {
    if (options.most > blocks) options.most = static_cast<int>(blocks);
    return options;
}

}  // namespace

TaskSchedule::TaskSchedule(device::Device& device, device::Queue& queue, const Mesh& mesh, int halo,
                           const Scheme& scheme, const Launching& launching,
                           device::Resource fields_in, std::int64_t scratch_bytes)
    : mesh_(mesh),
      halo_(halo),
      layers_beyond_(layers_beyond(mesh, halo)),
      ends_(static_cast<std::size_t>(mesh.blocks())),
      cfl_(scheme.cfl),
      weights_(weights(scheme.stages)),
      scratch_bytes_(scratch_bytes),
      pool_(host_of(device, launching), {.seed = launching.seed}),
      executors_(pool_, device, fitting(launching.executors, mesh.blocks())),
      left_(new std::atomic<int>[weights_.size() * static_cast<std::size_t>(mesh.blocks())]) {
    executors_.reserve(scratch_bytes);
    for (auto& one : states_) one = {queue, fields * mesh.cells(), fields_in};
    for (std::int64_t block = 0; block < mesh.blocks(); ++block) {
        first_needed_by_.push_back(static_cast<std::int64_t>(needed_by_.size()));
        needed_by_.push_back(block);
        // Who lies beyond a face lies on the other side of that one's face, as often.
        for (int axis = 0; axis < mesh.dims; ++axis)
            for (const int side : {0, 1}) {
                const auto other =
                    layers_beyond_[layer_place(mesh.dims, halo, block, axis, side, 0)].block;
                needed_by_.push_back(other);
            }
    }
    first_needed_by_.push_back(static_cast<std::int64_t>(needed_by_.size()));
}

void TaskSchedule::advance(Clock& clock) {
    const auto blocks = mesh_.blocks();
    for (clock.plan(cfl_); clock.running; clock.plan(cfl_)) {
        dt_ = clock.next_dt;
        for (std::size_t stage = 0; stage < weights_.size(); ++stage)
            for (std::int64_t block = 0; block < blocks; ++block)
                left_[stage * blocks + block].store(
                    static_cast<int>(first_needed_by_[block + 1] - first_needed_by_[block]),
                    std::memory_order_relaxed);
        pool_.run([&](tasks::Scope& scope) {
            for (std::int64_t block = 0; block < blocks; ++block)
                scope.spawn("stage of a sub-grid",
                            [this, &scope, block] { begin(scope, block, 0); });
        });
        const auto output = stage_of(weights_.size() - 1).output;
        look_at_end(output);
        const Look end = std::accumulate(ends_.begin(), ends_.end(), Look(), joined);
        clock.bad = end.bad;
        if (end.bad.block >= 0) continue;
        current_ = output;
        clock.tick(end.rate);
    }
}

TaskSchedule::Stage TaskSchedule::stage_of(std::size_t number) const {
    return {number,
            current_,
            number == 0 ? current_ : output_of(current_, number - 1),
            output_of(current_, number),
            weights_[number],
            dt_,
            number + 1 == weights_.size()};
}

void TaskSchedule::begin(tasks::Scope& scope, std::int64_t block, std::size_t number) {
    const Stage stage = stage_of(number);
    static_cast<void>(
        submit(block, stage).then([this, &scope, block, stage] { end(scope, block, stage); }));
}

void TaskSchedule::end(tasks::Scope& scope, std::int64_t block, const Stage& stage) {
    finish(block, stage);
    if (stage.last) return;
    const auto next = stage.number + 1;
    for (auto k = first_needed_by_[block]; k < first_needed_by_[block + 1]; ++k) {
        const auto other = needed_by_[k];
        if (left_[next * mesh_.blocks() + other].fetch_sub(1, std::memory_order_acq_rel) == 1)
            scope.spawn("stage of a sub-grid",
                        [this, &scope, other, next] { begin(scope, other, next); });
    }
}

}  // namespace aureole::amr
