// SPDX-License-Identifier: Apache-2.0
#include "md/stages/leaf_stages.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "md/leaf/leaf_memory.hpp"
#include "md/leaf/leaf_name.hpp"

namespace aureole::md {

const StageLeaf& stage_kind(std::string_view name) {
    return leaf_named(stage_kinds(), name, "stage");
}

void check(const StageSpec& spec, std::int64_t n) {
    const auto& kind = stage_kind(spec.name);
    check_parameters(kind.parameters, spec.parameters, spec.name);
    check_flags(spec.group, n, spec.name);
    if (spec.every < 1)
        throw core::InputError(
            spec.name + " cannot act every " + std::to_string(spec.every) + " steps",
            "the interval must be a positive number of steps", "Use 1 for every step, or more.");
    if (const char* why = kind.problem(spec.parameters.data()))
        throw core::InputError("the parameters of " + spec.name + " are invalid", why,
                               "Correct them.");
}

LeafStages::LeafStages(device::Queue& queue, Particles& particles,
                       const std::vector<StageSpec>& specs)
    : queue_(queue), particles_(particles) {
    for (std::size_t k = 0; k < specs.size(); ++k) {
        const auto& spec = specs[k];
        Stage stage{&stage_kind(spec.name), spec.parameters, spec.every, {}, nullptr};
        for (const auto& use : stage.kind->columns) {
            auto& column = column_to_use(queue, particles, use, spec.name);
            stage.columns.push_back(&column);
            if (use.written) written_.push_back({&column, {}});
        }
        if (!spec.group.empty())
            stage.group =
                &flag_column(queue, particles, "stage." + std::to_string(k) + ".group", spec.group);
        stages_.push_back(std::move(stage));
    }
}

void LeafStages::run(int which, const StageConditions& at) {
    constexpr std::uint32_t first_stream = 64;  // those below are of core::Stream
    const auto& stage = stages_[static_cast<std::size_t>(which)];
    StageView view{};
    view.c = at.columns, view.state = at.state;
    view.group = stage.group != nullptr ? stage.group->data() : nullptr;
    view.start = at.start, view.dt = at.dt, view.elapsed = stage.every * at.dt;
    view.seed = at.seed, view.stream = first_stream + static_cast<std::uint32_t>(which);
    std::ranges::copy(stage.parameters, view.coefficient);
    for (std::size_t c = 0; c < stage.columns.size(); ++c)
        view.column[c] = values_of(*stage.columns[c]);
    stage.kind->launch(queue_, particles_.n, view);
}

namespace {

device::View<double> numbers_of(AnyColumn& column) {
    const auto width = static_cast<std::int64_t>(column.element_size() / sizeof(double));
    return {static_cast<double*>(values_of(column)), column.rows() * width};
}

}  // namespace

void LeafStages::save() {
    for (auto& [column, saved] : written_) {
        const auto numbers = numbers_of(*column);
        saved.resize(queue_, numbers.size);
        device::copy(queue_, saved.view(), device::Input<double>(numbers));
    }
}

void LeafStages::return_to_saved() {
    for (auto& [column, saved] : written_)
        device::copy(queue_, numbers_of(*column), device::Input<double>(saved.view()));
}

}  // namespace aureole::md
