// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "md/leaf/leaf.hpp"
#include "md/leaf/leaf_columns.hpp"
#include "md/particles/particles.hpp"

// What external forces and stages from leaf files need from a simulation: checked parameters, the
// columns that they name, and the groups that they act on.
namespace aureole::md {

/// Throws core::InputError unless there are as many finite parameters as the leaf has.
void check_parameters(std::span<const Parameter> wanted, const std::vector<double>& given,
                      const std::string& leaf);

/// The column that a leaf names; a column of its own is added, with zeros, if it is missing.
/// Throws core::InputError where they have none of that name, or one of another type.
AnyColumn& column_to_use(device::Queue& queue, Particles& particles, const ColumnUse& use,
                         const std::string& leaf);

/// The values of a column in device memory.
void* values_of(AnyColumn& column);

/// A column of flags, [n] by tag, that follows the particles' order and is no part of checkpoints.
Column<std::uint8_t>& flag_column(device::Queue& queue, Particles& particles,
                                  const std::string& name, const std::vector<std::uint8_t>& by_tag);

/// Throws core::InputError unless there is a flag of every particle, or none at all.
void check_flags(const std::vector<std::uint8_t>& by_tag, std::int64_t n, const std::string& leaf);

}  // namespace aureole::md
