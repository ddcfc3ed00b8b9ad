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

TaskSchedule::TaskSchedule(device::Device& device, device::Queue& queue, TreeOnDevice& on,
                           const Scheme& scheme, const Launching& launching,
                           device::Resource fields_in, std::int64_t scratch_bytes)
    : on_(on),
      blocks_(on.tree.size()),
      ends_(static_cast<std::size_t>(blocks_)),
      cfl_(scheme.cfl),
      weights_(weights(scheme.stages)),
      scratch_bytes_(scratch_bytes),
      states_(queue, fields * on.tree.cells(), fields_in),
      pool_(host_of(device, launching), {.seed = launching.seed}),
      executors_(pool_, device, fitting(launching.executors, blocks_)),
      left_(new std::atomic<int>[weights_.size() * static_cast<std::size_t>(blocks_)]),
      uncorrected_(new std::atomic<int>[static_cast<std::size_t>(blocks_)]) {
    executors_.reserve(scratch_bytes);
    const auto [beside, corrected_by] = neighbours_of(on.tree, on.jumps);
    needed_by_.resize(beside.size()), corrects_.resize(beside.size());
    for (std::size_t block = 0; block < beside.size(); ++block) {
        const auto number = static_cast<std::int64_t>(block);
        reads_.push_back(1 + static_cast<int>(beside[block].size()));
        waits_.push_back(1 + static_cast<int>(corrected_by[block].size()));
        needed_by_[block].push_back(number);
        for (const auto other : beside[block])
            needed_by_[static_cast<std::size_t>(other)].push_back(number);
        for (const auto fine : corrected_by[block])
            corrects_[static_cast<std::size_t>(fine)].push_back(number);
    }
}

void TaskSchedule::advance(Clock& clock) {
    const auto blocks = blocks_;
    for (clock.plan(cfl_); clock.running; clock.plan(cfl_)) {
        dt_ = clock.next_dt;
        for (std::size_t stage = 0; stage < weights_.size(); ++stage)
            for (std::int64_t block = 0; block < blocks; ++block)
                left_[stage * blocks + block].store(reads_[block], std::memory_order_relaxed);
        for (std::int64_t block = 0; block < blocks; ++block)
            uncorrected_[block].store(waits_[block], std::memory_order_relaxed);
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
        states_.current = output;
        clock.tick(end.rate);
    }
}

TaskSchedule::Stage TaskSchedule::stage_of(std::size_t number) const {
    return {number,
            states_.current,
            number == 0 ? states_.current : output_of(states_.current, number - 1),
            output_of(states_.current, number),
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
    // The stage after this one of a coarser neighbour begins when it has been corrected, and that
    // of this sub-grid after it: counters are of one stage at a time.
    for (const auto coarse : corrects_[block]) count_down_corrections(scope, coarse, stage);
    count_down_corrections(scope, block, stage);
}

void TaskSchedule::count_down_corrections(tasks::Scope& scope, std::int64_t block,
                                          const Stage& stage) {
    if (uncorrected_[block].fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    uncorrected_[block].store(waits_[block], std::memory_order_relaxed);
    if (waits_[block] > 1)
        static_cast<void>(correct(block, stage).then([this, &scope, block, stage] {
            publish(scope, block, stage);
        }));
    else
        publish(scope, block, stage);
}

std::pair<std::int64_t, int> TaskSchedule::jumps_at(std::int64_t block) const {
    std::int64_t first = -1;
    int count = 0;
    for (int face = 0; face < 2 * on_.shape.dims; ++face) {
        const auto number = on_.jump(block, face / 2, face % 2);
        if (number < 0) continue;
        if (count++ == 0) first = number;
    }
    return {first, count};
}

void TaskSchedule::publish(tasks::Scope& scope, std::int64_t block, const Stage& stage) {
    if (stage.last) return;
    const auto next = stage.number + 1;
    for (const auto other : needed_by_[block])
        if (left_[next * blocks_ + other].fetch_sub(1, std::memory_order_acq_rel) == 1)
            scope.spawn("stage of a sub-grid",
                        [this, &scope, other, next] { begin(scope, other, next); });
}

}  // namespace aureole::amr
