// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/box.hpp"

namespace aureole::md {

/// Half the length of the shortest lattice vector along periodic axes: no two particles closer than
/// that meet two images of each other. For tilt factors of at most one half; beyond, half the
/// smallest face distance, which is never longer, as it is where `by_faces` says so: rounding
/// fractional coordinates finds the shortest image up to there alone.
inline double longest_cut_off(const core::Box& box, bool by_faces) {
    constexpr double half = 0.5 + 1e-6;  // with what text files round
    double least = std::numeric_limits<double>::infinity();
    if (by_faces || std::abs(box.xy) > half || std::abs(box.xz) > half || std::abs(box.yz) > half) {
        const auto face = box.face_distances();
        if (box.periodic_x) least = std::min(least, face.x);
        if (box.periodic_y) least = std::min(least, face.y);
        if (box.periodic_z) least = std::min(least, face.z);
        return 0.5 * least;
    }
    for (int n = 0; n < 27; ++n) {
        const int n1 = n % 3 - 1, n2 = n / 3 % 3 - 1, n3 = n / 9 - 1;
        const bool along = (!n1 || box.periodic_x) && (!n2 || box.periodic_y) &&
                           (!n3 || box.periodic_z) && (n1 || n2 || n3);
        const auto period = box.lattice(n1, n2, n3);
        if (along) least = std::min(least, std::sqrt(dot(period, period)));
    }
    return 0.5 * least;
}

}  // namespace aureole::md
