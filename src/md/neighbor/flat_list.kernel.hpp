// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/atomic.hpp"
#include "device/team.hpp"
#include "md/neighbor/cell_grid.hpp"
#include "md/neighbor/flat_zones.kernel.hpp"
#include "md/neighbor/local_exclusions.kernel.hpp"
#include "md/neighbor/site.hpp"

// The pair list of devices with many lanes: particles sorted by cell, and for each the full list of
// its neighbours, found and read by the lanes of one team (Glaser et al., Comput. Phys. Commun. 192
// (2015) 97, section 5). A full list needs no atomic sums, so forces have the same bits in every
// run.
namespace aureole::md {

/// The cell of each particle and the numbers to be sorted with it. Cells follow from the
/// coordinates as kernels read them, which a checkpoint keeps.
template <class T>
struct CellKeys {
    using device_kernel = void;
    CellGrid grid;
    const core::Vec3d* position;
    std::uint32_t* key;
    std::int32_t* order;

    AUREOLE_FN void operator()(std::int64_t i) const {
        const auto r = position[i];
        key[i] = grid.cell_of({double(static_cast<T>(r.x)), double(static_cast<T>(r.y)),
                               double(static_cast<T>(r.z))});
        order[i] = static_cast<std::int32_t>(i);
    }
};

/// The same for sites that are sorted already.
template <class T>
struct CellKeysOfSites {
    using device_kernel = void;
    CellGrid grid;
    const Site<T>* site;
    std::uint32_t* key;

    AUREOLE_FN void operator()(std::int64_t i) const {
        key[i] = grid.cell_of({double(site[i].x), double(site[i].y), double(site[i].z)});
    }
};

/// The same for a rank's ghosts, which keep their places: `order` is by their numbers.
template <class T>
struct CellKeysOfGhosts {
    using device_kernel = std::false_type;  // hosts only
    CellGrid grid;
    FlatZones zones;
    const core::Vec3d* position;  ///< of all
    std::uint32_t* key;
    std::int32_t* order;

    AUREOLE_FN void operator()(std::int64_t k) const {
        const auto i = zones.owned + k;
        const auto r = position[i];
        const core::Vec3d read{double(static_cast<T>(r.x)), double(static_cast<T>(r.y)),
                               double(static_cast<T>(r.z))};
        key[k] = grid.cell_at(zones.seen_from_here(i, grid.box.fractional(read)));
        order[k] = static_cast<std::int32_t>(i);
    }
};

/// First particle of each cell, from the sorted keys.
struct CellStarts {
    using device_kernel = void;
    const std::uint32_t* key;
    std::int32_t n;
    std::int32_t* start;

    AUREOLE_FN void operator()(std::int64_t cell) const {
        std::int32_t first = 0, end = n;
        while (first < end) {
            const std::int32_t middle = first + (end - first) / 2;
            if (key[middle] < cell)
                first = middle + 1;
            else
                end = middle;
        }
        start[cell] = first;
    }
};

template <class T>
struct SetTypes {
    using device_kernel = void;
    const std::int32_t* type;
    Site<T>* site;

    AUREOLE_FN void operator()(std::int64_t i) const { site[i].type = type[i]; }
};

template <class T>
struct LimitOf {
    using device_kernel = void;
    const T* limit;

    AUREOLE_FN T operator()(std::int64_t i) const { return limit[i]; }
};

/// Neighbours of all particles: row i holds `count[i]` of them.
struct FlatList {
    std::int32_t* neighbour;  ///< [n][stride]
    std::int32_t* count;      ///< [n]
    std::int64_t stride;
};

/// Ghosts by cells, beside the owned particles, which are sorted.
struct GhostCells {
    const std::int32_t* start = nullptr;  ///< [cells + 1]; null: there are none
    const std::int32_t* index = nullptr;  ///< [ghosts] local indices in the order of cells
};

/// One particle's neighbours: all that may come within the cut-off while both stay within their
/// displacement limits, without excluded ones.
template <class T>
struct FlatSearch {
    using device_kernel = void;
    CellGrid grid;
    Images<T> images;
    const Site<T>* site;
    const T* limit;
    const T* largest_limit;     ///< one number: the largest limit
    const std::int32_t* start;  ///< [cells + 1]
    T r_cut;
    T extent;  ///< of the box, for the rounding of coordinates
    T surely;  ///< up to here Images::separation is the shortest, for certain
    ExcludedPartners exclusions;
    FlatZones zones;
    GhostCells ghosts;
    FlatList list;
    std::uint32_t* needed;  ///< raised to the length of rows that did not fit

    AUREOLE_FN void operator()(device::Team& team, std::int64_t i) const {
        const Site<T> self = site[i];
        // Bound of the rounding of coordinates and squares.
        const T slack =
            T(16) * epsilon * (extent + std::abs(self.x) + std::abs(self.y) + std::abs(self.z)) +
            T(4) * epsilon * (r_cut + *largest_limit);
        const T mine = r_cut + limit[i] + slack;
        const double window = double(mine) + double(*largest_limit);
        const auto f = zones.seen_from_here(
            i, grid.box.fractional({double(self.x), double(self.y), double(self.z)}));
        const auto x = grid.x.near(f.x, window / grid.face.x);
        const auto y = grid.y.near(f.y, window / grid.face.y);
        const auto z = grid.z.near(f.z, window / grid.face.z);
        const std::int32_t nx = grid.x.n;
        const std::int32_t before_end = x.first + x.count < nx ? x.count : nx - x.first;
        const Particle here{i, self, mine};
        std::int32_t found = 0;
        for (std::int32_t kz = 0; kz < z.count; ++kz)
            for (std::int32_t ky = 0; ky < y.count; ++ky) {
                const std::int32_t cz = (z.first + kz) % grid.z.n, cy = (y.first + ky) % grid.y.n;
                const std::int32_t row = (cz * grid.y.n + cy) * nx, first = row + x.first;
                found = look(team, here, first, first + before_end, found);
                if (before_end < x.count)
                    found = look(team, here, row, row + x.count - before_end, found);
            }
        if (team.rank() != 0) return;
        list.count[i] = static_cast<std::int32_t>(found < list.stride ? found : list.stride);
        if (found > list.stride) core::atomic_max(needed, static_cast<std::uint32_t>(found));
    }

  private:
    static constexpr T epsilon = sizeof(T) == 4 ? T(6e-8) : T(1.2e-16);

    struct Particle {
        std::int64_t index;
        const Site<T>& site;
        T range;
    };

    /// Appends the neighbours in cells [first, end); returns the length of the row then.
    AUREOLE_FN std::int32_t look(device::Team& team, const Particle& here, std::int32_t first,
                                 std::int32_t end, std::int32_t found) const {
        found = scan(team, here, {start[first], start[end]}, nullptr, found);
        if (ghosts.start == nullptr) return found;
        return scan(team, here, {ghosts.start[first], ghosts.start[end]}, ghosts.index, found);
    }

    struct Range {
        std::int32_t begin, end;
    };

    /// The same among particles `index`; null: these numbers themselves.
    AUREOLE_FN std::int32_t scan(device::Team& team, const Particle& here, Range among,
                                 const std::int32_t* index, std::int32_t found) const {
        const auto i = here.index;
        for (std::int32_t first = among.begin; first < among.end; first += team.size()) {
            const std::int32_t k = first + team.rank();
            std::int32_t hit = 0, j = k;
            if (k < among.end) {
                if (index != nullptr) j = index[k];
                const Site<T> other = site[j];
                const auto d = images.separation(here.site, other);
                const T range = here.range + limit[j];
                hit = j != i && (range > surely || dot(d, d) < range * range) ? 1 : 0;
                if (hit != 0 && !zones.pair_here(i, j, here.site, other)) hit = 0;
                if (hit != 0 && exclusions.any() && exclusions.between(i, j)) hit = 0;
            }
            const std::int32_t before = team.exclusive_scan_sum(hit);
            if (hit != 0 && found + before < list.stride)
                list.neighbour[i * list.stride + found + before] = j;
            found += team.shuffle(before + hit, team.size() - 1);
        }
        return found;
    }
};

}  // namespace aureole::md
