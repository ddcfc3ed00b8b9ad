// SPDX-License-Identifier: Apache-2.0
#include "md/neighbor/cell_grid.hpp"

#include <algorithm>

namespace aureole::md {

CellGrid make_cell_grid(const CellsOf& of, double range, std::int64_t n) {
    const auto& box = of.box;
    const auto& frame = of.frame;
    CellGrid grid;
    grid.box = box;
    grid.face = box.face_distances();
    const double particles = static_cast<double>(std::max<std::int64_t>(n, 1));
    const double width = std::max(0.5 * range, std::cbrt(box.volume() / particles));
    const auto axis = [&](int k, double low, double high, double face) {
        const bool divided = frame.divides(k);
        if (!divided) low = -0.5, high = 0.5;
        const double length = divided ? high - low + of.halo / face : 1;
        const double count = std::clamp(length * face / width, 1.0, particles);
        CellAxis out;
        out.n = static_cast<std::int32_t>(count);
        out.low = low, out.per_fraction = out.n / length;
        out.around = box.periodic(k) && !divided;
        return out;
    };
    grid.x = axis(0, frame.low.x, frame.high.x, grid.face.x);
    grid.y = axis(1, frame.low.y, frame.high.y, grid.face.y);
    grid.z = axis(2, frame.low.z, frame.high.z, grid.face.z);
    return grid;
}

}  // namespace aureole::md
