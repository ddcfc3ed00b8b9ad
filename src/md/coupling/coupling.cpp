// SPDX-License-Identifier: Apache-2.0
#include "md/coupling/coupling.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "core/error.hpp"
#include "core/random.hpp"
#include "md/coupling/thermostat.kernel.hpp"

namespace aureole::md {

Course course_of(const BathGroup& group) {
    return {group.kT, group.times.data(), group.kTs.data(), static_cast<int>(group.times.size()),
            group.periodic};
}

double BathGroup::kT_at(double time) const { return course_of(*this).at(time); }

void check(const CouplingSpec& spec) {
    const auto wrong = [](const std::string& what, const std::string& why) {
        return core::InputError("the coupling cannot be used: " + what, why,
                                "Correct the settings of the thermostat and the barostat.");
    };
    if (spec.every < 1 || spec.barostat.every < 1)
        throw wrong("an interval is not positive", "it counts steps");
    if (spec.chain < 1) throw wrong("a chain has no length", "one thermostat at least is needed");
    if (spec.groups.size() > 255)
        throw wrong("there are more than 255 groups", "a byte tells them");
    for (const auto& group : spec.groups) {
        if (!(group.kT >= 0) || !std::isfinite(group.kT) || !std::isfinite(group.tau))
            throw wrong("a group has no temperature", "it must be finite and not negative");
        if (group.times.size() != group.kTs.size() || !std::ranges::is_sorted(group.times))
            throw wrong("annealing has no course", "points need times in order and temperatures");
    }
    const auto& b = spec.barostat;
    if (b.kind == Barostat::none) return;
    if (!(b.tau > 0)) throw wrong("the barostat's time is not positive", "it relaxes the box");
    const auto& k = b.compressibility;
    for (const double c : {k.xx, k.yy, k.zz, k.xy, k.xz, k.yz})
        if (!(c >= 0) || !std::isfinite(c))
            throw wrong("a compressibility is negative", "volumes fall with pressure");
    if (b.kind == Barostat::c_rescale && (k.xy != 0 || k.xz != 0 || k.yz != 0))
        throw wrong("stochastic cell rescaling of tilted boxes", "its noise is along the axes");
    if (b.kind == Barostat::c_rescale && spec.groups.empty())
        throw wrong("stochastic cell rescaling without a temperature", "its noise needs one");
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
        groups.push_back({course_of(group), group.tau, group.dof});
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

namespace {

using core::Sym3d;

/// What the box feels of a tensor.
Sym3d project(BoxShape shape, const Sym3d& p) {
    if (shape == BoxShape::anisotropic) return p;
    if (shape == BoxShape::semi_isotropic) {
        const double along = 0.5 * (p.xx + p.yy);
        return {along, along, p.zz, 0, 0, 0};
    }
    const double all = p.trace() / 3;
    return {all, all, all, 0, 0, 0};
}

Sym3d scaled(const Sym3d& a, const Sym3d& b, double factor) {
    return {factor * a.xx * b.xx, factor * a.yy * b.yy, factor * a.zz * b.zz,
            factor * a.xy * b.xy, factor * a.xz * b.xz, factor * a.yz * b.yz};
}

Sym3d minus(const Sym3d& a, const Sym3d& b) { return a + (-1.0) * b; }

/// Stochastic cell rescaling (Bernetti & Bussi, J. Chem. Phys. 153, 114107 (2020), eqs. 7 and 20).
Strain c_rescale(const CouplingSpec& spec, const Pressed& now, const Moment& when) {
    const auto& b = spec.barostat;
    const double interval = b.every * when.dt;
    const double kT = spec.groups[0].kT_at(spec.start + static_cast<double>(when.step) * when.dt);
    core::Random random(when.seed, core::Stream::barostat, static_cast<std::uint64_t>(when.step),
                        0);
    const auto noise = random.normal3();
    const auto pull = minus(now.pressure, b.pressure);
    const auto part = [&](double compressibility, double force, double share, double normal) {
        const double rate = share * compressibility * interval / b.tau;
        return rate * force + std::sqrt(2 * kT * rate / now.volume) * normal;
    };
    const auto& k = b.compressibility;
    switch (b.shape) {
        case BoxShape::isotropic: {
            const double e = std::expm1(part(k.xx, pull.trace() / 3, 1, noise.x) / 3);
            return {e, e, e};
        }
        case BoxShape::semi_isotropic: {
            const double e =
                std::expm1(part(k.xx, 0.5 * (pull.xx + pull.yy), 2.0 / 3, noise.x) / 2);
            return {e, e, std::expm1(part(k.zz, pull.zz, 1.0 / 3, noise.z))};
        }
        case BoxShape::anisotropic:
            break;
    }
    return {std::expm1(part(k.xx, pull.xx, 1.0 / 3, noise.x)),
            std::expm1(part(k.yy, pull.yy, 1.0 / 3, noise.y)),
            std::expm1(part(k.zz, pull.zz, 1.0 / 3, noise.z))};
}

/// What the energy changes by: that of places, and of velocities where these shrink as the box
/// grows.
double work_of(const Strain& e, const Pressed& now, bool velocities) {
    const auto p =
        velocities ? now.pressure : minus(now.pressure, (1 / now.volume) * now.twice_kinetic);
    return -now.volume *
           (e.xx * p.xx + e.yy * p.yy + e.zz * p.zz + e.xy * p.xy + e.xz * p.xz + e.yz * p.yz);
}

}  // namespace

Strain press(const CouplingSpec& spec, CouplingState& state, const Pressed& now,
             const Moment& when) {
    const auto& b = spec.barostat;
    const double interval = b.every * when.dt;
    const auto pull = project(b.shape, minus(now.pressure, b.pressure));
    state.slow = {};
    if (b.kind == Barostat::c_rescale) {
        state.pending = c_rescale(spec, now, when);
        state.slow = (-1.0) * state.pending + Strain{state.pending.xx * state.pending.xx,
                                                     state.pending.yy * state.pending.yy,
                                                     state.pending.zz * state.pending.zz};
        state.work += work_of(state.pending, now, true);
        return {};
    }
    if (b.kind == Barostat::berendsen) {
        state.pending = Strain::of(scaled(b.compressibility, pull, interval / (3 * b.tau)));
        state.work += work_of(state.pending, now, false);
        return {};
    }
    // Parrinello and Rahman in the form of Martyna, Tobias & Klein, J. Chem. Phys. 101, 4177
    // (1994): the rate of strain has a mass for which the box breathes with the period tau.
    const double mean = now.twice_kinetic.trace() / (std::max(1.0, now.dof) * now.volume);
    const double stiff = 4 * std::numbers::pi * std::numbers::pi / (3 * b.tau * b.tau) *
                         (now.volume / now.initial_volume);
    const auto force = pull + Sym3d{mean, mean, mean, 0, 0, 0};
    state.rate = state.rate + Strain::of(scaled(b.compressibility, force, stiff * interval));
    state.pending = exponential(interval * state.rate);
    const double common = state.rate.trace() / std::max(1.0, now.dof);
    state.work += work_of(state.pending, now, true) - interval * common * now.twice_kinetic.trace();
    return exponential((-interval) * (state.rate + Strain{common, common, common}));
}

}  // namespace aureole::md
