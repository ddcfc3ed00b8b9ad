// SPDX-License-Identifier: Apache-2.0
#include "md/checkpoint/leaves_state.hpp"

#include "md/checkpoint/restored_state.hpp"
#include "md/checkpoint/state_blocks.hpp"

namespace aureole::md {

namespace {

/// Writes what external forces and stages have in common.
template <class Spec>
void put_common(StateBlocks& to, const std::string& prefix, const Spec& spec) {
    put(to, prefix + "name", std::span(spec.name));
    put(to, prefix + "parameters", std::span(spec.parameters));
    put(to, prefix + "group", std::span(spec.group));
}

template <class Spec>
Spec get_common(const StateBlocks& from, const std::string& prefix) {
    const auto name = get<char>(from, prefix + "name");
    Spec spec;
    spec.name.assign(name.begin(), name.end());
    spec.parameters = get<double>(from, prefix + "parameters");
    spec.group = get<std::uint8_t>(from, prefix + "group");
    return spec;
}

std::string prefix_of(const char* family, std::size_t k) {
    return std::string(family) + "." + std::to_string(k) + ".";
}

}  // namespace

void put_leaves(StateBlocks& to, const System& system) {
    for (std::size_t k = 0; k < system.externals.size(); ++k)
        put_common(to, prefix_of("external", k), system.externals[k]);
    for (std::size_t k = 0; k < system.stages.size(); ++k) {
        const auto prefix = prefix_of("stage", k);
        put_common(to, prefix, system.stages[k]);
        const std::int32_t every = system.stages[k].every;
        put(to, prefix + "every", std::span(&every, 1));
    }
}

void get_leaves(const StateBlocks& from, System& system) {
    const auto n = system.particles.n;
    for (std::size_t k = 0; from.contains(prefix_of("external", k) + "name"); ++k) {
        auto spec = get_common<ExternalSpec>(from, prefix_of("external", k));
        check(spec, system.box, n);
        system.externals.push_back(std::move(spec));
    }
    for (std::size_t k = 0; from.contains(prefix_of("stage", k) + "name"); ++k) {
        const auto prefix = prefix_of("stage", k);
        auto spec = get_common<StageSpec>(from, prefix);
        spec.every = get<std::int32_t>(from, prefix + "every", 1)[0];
        check(spec, n);
        system.stages.push_back(std::move(spec));
    }
}

}  // namespace aureole::md
