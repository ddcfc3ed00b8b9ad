// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "md/particles/tag.hpp"

namespace aureole::md {

/// Terms of one kind, named by tags; columns as in the topology of the Python package.
struct TermColumns {
    std::vector<Tag> particles;      ///< [n][particles of a term]
    std::vector<std::int32_t> row;   ///< [n]
    std::vector<double> parameters;  ///< [rows][parameters of a term]

    std::int64_t size() const { return static_cast<std::int64_t>(row.size()); }
};

/// All constraints of a system.
struct ConstraintSpec {
    TermColumns settle;        ///< oxygen, hydrogen, hydrogen; d_oh, d_hh
    TermColumns constraint;    ///< two particles; length
    std::vector<double> mass;  ///< of each tag; infinite where a particle is fixed
    int order = 4;             ///< of the expansion of coupled constraints (lincs-order)
    int iterations = 1;        ///< corrections for turning (lincs-iter)
    double tolerance = 0;      ///< if positive, more corrections until |l/d − 1| is no larger

    bool empty() const { return settle.size() + constraint.size() == 0; }
};

}  // namespace aureole::md
