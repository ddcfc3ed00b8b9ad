// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "amr/step/look.hpp"
#include "device/team.hpp"

namespace aureole::amr {

/// look_at() of each sub-grid by the lanes of a team.
template <class Gas>
struct LookAtCells {
    using device_kernel = void;
    BlockShape shape;
    Gas gas;
    std::array<double, 3> inverse_spacing;
    const double* conserved;
    Look* looks;

    AUREOLE_FN void operator()(device::Team& team, std::int64_t block) const {
        const int cells = shape.cells();
        double fastest = 0;
        int bad = 0;  // how many cells follow the first bad one, and itself
        for (int cell = team.rank(); cell < cells; cell += team.size()) {
            double u[fields], w[fields];
            for (int f = 0; f < fields; ++f) u[f] = conserved[(block * fields + f) * cells + cell];
            to_primitive(gas, u, w);
            if (!is_physical(w) && bad == 0) bad = cells - cell;
            fastest = larger(fastest, signal_rate(gas, w, inverse_spacing, shape.dims));
        }
        fastest = team.reduce_max(fastest);
        bad = team.reduce_max(bad);
        if (team.rank() != 0) return;
        looks[block] = {fastest, {}};
        if (bad > 0) looks[block].bad = look_at(gas, conserved, shape, inverse_spacing, block).bad;
    }
};

}  // namespace aureole::amr
