// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "md/integrate/motion_counts.kernel.hpp"

namespace aureole::md {

/// Assumptions of tolerance lists about how far particles go, and how far they really went.
///
/// Widths follow from free flight at a temperature. Particles may be faster: a group hotter than
/// its thermostat, a hot spot, a start whose energy is released. For each class of masses this
/// keeps the factor by which the variance of displacements exceeds that of free flight, from the
/// distances that were seen: that of the least Gaussian with as many particles beyond each level,
/// so that a few fast ones count. Until lists have lasted as long as planned, they are looked at in
/// every step.
class ListWatch {
  public:
    struct Whole {
        double lightest = 0;          ///< mass of those that move; 0: none does
        core::Vec3d drift;            ///< velocity of all
        std::int64_t steps_kept = 0;  ///< made with lists in a row that were not outrun
    };
    /// Part of checkpoints.
    struct State {
        std::array<double, motion_classes> excess;        ///< of variances, as assumed; at least 1
        std::array<double, motion_classes> seen;          ///< the largest since the last search
        std::array<std::int64_t, motion_classes> moving;  ///< particles that move
        Whole whole;
    };

    ListWatch() { forget(); }
    /// Nothing is known about the particles any more.
    void forget();
    const State& state() const { return state_; }
    void restore(const State& state) { state_ = state; }

    /// Whether lists have been kept as planned for so long that they need no look in each step.
    bool is_calm() const { return state_.whole.steps_kept >= 250; }
    bool anything_moves() const { return state_.whole.lightest > 0; }
    /// The largest excess of particles with masses from `least` to `most`.
    double excess(double least, double most, bool charged) const;
    /// Speed of the fastest class along one axis, per √kT.
    double fastest() const;

    /// The scale of displacements after `time`, or of velocities (1): relative to what is assumed
    /// or, if not `assumed`, to free flight.
    MotionScale scale(double kT, double time, bool assumed) const;
    /// The start of a run: the lightest mass, and how many particles of each class there are.
    void begin(double lightest);
    void count(const MotionCounts& particles);
    /// Takes over the velocity of the whole at a search; what is assumed falls towards what was
    /// seen.
    void begin_list(const core::Vec3d& drift);
    /// Takes velocities into account. Returns whether more is assumed than before.
    bool expect(const MotionCounts& speeds);
    /// Takes displacements relative to what was assumed into account. Returns whether more is
    /// assumed than before.
    bool see(const MotionCounts& displacements);
    void list_was_kept(std::int64_t steps) { state_.whole.steps_kept += steps; }
    void list_was_outrun() { state_.whole.steps_kept = 0; }
    /// Assumes free flight at a higher temperature; `before`: the previous temperature in parts of
    /// it.
    void heated(double before);

  private:
    bool raise(std::size_t of_class, double needed);

    State state_;
};

}  // namespace aureole::md
