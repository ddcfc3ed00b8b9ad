// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <string>

#include "core/box.hpp"
#include "io/state_blocks.hpp"
#include "md/list_plan/drift_buffer.hpp"
#include "md/system/engine.hpp"

// Checks of what a checkpoint holds of particles, see io/state_blocks.hpp.
namespace aureole::md {

using io::all_finite;
using io::require;

/// A value of one particle that cannot be continued from.
struct ParticleError : io::BlockError {
    ParticleError(const std::string& of_block, const std::string& of_why, Tag of)
        : BlockError(of_block, of_why), particle(of) {}

    Tag particle;
};

/// Whether no number is a NaN; some may be infinite, such as the displacement limits of particles
/// without neighbours.
template <class T>
bool all_numbers(std::span<T> numbers) {
    for (const T x : numbers)
        if (std::isnan(x)) return false;
    return true;
}

void require_box(const core::Box& box);
/// The problem with settings, in words, or null; checked where settings are made and where they are
/// read.
const char* problem_of(const MotionSpec& motion);
const char* problem_of(const ListSpec& list);

/// Columns in local order; `n_types` 0 if no force tells the number of types.
struct RestoredColumns {
    std::span<const Vec3d> position, velocity;
    std::span<const double> mass;
    std::span<const std::int32_t> type;
    std::span<const Tag> tag;
    int n_types = 0;
    std::int64_t n_total = 0;  ///< of all ranks
};
void require_particles(const RestoredColumns& columns);
/// Masses with which a run can go on. `moves`: the column with that name, empty if all move.
void require_masses(std::span<const double> mass, std::span<const Tag> tag,
                    std::span<const std::uint8_t> moves);

/// Lists of a search: [columns + 1] first particles, increasing from 0 to n.
void require_columns(std::int32_t columns_x, std::int32_t columns_y,
                     std::span<const std::int32_t> particle_start, std::int64_t n);
void require_drift(const DriftBuffer::Conditions& at, const char* name);
void require_tuning(const ListTuning& tuning, std::int64_t step, std::int64_t pruned_at,
                    std::int64_t searched_at);

}  // namespace aureole::md
