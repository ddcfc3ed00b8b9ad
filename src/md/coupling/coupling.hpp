// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "md/box/step_state.hpp"

// Thermostats and barostats as functions of sums over particles: the factors for velocities
// and box. They depend neither on particles nor on devices.
namespace aureole::md {

enum class Thermostat { none, bussi, nose_hoover, berendsen };
enum class Barostat { none, c_rescale, parrinello_rahman, berendsen };
enum class BoxShape { isotropic, semi_isotropic, anisotropic };

/// Particles with a temperature of their own.
struct TemperatureGroup {
    double kT = 0;
    double tau = 0;  ///< relaxation time; of stochastic dynamics one over the friction; ≤ 0: free
    double dof = 0;
    std::vector<double> times, kTs;  ///< annealing: straight lines between points; empty: none
    bool periodic = false;           ///< the schedule repeats

    double kT_at(double time) const;
};

struct BarostatSpec {
    Barostat kind = Barostat::none;
    BoxShape shape = BoxShape::isotropic;
    int every = 10;
    double tau = 0;
    core::Sym3d compressibility{};  ///< [volume/energy]
    core::Sym3d pressure{};         ///< [energy/volume]
};

/// Longer chains change nothing, and each thermostat costs time.
inline constexpr int longest_chain = 1000;

struct CouplingSpec {
    Thermostat thermostat = Thermostat::none;
    int every = 10;  ///< steps between rescalings of velocities
    int chain = 1;   ///< length of Nosé–Hoover chains, at most longest_chain
    std::vector<TemperatureGroup> groups;
    BarostatSpec barostat;
    double start = 0;  ///< time of step 0

    bool thermostat_acts(std::int64_t step) const {
        return thermostat != Thermostat::none && step % every == 0;
    }
    bool barostat_acts(std::int64_t step) const {
        return barostat.kind != Barostat::none && step % barostat.every == 0;
    }
};

/// State that is carried from step to step; part of checkpoints.
struct CouplingState {
    std::vector<double> chains;  ///< [groups][chain] velocities of Nosé–Hoover [1/time]
    BarostatState barostat;
    double heat = 0;                ///< energy that thermostats gave
    std::int64_t barostat_at = -1;  ///< last step at which the barostat acted
};

/// Throws core::InputError for invalid settings.
void check(const CouplingSpec& spec);

struct Moment {
    std::int64_t step = 0;
    double dt = 0;
    std::uint64_t seed = 0;
};

/// Factors for the velocities of each group from twice its kinetic energy; advances the chains and
/// adds to the energy that thermostats gave.
std::vector<double> thermostat_factors(const CouplingSpec& spec, CouplingState& state,
                                       const std::vector<double>& twice_kinetic, const Moment& now);

struct BarostatInput {
    core::Sym3d pressure;
    core::Sym3d twice_kinetic;
    double volume = 0, initial_volume = 0, dof = 0;
};

/// Sets the pending strain of the box and counts its work. Returns the factor by which velocities
/// are to be scaled at once, less one.
Strain apply_barostat(const CouplingSpec& spec, CouplingState& state, const BarostatInput& now,
                      const Moment& when);

}  // namespace aureole::md
