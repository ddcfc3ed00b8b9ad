// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "md/box/step_state.hpp"
#include "md/coupling/bussi.kernel.hpp"
#include "md/coupling/coupling.hpp"

// Thermostats as functions of a group's kinetic energy, on hosts and devices.
namespace aureole::md {

/// A temperature that follows straight lines between points; `kT` where there are none.
struct TemperatureSchedule {
    double kT;
    const double *times, *kTs;
    int points;
    bool periodic;

    AUREOLE_FN double at(double time) const {
        if (points == 0) return kT;
        const double first = times[0], last = times[points - 1];
        if (periodic && last > first) {
            time = first + std::fmod(time - first, last - first);
            if (time < first) time += last - first;
        }
        if (time <= first) return kTs[0];
        int next = 0;
        while (next < points && times[next] <= time) ++next;
        if (next == points) return kTs[points - 1];
        const double part = (time - times[next - 1]) / (times[next] - times[next - 1]);
        return kTs[next - 1] + part * (kTs[next] - kTs[next - 1]);
    }
};

/// Nosé–Hoover chains over an interval, by the symmetric splitting of Martyna, Tuckerman, Tobias
/// & Klein, Mol. Phys. 87, 1117 (1996).
struct NoseHooverChain {
    double* v;  ///< velocities of the thermostats [1/time]
    int length;
    double kT, dof, tau;

    AUREOLE_FN double mass(int j) const {
        const double unit = kT * tau * tau / (4 * std::numbers::pi * std::numbers::pi);
        return j == 0 ? dof * unit : unit;
    }
    AUREOLE_FN double force(int j, double twice_kinetic) const {
        if (j == 0) return (twice_kinetic - dof * kT) / mass(0);
        return (mass(j - 1) * v[j - 1] * v[j - 1] - kT) / mass(j);
    }
    AUREOLE_FN void half(bool down, double twice_kinetic, double h) const {
        for (int k = 0; k < length; ++k) {
            const int j = down ? length - 1 - k : k;
            const double damp = j + 1 < length ? std::exp(-0.25 * h * v[j + 1]) : 1;
            v[j] = (v[j] * damp + 0.5 * h * force(j, twice_kinetic)) * damp;
        }
    }
    /// Whether no thermostat can change its neighbour by more than a factor of e^(1/2) in `h`: not
    /// with its speed now, nor with that which the thermostats below it may give it meanwhile.
    AUREOLE_FN bool resolves(double twice_kinetic, double h) const {
        constexpr double most = 0.5;  // temperatures in hot starts converge to three digits
        double below = 0;
        for (int j = 0; j < length; ++j) {
            const double acceleration = j == 0
                                            ? std::abs(force(0, twice_kinetic))
                                            : std::fmax(mass(j - 1) * below * below, kT) / mass(j);
            below = std::abs(v[j]) + h * acceleration;
            if (!(h * below <= most)) return false;
        }
        return true;
    }
    /// Factor for velocities; not a number where the chain is too fast for any number of parts.
    AUREOLE_FN double advance(double twice_kinetic, double interval) const {
        constexpr double least_parts = 4, most_parts = 1 << 22;
        double factor = 1, rest = interval;
        for (bool last = false; !last;) {
            const double k2 = twice_kinetic * factor * factor;
            double parts = least_parts;
            while (!resolves(k2, interval / parts))
                if ((parts *= 2) > most_parts) return std::numeric_limits<double>::quiet_NaN();
            // As many equal parts of the rest, of which the first is made.
            const double left = std::ceil(rest / interval * parts - 1e-6);
            last = left <= 1;
            const double h = last ? rest : rest / left;
            half(true, k2, h);
            const double scale = std::exp(-h * v[0]);
            factor *= scale;
            half(false, k2 * scale * scale, h);
            rest -= h;
        }
        return factor;
    }
};

AUREOLE_FN double berendsen_factor(double twice_kinetic, double kT, double dof, double ratio) {
    const double target = dof * kT / twice_kinetic;
    const double square = 1 + ratio * (target - 1);
    const double factor = std::sqrt(square > 0 ? square : 0);
    return factor < 0.8 ? 0.8 : factor > 1.25 ? 1.25 : factor;
}

/// A group of particles with a temperature of its own, as kernels read it.
struct ThermostatGroup {
    TemperatureSchedule schedule;
    double tau, dof;
};

/// Settings common to all groups.
struct ThermostatView {
    Thermostat kind;
    int chain;
    double start, dt, interval;
    std::uint64_t seed;

    AUREOLE_FN double time(std::int64_t step) const {
        return start + static_cast<double>(step) * dt;
    }
    /// Factor for the velocities of a group; advances its chain. Not a number where the chain
    /// cannot be followed.
    AUREOLE_FN double factor(const ThermostatGroup& group, int g, std::int64_t step,
                             double twice_kinetic, double* velocities) const {
        if (!(group.tau > 0 && group.dof > 0 && twice_kinetic > 0)) return 1;
        const double kT = group.schedule.at(time(step));
        if (kind == Thermostat::bussi)
            return draw_bussi_factor({0.5 * twice_kinetic, group.dof, kT, interval / group.tau,
                                      seed, static_cast<std::uint64_t>(step),
                                      static_cast<std::uint32_t>(g)});
        if (kind == Thermostat::nose_hoover && kT > 0)
            return NoseHooverChain{velocities, chain, kT, group.dof, group.tau}.advance(
                twice_kinetic, interval);
        if (kind == Thermostat::berendsen)
            return berendsen_factor(twice_kinetic, kT, group.dof, interval / group.tau);
        return 1;
    }
};

/// A group's temperature, whose points lie in the group.
TemperatureSchedule schedule_of(const TemperatureGroup& group);
ThermostatView thermostat_of(const CouplingSpec& spec, double dt, std::uint64_t seed);

/// Factors of all groups from twice their kinetic energy; adds up the energy given.
struct FindFactors {
    using device_kernel = void;
    ThermostatView thermostat;
    const ThermostatGroup* group;
    int groups;
    const double* twice_kinetic;
    double* chains;
    StepState* state;
    bool counts_noise_energy;
    double* factor;

    AUREOLE_FN void operator()(std::int64_t) const {
        for (int g = 0; g < groups; ++g) {
            const double k2 = twice_kinetic[g];
            factor[g] = thermostat.factor(group[g], g, state->step, k2,
                                          chains + static_cast<std::int64_t>(g) * thermostat.chain);
            if (!std::isfinite(factor[g])) {  // unless k2 is not finite: particles blow up then
                if (std::isfinite(k2) && state->chain_lost_at == StepState::never)
                    state->chain_lost_at = state->step;
                factor[g] = 1;
            }
            if (counts_noise_energy) state->heat += 0.5 * k2 * (factor[g] * factor[g] - 1);
        }
    }
};

/// Friction and noise of a group of particles in stochastic dynamics.
struct NoiseOfGroup {
    double keep;       ///< exp(−dt/τ)
    double kT_factor;  ///< kT (1 − exp(−2 dt/τ))
};

/// Finds the friction and noise of all groups at a step.
struct FindNoise {
    using device_kernel = void;
    ThermostatView thermostat;
    const ThermostatGroup* group;
    const StepState* state;
    NoiseOfGroup* noise;

    AUREOLE_FN void operator()(std::int64_t g) const {
        const auto& of = group[g];
        const double x = of.tau > 0 ? thermostat.dt / of.tau : 0;
        noise[g] = {std::exp(-x),
                    of.schedule.at(thermostat.time(state->step)) * -std::expm1(-2 * x)};
    }
};

}  // namespace aureole::md
