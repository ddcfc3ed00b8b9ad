// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "md/pair/nonbonded.hpp"
#include "md/pair/pair_force.hpp"

namespace aureole::md {

/// The pair forces of a system; whoever computes them refers to what is here.
struct PairSettings {
    const std::vector<PairForce>& forces;
    const std::optional<Nonbonded>& nonbonded;  ///< of molecules
    std::vector<std::string> changing;          ///< names of columns that change with steps

    /// Whether charges are computed with the first potential, pair by pair: they have no
    /// dispersion and repulsion of their own.
    bool charges_with_first() const {
        return nonbonded && nonbonded->charges_alone() && !forces.empty();
    }
};

/// Sums that are wanted beside forces: none; the virial of the forces, which is spread over the
/// terms in any way; energy and virial of each term.
enum class PairWant { forces, virial, terms };

}  // namespace aureole::md
