// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "core/atomic.hpp"
#include "core/box.hpp"
#include "core/random.hpp"
#include "core/vec3.hpp"
#include "md/box/step_state.hpp"
#include "md/neighbor/cluster_layout.hpp"

// Stages: one particle's update each, for every backend. `KernelLayout` knows where forces and
// kernel coordinates lie.
namespace aureole::md {

/// Bits of MotionColumns::moves.
inline constexpr std::uint8_t moves_x = 1, moves_y = 2, moves_z = 4, moves_freely = 7;

/// Columns that stages work on.
struct MotionColumns {
    core::Vec3d* position;
    core::Vec3d* velocity;
    const double* mass;  ///< read if inverse_mass is 0
    const Tag* tag;
    const std::uint8_t* moves;  ///< null: all particles move
    double inverse_mass;        ///< of all particles, or 0

    AUREOLE_FN double inv_mass(std::int64_t i) const {
        return inverse_mass != 0 ? inverse_mass : 1 / mass[i];
    }
    AUREOLE_FN bool fixed(std::int64_t i) const { return moves != nullptr && moves[i] == 0; }
    AUREOLE_FN bool free(std::int64_t i) const {
        return moves == nullptr || moves[i] == moves_freely;
    }
    AUREOLE_FN int axes(std::int64_t i) const {
        if (free(i)) return 3;
        return (moves[i] & moves_x) / moves_x + (moves[i] & moves_y) / moves_y +
               (moves[i] & moves_z) / moves_z;
    }
};

/// A vector without its components along the particle's frozen axes.
AUREOLE_FN core::Vec3d free_part(const MotionColumns& c, std::int64_t i, core::Vec3d v) {
    if (c.free(i)) return v;
    if ((c.moves[i] & moves_x) == 0) v.x = 0;
    if ((c.moves[i] & moves_y) == 0) v.y = 0;
    if ((c.moves[i] & moves_z) == 0) v.z = 0;
    return v;
}

/// v + h F
template <class F>
AUREOLE_FN core::Vec3d kicked(const core::Vec3d& v, double h, const F& f) {
    return v + h * core::Vec3d{double(f.x), double(f.y), double(f.z)};
}

/// v += h F/m, the closing half of a velocity Verlet step. Forces stay.
template <class KernelLayout>
struct HalfKick {
    using device_kernel = typename KernelLayout::device_kernel;
    MotionColumns c;
    KernelLayout layout;
    double half_step;

    AUREOLE_FN void scale_times(double dt) { half_step *= dt; }
    AUREOLE_FN void operator()(std::int64_t i) const {
        if (c.fixed(i)) return;
        c.velocity[i] =
            free_part(c, i, kicked(c.velocity[i], half_step * c.inv_mass(i), layout.read_force(i)));
    }
};

/// Langevin's part of a step (BAOAB; Leimkuhler & Matthews, Appl. Math. Res. Express 2013, 34).
struct NoThermostat {
    AUREOLE_FN core::Vec3d drift(const core::Vec3d& r, core::Vec3d& v, double dt, std::int64_t, Tag,
                                 double) const {
        return r + dt * v;
    }
};

struct LangevinThermostat {
    double keep;       ///< exp(−γ dt)
    double kT_factor;  ///< kT (1 − exp(−2γ dt))
    std::uint64_t seed;

    AUREOLE_FN core::Vec3d drift(core::Vec3d r, core::Vec3d& v, double dt, std::int64_t step,
                                 Tag tag, double inv_mass) const {
        r += (0.5 * dt) * v;
        core::Random random(seed, core::Stream::langevin, static_cast<std::uint64_t>(step),
                            static_cast<std::uint64_t>(tag));
        v = keep * v + std::sqrt(kT_factor * inv_mass) * random.normal3();
        r += (0.5 * dt) * v;
        return r;
    }
};

/// All that happens to free particles before forces: the half kick that closes the step before (if
/// it is pending), the kick that opens this one, the drift, the kernels' coordinates, the checks of
/// displacement limits and blow-ups, and the count of the step.
template <class KernelLayout, class ThermostatPolicy>
struct Move {
    using device_kernel = typename KernelLayout::device_kernel;
    MotionColumns c;
    KernelLayout layout;
    StepState* state;
    ThermostatPolicy thermostat;
    double dt;
    double kick;      ///< time of the opening kick
    double farthest;  ///< a longer move in one step is a blow-up
    double longest;   ///< moves are cut to this, if positive
    bool pending;     ///< the closing half kick of the step before
    bool watch;       ///< the list is exact

    AUREOLE_FN void scale_times(double step) { dt *= step, kick *= step; }
    AUREOLE_FN void operator()(std::int64_t i) const {
        const auto f = layout.take_force(i);
        const double m = c.inv_mass(i), h = kick * m;
        core::Vec3d v = c.velocity[i];
        core::Vec3d r = c.position[i];
        if (!c.fixed(i)) {
            if (pending) v = kicked(v, h, f);
            v = free_part(c, i, kicked(v, h, f));
            core::Vec3d to = thermostat.drift(r, v, dt, state->step, c.tag[i], m);
            const core::Vec3d d = free_part(c, i, to - r);
            if (!c.free(i)) v = free_part(c, i, v), to = r + d;
            const double d2 = dot(d, d);
            if (longest > 0 && d2 > longest * longest) {
                const double cut = longest / std::sqrt(d2);
                v = cut * v;
                to = r + cut * d;
            } else if (!(d2 < farthest * farthest)) {  // NaN too
                core::atomic_min(&state->blown_up, c.tag[i]);
                return;  // not moved, for the diagnosis
            }
            r = to;
            c.velocity[i] = v;
            c.position[i] = r;
        }
        using T = decltype(f.x);
        layout.store_acceleration(
            i, static_cast<T>(m) * static_cast<T>(std::sqrt(f.x * f.x + f.y * f.y + f.z * f.z)));
        layout.store(i, r);
        if (watch && !layout.within_limit(i)) core::atomic_or(&state->list_expired, 1);
    }
    AUREOLE_FN void after_all() const requires(KernelLayout::counts_steps) { count_step(*state); }
    AUREOLE_FN std::uint32_t* blocks_done() const { return &state->blocks_done; }
};

/// Whether kernels can work with a position: finite, and nearer than what they take for no
/// particle at all.
AUREOLE_FN bool somewhere(const core::Vec3d& r) {
    return std::abs(r.x) < filler_threshold && std::abs(r.y) < filler_threshold &&
           std::abs(r.z) < filler_threshold;
}

/// The tag of a particle that no search can sort, or StepState::nobody.
struct LostTag {
    using device_kernel = void;
    core::Box box;
    const core::Vec3d* position;
    const Tag* tag;

    AUREOLE_FN Tag operator()(std::int64_t i) const {
        constexpr double most_turns = 1e9;  // whole boxes travelled are counted in 32 bits
        const auto f = box.fractional(position[i]);
        const auto counts = [](double turns, bool periodic) {
            return !periodic || std::abs(turns) < most_turns;
        };
        const bool good = somewhere(position[i]) && counts(f.x, box.periodic_x) &&
                          counts(f.y, box.periodic_y) && counts(f.z, box.periodic_z);
        return good ? StepState::nobody : tag[i];
    }
};

/// Brings positions into the box.
struct Wrap {
    using device_kernel = void;
    core::Box box;
    core::Vec3d* position;
    core::Vec3i* image;

    AUREOLE_FN void operator()(std::int64_t i) const { box.wrap(position[i], image[i]); }
};

}  // namespace aureole::md
