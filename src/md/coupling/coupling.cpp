// SPDX-License-Identifier: Apache-2.0
#include "md/coupling/coupling.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.hpp"
#include "md/coupling/barostat.kernel.hpp"

namespace aureole::md {

TemperatureSchedule schedule_of(const TemperatureGroup& group) {
    return {group.kT, group.times.data(), group.kTs.data(), static_cast<int>(group.times.size()),
            group.periodic};
}

double TemperatureGroup::kT_at(double time) const { return schedule_of(*this).at(time); }

void check(const CouplingSpec& spec) {
    const auto wrong = [](const std::string& what, const std::string& why) {
        return core::InputError("the coupling settings are invalid: " + what, why,
                                "Correct the settings of the thermostat and the barostat.");
    };
    if (spec.every < 1 || spec.barostat.every < 1)
        throw wrong("an interval is not positive", "it is a number of steps");
    if (spec.chain < 1 || spec.chain > longest_chain)
        throw wrong(
            "the chain length is " + std::to_string(spec.chain),
            "a Nose-Hoover chain has 1 to " + std::to_string(longest_chain) + " thermostats");
    if (!std::isfinite(spec.start))
        throw wrong("the start is not finite", "it is the time of step 0");
    if (spec.groups.size() > 255)
        throw wrong("there are more than 255 coupling groups", "the limit is 255");
    for (const auto& group : spec.groups) {
        if (!(group.kT >= 0) || !std::isfinite(group.kT) || !std::isfinite(group.tau))
            throw wrong("the temperature or time constant of a group is invalid",
                        "kT must be finite and not negative, and tau finite");
        if (group.times.size() != group.kTs.size() || !std::ranges::is_sorted(group.times))
            throw wrong("the annealing points are invalid",
                        "each point needs a time and a temperature, and times must not decrease");
    }
    const auto& b = spec.barostat;
    if (b.kind == Barostat::none) return;
    if (!(b.tau > 0) || !std::isfinite(b.tau))
        throw wrong("the barostat's time constant is not positive and finite",
                    "tau is the relaxation time of the box");
    const auto& p = b.pressure;
    if (!std::isfinite(p.xx + p.yy + p.zz + p.xy + p.xz + p.yz))
        throw wrong("a pressure is not finite", "the barostat would change the box without end");
    const auto& k = b.compressibility;
    for (const double c : {k.xx, k.yy, k.zz, k.xy, k.xz, k.yz})
        if (!(c >= 0) || !std::isfinite(c))
            throw wrong("a compressibility is negative or not finite",
                        "the volume must fall with increasing pressure");
    if (b.kind == Barostat::c_rescale && (k.xy != 0 || k.xz != 0 || k.yz != 0))
        throw wrong("stochastic cell rescaling with off-diagonal compressibilities",
                    "its noise acts along the box axes only");
    if (b.kind == Barostat::c_rescale && spec.groups.empty())
        throw wrong("stochastic cell rescaling needs a temperature", "its noise depends on it");
}

ThermostatView thermostat_of(const CouplingSpec& spec, double dt, std::uint64_t seed) {
    return {spec.thermostat, spec.chain, spec.start, dt, spec.every * dt, seed};
}

std::vector<double> thermostat_factors(const CouplingSpec& spec, CouplingState& state,
                                       const std::vector<double>& twice_kinetic,
                                       const Moment& now) {
    state.chains.resize(spec.groups.size() * static_cast<std::size_t>(spec.chain));
    std::vector<ThermostatGroup> groups;
    for (const auto& group : spec.groups)
        groups.push_back({schedule_of(group), group.tau, group.dof});
    std::vector<double> factors(groups.size());
    StepState at;
    at.step = now.step, at.heat = state.heat;
    FindFactors{thermostat_of(spec, now.dt, now.seed),
                groups.data(),
                static_cast<int>(groups.size()),
                twice_kinetic.data(),
                state.chains.data(),
                &at,
                true,
                factors.data()}(0);
    state.heat = at.heat;
    return factors;
}

Strain apply_barostat(const CouplingSpec& spec, CouplingState& state, const BarostatInput& now,
                      const Moment& when) {
    const TemperatureSchedule none{0, nullptr, nullptr, 0, false};
    const BarostatView barostat{spec.barostat,
                                spec.groups.empty() ? none : schedule_of(spec.groups[0]),
                                spec.start, when.dt, when.seed};
    barostat.apply_barostat(now, when.step, state.barostat);
    return state.barostat.at_once;
}

}  // namespace aureole::md
