// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "core/box.hpp"
#include "md/neighbor/local_exclusions.kernel.hpp"
#include "md/neighbor/site.hpp"

// Zones of a rank's particles (zone.hpp) as kernels of flat lists read them. There a pair acts by
// its nearest image, so that no list needs shifts; but where two ranks are each other's upper
// neighbours, both have the pair, and only the one whose zones see the nearest image takes it.
namespace aureole::md {

struct FlatZones {
    /// [ghosts] bits (1, 2, 4) of the axes along which each came, and the same bits times 8 of the
    /// axes at whose end it is a box further up.
    const std::uint8_t* of_ghost = nullptr;
    std::int64_t owned = 0;
    std::uint8_t by_two = 0;  ///< bits of the axes that two ranks divide
    core::Box box;

    /// Fractional coordinates at which this rank sees particle i, whose own are f.
    AUREOLE_FN core::Vec3d seen_from_here(std::int64_t i, const core::Vec3d& f) const {
        const unsigned shift = bits(i) >> 3;
        return {f.x + (shift & 1u), f.y + (shift >> 1 & 1u), f.z + (shift >> 2 & 1u)};
    }
    /// Whether this rank has particles i and j as a pair; a and b: where they are at a search.
    template <class T>
    AUREOLE_FN bool pair_here(std::int64_t i, std::int64_t j, const Site<T>& a,
                              const Site<T>& b) const {
        const unsigned of_i = bits(i), of_j = bits(j);
        if ((of_i & of_j & 7) != 0) return false;
        const unsigned between = (of_i | of_j) & by_two;
        if (between == 0) return true;
        const auto d = seen_from_here(i, box.fractional(vector(a))) -
                       seen_from_here(j, box.fractional(vector(b)));
        return nearest(between, d.x) && nearest(between >> 1, d.y) && nearest(between >> 2, d.z);
    }

  private:
    AUREOLE_FN unsigned bits(std::int64_t i) const { return i < owned ? 0 : of_ghost[i - owned]; }
    template <class T>
    AUREOLE_FN static core::Vec3d vector(const Site<T>& s) {
        return {double(s.x), double(s.y), double(s.z)};
    }
    AUREOLE_FN static bool nearest(unsigned between, double apart) {
        return (between & 1u) == 0 || std::abs(apart) < 0.5;
    }
};

/// The excluded partners with which this rank has a particle as a pair.
template <class T>
struct ExcludedHere {
    using device_kernel = std::false_type;  // hosts only
    ExcludedPartners all;
    FlatZones zones;
    std::int64_t listed;  ///< those beyond are in no list
    const Site<T>* site;
    std::int32_t* partner;  ///< as in `all`, or no_index

    AUREOLE_FN void operator()(std::int64_t i) const {
        for (std::int32_t k = all.start[i]; k < all.start[i + 1]; ++k) {
            const auto j = all.partner[k];
            const bool here = j != no_index && i < listed && j < listed &&
                              zones.pair_here(i, j, site[i], site[j]);
            partner[k] = here ? j : no_index;
        }
    }
};

}  // namespace aureole::md
