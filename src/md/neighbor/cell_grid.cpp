// SPDX-License-Identifier: Apache-2.0
#include "md/neighbor/cell_grid.hpp"

#include <algorithm>

namespace aureole::md {

CellGrid make_cell_grid(const core::Box& box, double range, std::int64_t n) {
    CellGrid grid;
    grid.box = box;
    grid.face = box.face_distances();
    const double particles = static_cast<double>(std::max<std::int64_t>(n, 1));
    const double width = std::max(0.5 * range, std::cbrt(box.volume() / particles));
    const auto count = [&](double face) {
        return static_cast<std::int32_t>(std::clamp(face / width, 1.0, particles));
    };
    grid.nx = count(grid.face.x), grid.ny = count(grid.face.y), grid.nz = count(grid.face.z);
    return grid;
}

}  // namespace aureole::md
