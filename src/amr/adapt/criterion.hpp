// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "amr/hydro/numbers.hpp"
#include "amr/mesh.hpp"
#include "amr/tree/tree.hpp"

namespace aureole::amr {

/// A field of a cell and of its neighbours along each axis.
struct Around {
    double here = 0;
    double low[3] = {}, high[3] = {};
    int dims = 3;
};

/// Where sub-grids are to be finer: above a value of a leaf of `adapt/leaves` in one of its cells.
/// They may be coarser where all cells are below another one.
struct Criterion {
    int leaf = 0;   ///< its place in criteria()
    int field = 0;  ///< density, velocity, pressure: as in state.hpp
    double above = 0, below = 0;
};

/// The names of the leaf files.
std::vector<std::string> criteria();
/// Throws core::InputError for a leaf that is not there, and for bounds that are none.
Criterion criterion(const std::string& leaf, int field, double above, double below);

/// How the sub-grids of a mesh follow its state.
struct Refining {
    std::vector<RefinedBox> regions{};  ///< where they have at least a level
    std::vector<Criterion> criteria{};
    int most_level = 0;

    /// The highest level of all.
    int deepest() const {
        int level = most_level;
        for (const auto& region : regions) level = region.level > level ? region.level : level;
        return level;
    }
};

}  // namespace aureole::amr
