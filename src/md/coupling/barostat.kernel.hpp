// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <numbers>

#include "core/random.hpp"
#include "md/coupling/coupling.hpp"
#include "md/coupling/thermostat.kernel.hpp"

// Barostats as functions of the pressure, on hosts and devices.
namespace aureole::md {

/// A barostat as kernels see it: finds the strain of the box from the pressure.
struct BarostatView {
    BarostatSpec spec;
    TemperatureSchedule schedule;  ///< temperature of the first group
    double start, dt;
    std::uint64_t seed;

    /// Sets the strains of the box and of velocities, and counts the work.
    AUREOLE_FN void apply_barostat(const BarostatInput& now, std::int64_t step,
                                   BarostatState& state) const {
        state.velocity_strain = state.at_once = {};
        switch (spec.kind) {
            case Barostat::c_rescale:
                return rescale_cell(now, step, state);
            case Barostat::berendsen:
                return relax(now, state);
            case Barostat::parrinello_rahman:
                return accelerate(now, state);
            case Barostat::none:
                return;
        }
    }

  private:
    using Sym3d = core::Sym3d;

    AUREOLE_FN static Sym3d minus(const Sym3d& a, const Sym3d& b) { return a + (-1.0) * b; }
    AUREOLE_FN static Sym3d scaled(const Sym3d& a, const Sym3d& b, double factor) {
        return {factor * a.xx * b.xx, factor * a.yy * b.yy, factor * a.zz * b.zz,
                factor * a.xy * b.xy, factor * a.xz * b.xz, factor * a.yz * b.yz};
    }
    AUREOLE_FN double interval() const { return spec.every * dt; }

    /// The part of p − P that the box follows.
    AUREOLE_FN Sym3d pull(const BarostatInput& now) const {
        const auto p = minus(now.pressure, spec.pressure);
        if (spec.shape == BoxShape::anisotropic) return p;
        if (spec.shape == BoxShape::semi_isotropic) {
            const double along = 0.5 * (p.xx + p.yy);
            return {along, along, p.zz, 0, 0, 0};
        }
        const double all = p.trace() / 3;
        return {all, all, all, 0, 0, 0};
    }

    /// The change of the energy: that of positions, and of velocities where these shrink as the box
    /// grows.
    AUREOLE_FN static double work_of(const Strain& e, const BarostatInput& now, bool velocities) {
        const auto p =
            velocities ? now.pressure : minus(now.pressure, (1 / now.volume) * now.twice_kinetic);
        return -now.volume *
               (e.xx * p.xx + e.yy * p.yy + e.zz * p.zz + e.xy * p.xy + e.xz * p.xz + e.yz * p.yz);
    }

    /// Stochastic cell rescaling (Bernetti & Bussi, J. Chem. Phys. 153, 114107 (2020), eqs. 7 and
    /// 20).
    AUREOLE_FN void rescale_cell(const BarostatInput& now, std::int64_t step,
                                 BarostatState& state) const {
        state.pending = cell_strain(now, step);
        state.velocity_strain =
            (-1.0) * state.pending + Strain{state.pending.xx * state.pending.xx,
                                            state.pending.yy * state.pending.yy,
                                            state.pending.zz * state.pending.zz};
        state.work += work_of(state.pending, now, true);
    }
    AUREOLE_FN Strain cell_strain(const BarostatInput& now, std::int64_t step) const {
        const double kT = schedule.at(start + static_cast<double>(step) * dt);
        core::Random random(seed, core::Stream::barostat, static_cast<std::uint64_t>(step), 0);
        const auto noise = random.normal3();
        const auto force = minus(now.pressure, spec.pressure);
        const auto part = [&](double compressibility, double along, double fraction,
                              double normal) {
            const double rate = fraction * compressibility * interval() / spec.tau;
            return rate * along + std::sqrt(2 * kT * rate / now.volume) * normal;
        };
        const auto& k = spec.compressibility;
        if (spec.shape == BoxShape::isotropic) {
            const double e = std::expm1(part(k.xx, force.trace() / 3, 1, noise.x) / 3);
            return {e, e, e};
        }
        if (spec.shape == BoxShape::semi_isotropic) {
            const double e =
                std::expm1(part(k.xx, 0.5 * (force.xx + force.yy), 2.0 / 3, noise.x) / 2);
            return {e, e, std::expm1(part(k.zz, force.zz, 1.0 / 3, noise.z))};
        }
        return {std::expm1(part(k.xx, force.xx, 1.0 / 3, noise.x)),
                std::expm1(part(k.yy, force.yy, 1.0 / 3, noise.y)),
                std::expm1(part(k.zz, force.zz, 1.0 / 3, noise.z))};
    }

    /// Berendsen et al., J. Chem. Phys. 81, 3684 (1984).
    AUREOLE_FN void relax(const BarostatInput& now, BarostatState& state) const {
        state.pending =
            Strain::of(scaled(spec.compressibility, pull(now), interval() / (3 * spec.tau)));
        state.work += work_of(state.pending, now, false);
    }

    /// Parrinello and Rahman in the form of Martyna, Tobias & Klein, J. Chem. Phys. 101, 4177
    /// (1994): the rate of strain has a mass for which the box breathes with the period tau.
    AUREOLE_FN void accelerate(const BarostatInput& now, BarostatState& state) const {
        const double dof = now.dof > 1 ? now.dof : 1.0;
        const double mean = now.twice_kinetic.trace() / (dof * now.volume);
        const double stiff = 4 * std::numbers::pi * std::numbers::pi / (3 * spec.tau * spec.tau) *
                             (now.volume / now.initial_volume);
        const auto force = pull(now) + Sym3d{mean, mean, mean, 0, 0, 0};
        state.rate =
            state.rate + Strain::of(scaled(spec.compressibility, force, stiff * interval()));
        state.pending = exponential(interval() * state.rate);
        const double common = state.rate.trace() / dof;
        state.work +=
            work_of(state.pending, now, true) - interval() * common * now.twice_kinetic.trace();
        state.at_once = exponential((-interval()) * (state.rate + Strain{common, common, common}));
    }
};

}  // namespace aureole::md
