// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/box.hpp"

namespace aureole::md {

/// An external force as a user gives it.
struct ExternalSpec {
    std::string name;                 ///< of a leaf file
    std::vector<double> parameters;   ///< in its order
    std::vector<std::uint8_t> group;  ///< flag per tag; empty: all
};

/// Throws core::InputError for a force that makes no sense in a box and among particles.
void check(const ExternalSpec& spec, const core::Box& box, std::int64_t n);

}  // namespace aureole::md
