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

/// The cell of each site, where sites are sorted already.
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

/// The cell and the local index of each of a rank's ghosts, which keep their places.
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
    static constexpr int blocks_on_processor = sizeof(T) == 4 ? 5 : 1;
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
        const Particle here{i, self, mine};
        std::int32_t found = 0;
        const Runs runs(*this, f, window);
        for (std::int32_t first = 0; first < runs.count(); first += team.size())
            found = look(team, here, runs, first, found);
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

    /// Particles one after the other: owned ones, or entries of ghosts.index.
    struct Run {
        std::int32_t begin, length;
        bool of_ghosts;
    };

    /// The cells about a particle: rows along x, of two parts where they go on at the other face of
    /// the box, each with owned particles and ghosts.
    class Runs {
      public:
        AUREOLE_FN Runs(const FlatSearch& search, const core::Vec3d& f, double window)
            : search_(search),
              grid_(search.grid),
              f_(f),
              window_(window),
              x_(grid_.x.near(f.x, window / grid_.face.x)),
              y_(grid_.y.near(f.y, window / grid_.face.y)),
              z_(grid_.z.near(f.z, window / grid_.face.z)),
              kinds_(search.ghosts.start != nullptr ? 2 : 1),
              of_row_(x_.first + x_.count > grid_.x.n ? 2 * kinds_ : kinds_) {}

        AUREOLE_FN std::int32_t count() const { return z_.count * y_.count * of_row_; }
        AUREOLE_FN Run operator[](std::int32_t k) const {
            const std::int32_t row = k / of_row_, ky = row % y_.count, kz = row / y_.count;
            const bool of_ghosts = k % kinds_ != 0, second = k % of_row_ >= kinds_;
            const CellRun x = near_row(ky, kz);
            const std::int32_t nx = grid_.x.n, cz = (z_.first + kz) % grid_.z.n;
            const std::int32_t at = (cz * grid_.y.n + (y_.first + ky) % grid_.y.n) * nx;
            const std::int32_t last = x.first + x.count;
            const std::int32_t first = second ? 0 : x.first;
            const std::int32_t end = second ? last - nx : last < nx ? last : nx;
            if (end <= first) return {0, 0, of_ghosts};
            const auto* start = of_ghosts ? search_.ghosts.start : search_.start;
            return {start[at + first], start[at + end] - start[at + first], of_ghosts};
        }

      private:
        /// The part of a row that a sphere of the window's radius reaches; along oblique axes all.
        AUREOLE_FN CellRun near_row(std::int32_t ky, std::int32_t kz) const {
            if (!grid_.box.orthorhombic() || x_.count == grid_.x.n) return x_;
            const double y = grid_.face.y * grid_.y.outside(f_.y, window_ / grid_.face.y, ky);
            const double z = grid_.face.z * grid_.z.outside(f_.z, window_ / grid_.face.z, kz);
            const double left = window_ * window_ - y * y - z * z;
            if (left < 0) return {0, 0};
            return grid_.x.near(f_.x, std::sqrt(left) / grid_.face.x);
        }

        const FlatSearch& search_;
        const CellGrid& grid_;
        core::Vec3d f_;
        double window_;
        CellRun x_, y_, z_;
        std::int32_t kinds_, of_row_;
    };

    /// Appends the neighbours in a team's worth of runs; returns the length of the row then. Each
    /// lane finds one run, and all of them share the particles of all.
    AUREOLE_FN std::int32_t look(device::Team& team, const Particle& here, const Runs& runs,
                                 std::int32_t first, std::int32_t found) const {
        Run mine{0, 0, false};
        if (first + team.rank() < runs.count()) mine = runs[first + team.rank()];
        const std::int32_t before = team.exclusive_scan_sum(mine.length);
        const std::int32_t all = team.shuffle(before + mine.length, team.size() - 1);
        // Where the run's particles would begin if it were the first: k - before + begin.
        const std::int32_t origin = mine.begin - before;
        constexpr int at_once = 2;  // loads under way
        for (std::int32_t at = 0; at < all; at += at_once * team.size()) {
            std::int32_t j[at_once];
            Site<T> other[at_once];
            T range[at_once];
            AUREOLE_UNROLL for (int u = 0; u < at_once; ++u) {
                const std::int32_t k = at + u * team.size() + team.rank();
                int run = 0;  // the last one that begins at k or before
                for (int half = team.size() / 2; half > 0; half /= 2)
                    if (team.shuffle(before, run + half) <= k) run += half;
                j[u] = k + team.shuffle(origin, run);
                const bool of_ghosts = team.shuffle(mine.of_ghosts ? 1 : 0, run) != 0;
                if (k >= all) j[u] = static_cast<std::int32_t>(here.index);  // no neighbour
                if (k < all && of_ghosts) j[u] = ghosts.index[j[u]];
                other[u] = site[j[u]], range[u] = here.range + limit[j[u]];
            }
            AUREOLE_UNROLL for (int u = 0; u < at_once; ++u) {
                const bool hit = is_neighbour(here, j[u], other[u], range[u]);
                const unsigned hits = team.vote(hit);
                const auto place = found + device::count_bits(hits & ((1u << team.rank()) - 1));
                if (hit && place < list.stride)
                    list.neighbour[here.index * list.stride + place] = j[u];
                found += device::count_bits(hits);
            }
        }
        return found;
    }

    AUREOLE_FN bool is_neighbour(const Particle& here, std::int32_t j, const Site<T>& other,
                                 T range) const {
        const auto d = images.separation(here.site, other);
        const auto i = here.index;
        return j != i && (range > surely || dot(d, d) < range * range) &&
               zones.pair_here(i, j, here.site, other) &&
               !(exclusions.any() && exclusions.between(i, j));
    }
};

}  // namespace aureole::md
