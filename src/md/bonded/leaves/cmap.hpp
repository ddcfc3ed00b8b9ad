// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/map.hpp"
#include "md/bonded/variables.hpp"

namespace aureole::md::terms {

struct Cmap {
    static constexpr const char* words =
        "Correction map for two neighbouring dihedrals (CMAP), with bicubic interpolation on a "
        "periodic grid.";
    static constexpr Parameter parameters[] = {{"grid", "", "index of the map"}};
    static constexpr int links = 4;
    AUREOLE_FN static constexpr Link link(int l) { return l < 2 ? Link{l, l + 1} : Link{l + 1, l}; }

    static constexpr const char* problem(const std::array<double, 1>& p,
                                         const TermConstants& constants) {
        const bool known = p[0] >= 0 && p[0] < static_cast<double>(constants.maps.size()) &&
                           p[0] == static_cast<int>(p[0]);
        return known ? nullptr : "there is no map with this index";
    }
    /// Offset in the table of maps and number of nodes.
    static constexpr Coefficients<double, 2> coefficients(const std::array<double, 1>& p,
                                                          const TermConstants& constants) {
        if (constants.maps.empty()) return {0, 1};
        const auto& place = constants.maps[static_cast<std::size_t>(p[0])];
        return {static_cast<double>(place.offset), static_cast<double>(place.size)};
    }

    template <class R>
    AUREOLE_FN static R evaluate(const Vec3<R>* d, const Coefficients<R, 2>& c,
                                 const TermTables<number_of<R>>& tables, Vec3<R>* force) {
        const Vec3<R> back{R(0) - d[2].x, R(0) - d[2].y, R(0) - d[2].z};
        Vec3<R> on_back{R(0), R(0), R(0)};
        // Links: x₀ − x₁, x₁ − x₂, x₃ − x₂, x₄ − x₃.
        const Torsion<R> phi(d[0], d[1], d[2]), psi(d[1], back, d[3]);
        const auto value = interpolate(tables.maps, c[0], c[1], phi.angle(), psi.angle());
        force[0] = force[1] = force[2] = force[3] = on_back;
        phi.push(value.along_phi, force[0], force[1], force[2]);
        psi.push(value.along_psi, force[1], on_back, force[3]);
        force[2] -= on_back;
        return value.energy;
    }
};

}  // namespace aureole::md::terms
