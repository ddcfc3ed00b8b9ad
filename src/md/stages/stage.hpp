// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/box.hpp"
#include "core/random.hpp"
#include "md/integrate/motion.kernel.hpp"
#include "md/leaf/leaf.hpp"
#include "md/leaf/leaf_columns.hpp"

// What a stage's leaf file is made of (docs/howto/add-a-stage.md).
namespace aureole::md {

/// The position of a stage in a step.
enum class StageMoment {
    after_kicks,    ///< on velocities, between each kick and what follows it
    before_forces,  ///< on positions, once the integrator has moved them
    end_of_step     ///< on velocities, once all forces of the step have acted
};

/// Changes that a stage makes to each particle, beside the columns that it writes.
enum class Changes { columns, velocities, positions };

template <class P>
constexpr Changes changes_of() {
    if constexpr (requires { P::changes; })
        return P::changes;
    else
        return Changes::columns;
}
template <class P>
constexpr StageMoment moment_of() {
    if constexpr (requires { P::moment; })
        return P::moment;
    else
        return changes_of<P>() == Changes::positions ? StageMoment::before_forces
                                                     : StageMoment::end_of_step;
}

/// Whether a stage moves particles that the integrator does not move.
template <class P>
constexpr bool moves_frozen() {
    if constexpr (requires { P::moves_frozen; })
        return P::moves_frozen;
    else
        return false;
}

inline constexpr std::size_t most_stage_coefficients = 12;

/// One stage, and the particles that it acts on.
struct StageView {
    MotionColumns c;
    const std::uint8_t* group;  ///< flag per particle; null: all
    void* column[most_leaf_columns];
    double coefficient[most_stage_coefficients];
    const StepState* state;  ///< with the box
    double start, dt;
    double elapsed;  ///< time between two applications
    std::uint64_t seed;
    std::uint32_t stream;  ///< of its random numbers

    AUREOLE_FN bool acts_on(std::int64_t i) const { return group == nullptr || group[i] != 0; }
};

/// A particle as passed to a stage.
template <class P>
struct StageParticle : LeafValues<P> {
    core::Vec3d position, velocity;
    double mass;
    double elapsed;  ///< time since the last application
    double time;
    core::Box box;
    core::Random random;  ///< by seed, stage, step and particle
};

/// Applies the stage to one particle.
template <class P>
struct UpdateParticle {
    using device_kernel = void;
    StageView view;

    AUREOLE_FN void operator()(std::int64_t i) const {
        const auto& c = view.c;
        if (!view.acts_on(i) || (c.fixed(i) && !moves_frozen<P>())) return;
        Coefficients<double, parameter_count<P>> of;
        for (std::size_t k = 0; k < of.size(); ++k) of[k] = view.coefficient[k];
        const auto step = view.state->step;
        StageParticle<P> particle{{view.column, i},
                                  c.position[i],
                                  c.velocity[i],
                                  1 / c.inv_mass(i),
                                  view.elapsed,
                                  view.start + static_cast<double>(step) * view.dt,
                                  view.state->box,
                                  core::Random(view.seed, static_cast<core::Stream>(view.stream),
                                               static_cast<std::uint64_t>(step), c.tag[i])};
        P::update(particle, of);
        if constexpr (moves_frozen<P>() && changes_of<P>() == Changes::positions)
            c.position[i] = particle.position;
        else if constexpr (changes_of<P>() == Changes::positions)
            c.position[i] += free_part(c, i, particle.position - c.position[i]);
        else if constexpr (changes_of<P>() == Changes::velocities)
            c.velocity[i] = free_part(c, i, particle.velocity);
    }
};

}  // namespace aureole::md
