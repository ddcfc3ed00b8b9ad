// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/box/strain.hpp"
#include "md/coupling/electric_field.hpp"
#include "md/coupling/thermostat.kernel.hpp"
#include "md/integrate/motion.kernel.hpp"
#include "md/integrate/thermo.kernel.hpp"

// Stages of a step with constraints, virtual sites, frozen axes or thermostat groups. Positions are
// final only after the constraints, so that the kernels' coordinates are stored by a stage of their
// own.
namespace aureole::md {

/// v += kick F/m, r += flight v; keeps the old positions in `before`.
template <class KernelLayout>
struct KickDrift {
    using device_kernel = typename KernelLayout::device_kernel;
    MotionColumns c;
    KernelLayout layout;
    core::Vec3d* before;
    StepState* state;
    double kick, flight;
    double farthest;  ///< a longer move is a blow-up
    double longest;   ///< moves are cut to this, if positive

    AUREOLE_FN void scale_times(double dt) { kick *= dt, flight *= dt; }
    AUREOLE_FN void operator()(std::int64_t i) const {
        const auto f = layout.take_force(i);
        const core::Vec3d r = c.position[i];
        before[i] = r;
        if (c.fixed(i)) {
            c.velocity[i] = {};
            return layout.store_acceleration(i, 0);
        }
        const double m = c.inv_mass(i);
        auto v = free_part(c, i, kicked(c.velocity[i], kick * m, f));
        const double d2 = flight * flight * dot(v, v);
        if (longest > 0 && d2 > longest * longest) {
            v = (longest / std::sqrt(d2)) * v;
        } else if (!(d2 < farthest * farthest)) {  // NaN too
            core::atomic_min(&state->blown_up, c.tag[i]);
            return;
        }
        c.velocity[i] = v;
        c.position[i] = r + flight * v;
        using T = decltype(f.x);
        layout.store_acceleration(
            i, static_cast<T>(m) * static_cast<T>(std::sqrt(f.x * f.x + f.y * f.y + f.z * f.z)));
    }
};

/// Friction and noise at the current positions (BAOAB; Leimkuhler & Matthews, Proc. R. Soc. A 472,
/// 20160138 (2016) under constraints).
struct Noise {
    using device_kernel = void;
    MotionColumns c;
    const std::uint8_t* group;  ///< null: one of all
    const NoiseOfGroup* noise;
    std::uint64_t seed;
    const StepState* state;

    AUREOLE_FN void operator()(std::int64_t i) const {
        core::Random random(seed, core::Stream::langevin, static_cast<std::uint64_t>(state->step),
                            static_cast<std::uint64_t>(c.tag[i]));
        add(i, random.normal3());
    }
    AUREOLE_FN void add(std::int64_t i, const core::Vec3d& normal) const {
        if (c.fixed(i)) return;
        const auto& of = noise[group != nullptr ? group[i] : 0];
        const double width = std::sqrt(of.kT_factor * c.inv_mass(i));
        c.velocity[i] = free_part(c, i, of.keep * c.velocity[i] + width * normal);
    }
};

/// r += flight v; keeps the old positions in `before`.
struct Drift {
    using device_kernel = void;
    MotionColumns c;
    core::Vec3d* before;
    double flight;

    AUREOLE_FN void operator()(std::int64_t i) const {
        before[i] = c.position[i];
        if (!c.fixed(i)) c.position[i] += flight * c.velocity[i];
    }
};

/// Removes velocities along frozen axes.
struct StopFrozen {
    using device_kernel = void;
    MotionColumns c;

    AUREOLE_FN void operator()(std::int64_t i) const {
        c.velocity[i] = free_part(c, i, c.velocity[i]);
    }
};

/// Positions and velocities after a step, in separate columns.
template <class KernelLayout>
struct TryStep {
    using device_kernel = typename KernelLayout::device_kernel;
    MotionColumns c;
    KernelLayout layout;
    core::Vec3d *position, *velocity;
    double kick, flight;

    AUREOLE_FN void operator()(std::int64_t i) const {
        position[i] = c.position[i];
        velocity[i] = {};
        if (c.fixed(i)) return;
        const auto v =
            free_part(c, i, kicked(c.velocity[i], kick * c.inv_mass(i), layout.read_force(i)));
        velocity[i] = v;
        position[i] += flight * v;
    }
};

/// F/m, from which constraints remove what they bear.
template <class KernelLayout>
struct Accelerations {
    using device_kernel = typename KernelLayout::device_kernel;
    MotionColumns c;
    KernelLayout layout;
    core::Vec3d* to;

    AUREOLE_FN void operator()(std::int64_t i) const {
        to[i] = {};
        if (c.fixed(i)) return;
        to[i] = free_part(c, i, kicked(to[i], c.inv_mass(i), layout.read_force(i)));
    }
};

/// Turns accelerations into forces.
struct MultiplyByMass {
    using device_kernel = void;
    MotionColumns c;
    core::Vec3d* of;

    AUREOLE_FN void operator()(std::int64_t i) const {
        if (!c.fixed(i)) of[i] *= 1 / c.inv_mass(i);
    }
};

/// The strain of the box, for positions. What is frozen keeps its place beside the lower corner of
/// the box, the origin of files: there it is at r + corner.
struct StrainPositions {
    using device_kernel = void;
    MotionColumns c;
    const core::Vec3i* image;
    core::Vec3d* before;
    const StepState* state;  ///< with the box before the strain

    AUREOLE_FN void operator()(std::int64_t i) const {
        const auto& strain = state->barostat.pending;
        const auto r = c.position[i];
        auto change = strain(r) - r;
        if (!c.free(i)) {
            const auto turns = image[i];
            const auto corner = state->box.lattice(turns.x + 0.5, turns.y + 0.5, turns.z + 0.5);
            const auto of_corner = strain(corner) - corner;
            change = free_part(c, i, change + of_corner) - of_corner;
        }
        c.position[i] = before[i] = r + change;
    }
};

/// Particles that keep their distances as the box changes: those joined by constraints, with their
/// virtual sites. Most groups have one member.
struct RigidGroups {
    const std::int64_t* start;  ///< [groups + 1]
    const std::int32_t* index;  ///< of each member
};

/// Multiplies the velocity of each group's centre of mass by 1 + strain and leaves its rotation
/// alone. (The energy then changes by −V P : strain, with the pressure of all forces, those of
/// constraints included.)
struct ScaleGroupVelocities {
    using device_kernel = void;
    MotionColumns c;
    RigidGroups groups;
    const Strain* by;

    AUREOLE_FN void operator()(std::int64_t g) const {
        core::Vec3d momentum{};
        double mass = 0;
        for (auto k = groups.start[g]; k < groups.start[g + 1]; ++k) {
            const auto i = groups.index[k];
            if (c.fixed(i)) continue;
            const double m = 1 / c.inv_mass(i);
            momentum += m * c.velocity[i], mass += m;
        }
        if (mass == 0) return;
        const auto common = (1 / mass) * momentum, change = (*by)(common)-common;
        for (auto k = groups.start[g]; k < groups.start[g + 1]; ++k) {
            const auto i = groups.index[k];
            if (!c.fixed(i)) c.velocity[i] += free_part(c, i, change);
        }
    }
};

/// Inner lists after a strain of the box: the reference positions are strained too, and the limits
/// shrink by the distance that unlisted pairs may have approached.
template <class KernelLayout>
struct StrainList {
    using device_kernel = typename KernelLayout::device_kernel;
    KernelLayout layout;
    Strain strain;
    double keep, loss;  ///< limit ← keep · limit − loss

    AUREOLE_FN void operator()(std::int64_t i) const { layout.stretch(i, strain, keep, loss); }
};

/// Multiplies the velocities of each group by its factor.
struct ScaleGroups {
    using device_kernel = void;
    MotionColumns c;
    const std::uint8_t* group;  ///< null: one of all
    const double* factor;

    AUREOLE_FN void operator()(std::int64_t i) const {
        if (!c.fixed(i)) c.velocity[i] = factor[group != nullptr ? group[i] : 0] * c.velocity[i];
    }
};

/// The field at a step.
struct FindField {
    using device_kernel = void;
    ElectricField field;
    double start, dt;
    const StepState* state;
    core::Vec3d* now;

    AUREOLE_FN void operator()(std::int64_t) const {
        *now = field.at(start + static_cast<double>(state->step) * dt);
    }
};

/// A uniform electric field on charges.
template <class KernelLayout>
struct AddField {
    using device_kernel = typename KernelLayout::device_kernel;
    const double* charge;
    const core::Vec3d* field;
    KernelLayout layout;

    AUREOLE_FN void operator()(std::int64_t i) const { layout.add_force(i, charge[i] * *field); }
};

/// Twice the kinetic energy of one group.
struct SumGroup {
    using device_kernel = void;
    MotionColumns c;
    const std::uint8_t* group;
    std::uint8_t which;

    AUREOLE_FN double operator()(std::int64_t i) const {
        if (group[i] != which || c.fixed(i)) return 0;
        const auto v = free_part(c, i, c.velocity[i]);
        return dot(v, v) / c.inv_mass(i);
    }
};

/// Stores the kernels' coordinates of final positions, checks the displacement limits of an exact
/// list and positions that constraints and sites could not find, and counts the step.
template <class KernelLayout>
struct StoreAndCheck {
    using device_kernel = typename KernelLayout::device_kernel;
    const core::Vec3d* position;
    const Tag* tag;
    KernelLayout layout;
    StepState* state;
    bool watch;
    bool counts;  ///< the positions are those of a step

    AUREOLE_FN void operator()(std::int64_t i) const {
        layout.store(i, position[i]);
        if (!somewhere(position[i])) core::atomic_min(&state->blown_up, tag[i]);
        if (watch && !layout.within_limit(i)) core::atomic_or(&state->list_expired, 1);
    }
    AUREOLE_FN void after_all() const requires(KernelLayout::counts_steps) {
        if (counts) count_step(*state);
    }
    AUREOLE_FN std::uint32_t* blocks_done() const { return &state->blocks_done; }
};

/// Clears the forces that the kernels add to.
template <class KernelLayout>
struct ClearForces {
    using device_kernel = typename KernelLayout::device_kernel;
    KernelLayout layout;

    AUREOLE_FN void operator()(std::int64_t i) const { layout.take_force(i); }
};

/// Replaces the kernels' forces by those of a column.
template <class KernelLayout>
struct SetForces {
    using device_kernel = typename KernelLayout::device_kernel;
    const core::Vec3d* from;
    KernelLayout layout;

    AUREOLE_FN void operator()(std::int64_t i) const {
        layout.take_force(i);
        layout.set_force(i, from[i]);
    }
};

/// The difference of two columns.
struct Subtract {
    using device_kernel = void;
    const core::Vec3d *after, *before;
    core::Vec3d* to;  ///< may be one of them

    AUREOLE_FN void operator()(std::int64_t i) const { to[i] = after[i] - before[i]; }
};

}  // namespace aureole::md
