// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "amr/step/clock.hpp"
#include "amr/step/look.hpp"
#include "device/team.hpp"

namespace aureole::amr {

/// look_at() of a sub-grid by the lanes of a team, each of which has some of its cells.
template <class Gas>
class LookByLanes {
  public:
    AUREOLE_FN LookByLanes(const Gas& gas, BlockShape shape,
                           const std::array<double, 3>& inverse_spacing, double refined = 1)
        : gas_(gas), shape_(shape), inverse_spacing_(inverse_spacing), refined_(refined) {}

    /// Conserved fields of another cell of the lane.
    AUREOLE_FN void add(const double* u) {
        double w[fields];
        to_primitive(gas_, u, w);
        if (!is_physical(w)) is_bad_ = 1;
        fastest_ = larger(fastest_, signal_rate(gas_, w, inverse_spacing_, shape_.dims) * refined_);
    }
    /// Called by all lanes, once what they wrote can be read: the first lane writes the findings.
    template <class Team>
    AUREOLE_FN void put(const Team& team, const double* conserved, std::int64_t block,
                        Look& found) const {
        const double fastest = team.reduce_max(fastest_);
        const int is_bad = team.reduce_max(is_bad_);
        if (team.rank() != 0) return;
        found = {fastest, {}};
        if (is_bad > 0)
            found.bad = look_at(gas_, conserved, shape_, inverse_spacing_, block, refined_).bad;
    }

  private:
    const Gas gas_;
    const BlockShape shape_;
    const std::array<double, 3> inverse_spacing_;
    const double refined_;
    double fastest_ = 0;
    int is_bad_ = 0;  ///< whether one of the cells is
};

/// look_at() of each sub-grid by a team.
template <class Gas>
struct LookAtCells {
    using device_kernel = void;
    BlockShape shape;
    Gas gas;
    std::array<double, 3> inverse_spacing;  ///< of roots
    const double* refined;                  ///< [block] 2^level
    const double* conserved;
    Look* looks;                           ///< [block]
    const std::int64_t* listed = nullptr;  ///< the sub-grids; null: all
    const Clock* clock = nullptr;          ///< looks while it runs; null: always

    AUREOLE_FN void operator()(device::Team& team, std::int64_t item) const {
        if (clock != nullptr && !clock->running) return;
        const std::int64_t block = listed == nullptr ? item : listed[item];
        const int cells = shape.cells();
        LookByLanes<Gas> look(gas, shape, inverse_spacing, refined[block]);
        for (int cell = team.rank(); cell < cells; cell += team.size()) {
            double u[fields];
            for (int f = 0; f < fields; ++f) u[f] = conserved[(block * fields + f) * cells + cell];
            look.add(u);
        }
        look.put(team, conserved, block, looks[block]);
    }
};

}  // namespace aureole::amr
