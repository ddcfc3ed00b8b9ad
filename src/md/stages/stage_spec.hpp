// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace aureole::md {

/// A stage as a user gives it.
struct StageSpec {
    std::string name;                 ///< of a leaf file
    std::vector<double> parameters;   ///< in its order
    int every = 1;                    ///< steps
    std::vector<std::uint8_t> group;  ///< flag per tag; empty: all
};

/// Throws core::InputError for a stage that makes no sense among particles.
void check(const StageSpec& spec, std::int64_t n);

}  // namespace aureole::md
