// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "io/state_blocks.hpp"
#include "md/integrate/fire.kernel.hpp"
#include "md/neighbor/tile_list.hpp"
#include "md/system/profile.hpp"
#include "md/system/system.hpp"

namespace aureole::md {

/// Buffers and lifetimes of the lists, tuned by the motion (never by timing), part of the state.
struct ListTuning {
    double inner_floor = 0,
           outer_floor = 0;  ///< least displacement limit, in thermal speed × planned lifetime
    int inner_lifetime = 0, outer_lifetime = 0;  ///< planned steps
};

/// Potential energies and virials, by term.
struct PotentialSums {
    std::vector<EnergyVirial> of_force;
    EnergyVirial total;  ///< with what virtual sites add to the virial
};

/// Sums over velocities at the time of the positions.
struct Kinetics {
    MotionSums sums;
    core::Sym3d constraint_virial{};
    std::vector<double> twice_kinetic;  ///< of each group of the coupling
};

struct ListStatistics {
    std::int64_t searches = 0, prunings = 0, steps = 0, early_prunings = 0;
    double outer_tiles = 0, inner_tiles = 0;    ///< 4 × 4 tiles per particle at the last ones
    double outer_buffer = 0, inner_buffer = 0;  ///< widths of inexact lists
};

using io::StateBlocks;

/// Energy and virial of each particle, half of every pair's to each; [n] in local order. On several
/// ranks, of those that this one owns.
struct ParticleSums {
    std::vector<double> energy;
    std::vector<core::Sym3d> virial;
};

/// The constraint that turned most in one step, of those that were looked at.
struct LargestRotation {
    Tag tag_a = no_tag, tag_b = no_tag;
    double angle = 0;  ///< [rad]
    std::int64_t step = 0;
};

/// The search for the largest rotation.
struct RotationCheck {
    LargestRotation turn;
    std::int64_t at = 0;  ///< the step of the last look
};

/// The code that makes steps on a device: lists, force evaluation, stages.
class Engine {
  public:
    virtual ~Engine() = default;
    /// Forces for the positions as they are; a new search, as anything may have been edited.
    virtual void prepare() = 0;
    /// Makes steps. Throws core::BlowUpError. The half kick that closes the last one may be left
    /// pending, so that the pieces in which steps are made change no bit; close_steps() makes it.
    virtual void advance(std::int64_t steps) = 0;
    /// Brings the velocities to the time of the last step's positions.
    virtual void close_steps() = 0;
    virtual PotentialSums potential() = 0;
    /// Writes the forces, [n] in local order, to device memory.
    virtual void read_forces(device::View<Vec3d> to) = 0;
    virtual MotionSums motion_sums() = 0;
    /// Sums that temperature and pressure need beside the potential; forces must be current.
    virtual Kinetics kinetics() = 0;
    /// Steepest descent: its start, where `tail` is added to all energies; and a trial, which is
    /// undone if it does not lower the energy.
    virtual DescentMemory begin_descent(double step, double tail) = 0;
    virtual DescentMemory descend() = 0;
    /// Moves particles until constraints are satisfied, and removes the velocities that would
    /// violate them.
    virtual void satisfy_constraints() = 0;
    /// Takes off the drift of the whole, and its rotation where that is wanted.
    virtual void stop_whole() = 0;
    /// The largest rotation in some of the steps at which lists were renewed, since the last call.
    virtual LargestRotation take_largest_rotation() = 0;
    /// Remark about the device, to be shown once; empty for none.
    virtual std::string take_remark() { return {}; }
    virtual ParticleSums particle_sums() = 0;
    /// The minimiser FIRE, whose steps advance() makes where the scheme is `fire`: the decision
    /// about the first step, and what was decided last. Steps after convergence are none.
    virtual void begin_fire(const FireSpec& spec) = 0;
    virtual FireState fire() = 0;
    /// The lists, so that a restart goes on bit by bit; the particles are saved by their owner.
    virtual void save(StateBlocks& to) = 0;
    /// Throws core::FileError for blocks that do not fit the particles.
    virtual void restore(const StateBlocks& from) = 0;
    virtual ListTuning tuning() const = 0;
    virtual void set_tuning(const ListTuning&) = 0;
    virtual ListStatistics statistics() const = 0;
    /// Entries and tiles of a list of tiles; zeros for others.
    virtual TileCounts tile_counts() { return {}; }
    virtual Profile& profile() = 0;
    /// The stages of a step, a line each.
    virtual std::string describe() = 0;
};

/// Forces [n] in local order.
std::vector<Vec3d> download_forces(device::Queue& queue, Engine& engine, std::int64_t n);

/// Cluster pairs on a host device, in mixed or double precision.
template <class T>
std::unique_ptr<Engine> make_cluster_engine(device::Queue& queue, System& system);
/// Flat lists on any device.
template <class T>
std::unique_ptr<Engine> make_flat_engine(device::Queue& queue, System& system);

}  // namespace aureole::md
