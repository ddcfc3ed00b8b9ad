// SPDX-License-Identifier: Apache-2.0
#include "halo/grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace aureole::halo {

int RankGrid::owner(const core::Vec3d& fraction) const {
    const auto cell = [](double f, int of) {
        return static_cast<int>(std::clamp(std::floor((f + 0.5) * of), 0.0, of - 1.0));
    };
    return rank_at({cell(fraction.x, n.x), cell(fraction.y, n.y), cell(fraction.z, n.z)});
}

RankGrid choose_grid(int ranks, const core::Box& box, double width, double narrowest,
                     const core::Vec3d& extent) {
    // What a cut along z costs in pair forces, as a part of the ghosts.
    constexpr double weight_of_z = 1.15;
    const auto face = box.face_distances();
    RankGrid best{{0, 0, 0}};
    double least = std::numeric_limits<double>::infinity();
    for (int x = ranks; x >= 1; --x) {
        if (ranks % x != 0) continue;
        for (int y = ranks / x; y >= 1; --y) {
            if (ranks / x % y != 0) continue;
            const RankGrid grid{{x, y, ranks / x / y}};
            // The volume of a cell with the ghosts beyond its upper faces.
            double shell = 1, cell = 1, thinnest = std::numeric_limits<double>::infinity();
            double outside = 0;  // how far groups lie outside cells
            for (int axis = 0; axis < 3; ++axis) {
                const int n = component(grid.n, axis);
                const double length = component(face, axis) / n;
                if (n > 1) outside = std::max(outside, component(extent, axis));
                if (n > 1) thinnest = std::min(thinnest, length);
                shell *= n > 1 ? length + width : length;
                cell *= length;
            }
            const bool wide = thinnest >= narrowest + 2 * outside;
            const double ghosts = (shell - cell) * (grid.n.z > 1 ? weight_of_z : 1);
            if (wide && ghosts < least * (1 - 1e-9)) least = ghosts, best = grid;
        }
    }
    return best;
}

core::Vec3i most_cells(const core::Box& box, double narrowest) {
    const auto face = box.face_distances();
    const auto cells = [&](double length) {
        constexpr double most = 4096;
        return static_cast<int>(std::clamp(std::floor(length / narrowest), 1.0, most));
    };
    return {cells(face.x), cells(face.y), cells(face.z)};
}

}  // namespace aureole::halo
