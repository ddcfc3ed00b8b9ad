// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "preload/handle.hpp"

namespace aureole::preload {

// Sets of basic types: a bit for each size of integers, floating-point and complex numbers. Types
// of C and of Fortran with one representation are the same. A set with the highest bit goes with
// any other: it has bytes, characters, pairs, or what is not known.
constexpr std::uint64_t any_kind = std::uint64_t{1} << 63;

/// The set of one of MPI's own datatypes.
std::uint64_t kinds_of_named(Handle type);
/// Whether two sets are surely not the same.
inline bool are_other_kinds(std::uint64_t one, std::uint64_t other) {
    return ((one | other) & any_kind) == 0 && one != other;
}
/// Whether a set is that of one basic type, of which a copy has all bits: that of a long double
/// need not have those which do not count.
bool is_one_whole_kind(std::uint64_t kinds);
/// "integers of 4 bytes and floating-point numbers of 8 bytes"; empty if any.
std::string text_of_kinds(std::uint64_t kinds);

}  // namespace aureole::preload
