// SPDX-License-Identifier: Apache-2.0
#include "md/external/external_forces.hpp"

#include <cmath>

#include "core/error.hpp"
#include "md/leaf/leaf_memory.hpp"
#include "md/leaf/leaf_name.hpp"

namespace aureole::md {

const External& external_kind(std::string_view name) {
    return leaf_named(external_kinds(), name, "external force");
}

void check(const ExternalSpec& spec, const core::Box& box, std::int64_t n) {
    const auto& kind = external_kind(spec.name);
    check_parameters(kind.parameters, spec.parameters, spec.name);
    check_flags(spec.group, n, spec.name);
    if (const char* why = kind.problem(spec.parameters.data(), box))
        throw core::InputError("the parameters of " + spec.name + " are invalid", why,
                               "Correct them.");
}

namespace {

std::vector<double> coefficients_of(const External& kind, const ExternalSpec& spec) {
    std::vector<double> c(most_external_coefficients);
    kind.derive(spec.parameters.data(), c.data());
    return c;
}

ExternalView common_view(const std::vector<double>& coefficients, const ExternalConditions& at) {
    ExternalView view{};
    std::ranges::copy(coefficients, view.coefficient);
    view.state = at.state, view.start = at.start, view.dt = at.dt;
    return view;
}

}  // namespace

ExternalForces::ExternalForces(device::Queue& queue, Particles& particles,
                               const std::vector<ExternalSpec>& specs)
    : queue_(queue), particles_(particles) {
    for (std::size_t k = 0; k < specs.size(); ++k) {
        const auto& spec = specs[k];
        Force force{&external_kind(spec.name), {}, {}, nullptr};
        force.coefficients = coefficients_of(*force.kind, spec);
        for (const auto& use : force.kind->columns)
            force.columns.push_back(&column_to_use(queue, particles, use, spec.name));
        if (!spec.group.empty())
            force.group = &flag_column(queue, particles, "external." + std::to_string(k) + ".group",
                                       spec.group);
        forces_.push_back(std::move(force));
    }
}

ExternalView ExternalForces::view_of(const Force& force, const ExternalConditions& at) {
    auto view = common_view(force.coefficients, at);
    view.position = particles_.position.data(), view.image = particles_.image.data();
    view.group = force.group != nullptr ? force.group->data() : nullptr;
    for (std::size_t c = 0; c < force.columns.size(); ++c)
        view.column[c] = values_of(*force.columns[c]);
    return view;
}

void for_each_external(
    device::Queue& queue, const Particles& particles, const std::vector<ExternalSpec>& specs,
    const ExternalConditions& at,
    const std::function<void(std::size_t, std::size_t, const ExternalResult&)>& visit) {
    if (specs.empty()) return;
    const auto position = download(queue, particles.position);
    const auto image = download(queue, particles.image);
    const auto tags = download_tags(queue, particles);
    for (std::size_t k = 0; k < specs.size(); ++k) {
        const auto& kind = external_kind(specs[k].name);
        auto view = common_view(coefficients_of(kind, specs[k]), at);
        view.position = position.data(), view.image = image.data();
        std::vector<std::vector<std::byte>> columns;
        for (std::size_t c = 0; c < kind.columns.size(); ++c) {
            columns.push_back(particles.find_column(kind.columns[c].name)->bytes(queue));
            view.column[c] = columns.back().data();
        }
        for (std::size_t i = 0; i < position.size(); ++i)
            if (specs[k].group.empty() || specs[k].group[static_cast<std::size_t>(tags[i])] != 0)
                visit(k, i, kind.evaluate(view, static_cast<std::int64_t>(i)));
    }
}

}  // namespace aureole::md
