// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/box.hpp"

namespace aureole::md {

/// No two particles closer than this interact with two images of each other: half the length of the
/// shortest lattice vector along periodic axes, and no more than the diagonal of the box, as
/// GROMACS has it, so that no vector of several turns is shorter than those that are looked at. If
/// a vector is tilted by more than half of another one, half the smallest face distance, which is
/// never longer, as it is where `by_faces` says so: rounding fractional coordinates finds the
/// shortest image up to there alone.
AUREOLE_FN double longest_cut_off(const core::Box& box, bool by_faces) {
    constexpr double half = 0.5 + 1e-6;  // with what text files round
    const bool leans = std::abs(box.xy * box.ly) > half * box.lx ||
                       std::abs(box.xz * box.lz) > half * box.lx ||
                       std::abs(box.yz * box.lz) > half * box.ly;
    double least = std::numeric_limits<double>::infinity();
    if (by_faces || leans) {
        const auto face = box.face_distances();
        if (box.periodic_x) least = std::min(least, face.x);
        if (box.periodic_y) least = std::min(least, face.y);
        if (box.periodic_z) least = std::min(least, face.z);
        return 0.5 * least;
    }
    const double lean = box.periodic_y && box.periodic_z ? std::abs(box.yz * box.lz) : 0;
    if (box.periodic_x) least = std::min(least, 2 * box.lx);
    if (box.periodic_y) least = std::min(least, 2 * (box.ly - lean));
    if (box.periodic_z) least = std::min(least, 2 * box.lz);
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
