// SPDX-License-Identifier: Apache-2.0
#include "md/neighbor/cell_grid.hpp"

#include <algorithm>

namespace aureole::md {

CellGrid make_cell_grid(const core::Box& box, double range, std::int64_t n) {
    const double particles = static_cast<double>(std::max<std::int64_t>(n, 1));
    const double width = std::max(0.5 * range, std::cbrt(box.volume() / particles));
    const auto axis = [&](double face, bool periodic) {
        return CellAxis{static_cast<std::int32_t>(std::clamp(face / width, 1.0, particles)),
                        periodic};
    };
    const auto face = box.face_distances();
    return {face, axis(face.x, box.periodic_x), axis(face.y, box.periodic_y),
            axis(face.z, box.periodic_z)};
}

}  // namespace aureole::md
