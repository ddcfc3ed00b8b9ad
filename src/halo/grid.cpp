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

RankGrid choose_grid(int ranks, const core::Box& box, double width, double narrowest, Axis first) {
    const auto face = box.face_distances();
    RankGrid best{{0, 0, 0}};
    double least = std::numeric_limits<double>::infinity();
    for (int k = 1; k <= ranks; ++k) {
        const int x = first == Axis::z ? k : ranks + 1 - k;
        for (int y = 1; ranks % x == 0 && y <= ranks / x; ++y) {
            if (ranks / x % y != 0) continue;
            const RankGrid grid{{x, y, ranks / x / y}};
            // The volume of a cell with the ghosts beyond its upper faces.
            double shell = 1, cell = 1;
            bool wide = true;
            for (int axis = 0; axis < 3; ++axis) {
                const int n = component(grid.n, axis);
                const double length = component(face, axis) / n;
                if (n > 1 && length < narrowest) wide = false;
                shell *= n > 1 ? length + width : length;
                cell *= length;
            }
            // Of equal ones the first is taken: cuts along z, where columns are longest, or along
            // x.
            if (wide && shell - cell < least * (1 - 1e-9)) least = shell - cell, best = grid;
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
