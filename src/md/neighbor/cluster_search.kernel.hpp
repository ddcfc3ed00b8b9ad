// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/simd.hpp"
#include "md/neighbor/cluster_search.hpp"

namespace aureole::md {
inline namespace HWY_NAMESPACE {

/// Lists the clusters whose boxes are within the list radius of a cluster, zone by zone. The test
/// of a pair rounds identically from either side, so that a later extension knows exactly what is
/// listed already.
class ClusterSearch {
  public:
    ClusterSearch(const SearchSpace& space, ClusterChunk& out) : s_(space), out_(out) {}

    /// All pairs of a chunk, each once: within a zone with no shift the later cluster of the two,
    /// with a shift from the positive half space all; of two zones the cluster of the first.
    void search() {
        out_.entries.clear(), out_.j.clear();
        int g = 0;
        for (std::int32_t c = out_.first; c < out_.last; ++c) {
            while (c >= s_.grid[g].last_cluster) ++g;
            look<Pairs::within_zone>(c, s_.grid[g], s_.grid[g]);
            for (int h = g + 1; h < s_.grids; ++h) look<Pairs::of_zones>(c, s_.grid[g], s_.grid[h]);
        }
    }
    /// The pairs that `new_limit` adds to those of `limit`. If both clusters were extended, the
    /// earlier one lists the pair.
    void extend(std::int32_t c) {
        int g = 0;
        while (c >= s_.grid[g].last_cluster) ++g;
        for (int h = 0; h < s_.grids; ++h) look<Pairs::added>(c, s_.grid[g], s_.grid[h]);
    }

  private:
    static constexpr int lanes = core::fits_register<float, 16> ? 16 : 8;
    using Floats = core::Pack<float, lanes>;
    using Ints = core::Pack<std::int32_t, lanes>;
    alignas(64) static constexpr std::int32_t first_integers[16] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                                    8, 9, 10, 11, 12, 13, 14, 15};

    /// Pairs that a scan looks for: of one zone, of two, or those that an extension adds.
    enum class Pairs { within_zone, of_zones, added };

    struct Range {
        int first, last;
        bool empty() const { return last < first; }
    };
    /// Whole-number shifts along one axis.
    struct Shifts {
        int first, last;
    };
    /// The cluster whose neighbours a scan of columns looks for.
    struct Here {
        std::int32_t cluster;
        core::Vec3f lo, hi;  ///< its box, shifted where the shift is positive
        core::Vec3f move_j;  ///< moves the others instead, where the shift is negative
        float z_lo, z_hi;    ///< its extent along z with the shift, whatever its sign
        float limit, new_limit;
        bool self_images;  ///< the cluster's own image is a possible partner
    };

    /// Columns with clusters within reach.
    struct Columns {
        static constexpr int capacity = 240;
        int n = 0;
        std::int32_t index[capacity + 2 * lanes];
        float bin[capacity + 2 * lanes];  ///< its integer part is the lowest bin within range
        float top[capacity + 2 * lanes];  ///< the highest z within reach
    };

    static std::uint32_t first_lanes(int n) { return n < lanes ? (1u << n) - 1 : ~0u; }

    /// Columns that overlap the interval [lo, hi] of fractional coordinates.
    static Range columns(float lo, float hi, const GridAxis& axis) {
        if (hi < axis.nothing_below || lo >= axis.nothing_above) return {0, -1};
        const auto column = [&](float f) {
            const float at = (f - axis.low) * axis.per_column;
            return at < 1                             ? 0
                   : at >= static_cast<float>(axis.n) ? axis.n - 1
                                                      : static_cast<int>(at);
        };
        return {column(lo), column(hi)};
    }

    /// Whether any particle of a zone may be near the cluster, shifted n times along the third
    /// axis.
    bool near_along_z(const SearchGrid& there, std::int32_t c, int n, float far) const {
        const float t = s_.shift[shift_of_lattice({0, 0, n})].z;
        return s_.bounds.hi_z[c] + t + far >= there.z_lo &&
               s_.bounds.lo_z[c] + t - far <= there.z_hi;
    }

    /// The shifts of a cluster of one zone against another: images along an axis, unless ranks
    /// divide it, as images are ghosts there.
    Shifts shifts(int axis, int of, int there) const {
        if ((s_.divided >> axis & 1) != 0) return {of - there, of - there};
        return s_.shifts[axis] ? Shifts{-1, 1} : Shifts{0, 0};
    }

    /// The neighbours of a cluster in a zone with each lattice shift. Which
    /// columns, or heights, are in range along an axis depends only on the shift along that axis.
    template <Pairs pairs>
    void look(std::int32_t c, const SearchGrid& own, const SearchGrid& there) {
        if ((own.axes & there.axes) != 0 || there.first_cluster == there.last_cluster) return;
        const auto& b = s_.bounds;
        const float far = s_.r_cut + (b.new_limit[c] + s_.limit_max);
        const float fx = far * s_.inv_face_x, fy = far * s_.inv_face_y;
        const Shifts along[3] = {shifts(0, own.shift.x, there.shift.x),
                                 shifts(1, own.shift.y, there.shift.y),
                                 shifts(2, own.shift.z, there.shift.z)};
        Range x[3], y[3];
        bool z[3];
        for (int n = along[0].first; n <= along[0].last; ++n)
            x[n + 1] = columns(b.f_lo_x[c] + static_cast<float>(n) - fx,
                               b.f_hi_x[c] + static_cast<float>(n) + fx, there.x);
        for (int n = along[1].first; n <= along[1].last; ++n)
            y[n + 1] = columns(b.f_lo_y[c] + static_cast<float>(n) - fy,
                               b.f_hi_y[c] + static_cast<float>(n) + fy, there.y);
        for (int n = along[2].first; n <= along[2].last; ++n)
            z[n + 1] = near_along_z(there, c, n, far);
        constexpr bool half = pairs == Pairs::within_zone;
        for (int nx = along[0].first; nx <= along[0].last; ++nx) {
            if (x[nx + 1].empty()) continue;
            for (int ny = along[1].first; ny <= along[1].last; ++ny) {
                if (y[ny + 1].empty()) continue;
                for (int nz = along[2].first; nz <= along[2].last; ++nz) {
                    const int shift = shift_of_lattice({nx, ny, nz});
                    if (!z[nz + 1] || (half && shift < central_shift)) continue;
                    look_at_shift<pairs>(c, there, shift, x[nx + 1], y[ny + 1]);
                }
            }
        }
    }

    template <Pairs pairs>
    void look_at_shift(std::int32_t c, const SearchGrid& there, int shift, Range x, Range y) {
        const auto& b = s_.bounds;
        const auto& t = s_.shift[shift];
        Here here{c,
                  {b.lo_x[c], b.lo_y[c], b.lo_z[c]},
                  {b.hi_x[c], b.hi_y[c], b.hi_z[c]},
                  {},
                  b.lo_z[c] + t.z,
                  b.hi_z[c] + t.z,
                  b.limit[c],
                  b.new_limit[c],
                  shift > central_shift};
        if (shift >= central_shift)
            here.lo += t, here.hi += t;
        else
            here.move_j = -1.0f * t;
        const auto begin = out_.j.size;
        auto end = begin;
        const bool half = pairs == Pairs::within_zone && shift == central_shift;
        const int own = b.column_of[c] - there.first_column;  // where the zone is its own
        if (half) x.first = own / there.y.n;
        columns_.n = 0;
        for (int cx = x.first; cx <= x.last; ++cx) {
            const int from = half && cx == own / there.y.n ? own % there.y.n : y.first;
            for (int cy = from; cy <= y.last; cy += lanes) {
                if (columns_.n > Columns::capacity) end = scan_columns<pairs>(here, half, end);
                add_columns(here, there.first_column + cx * there.y.n + cy, y.last - cy + 1);
            }
        }
        out_.j.size = end = scan_columns<pairs>(here, half, end);
        if (end == begin) return;
        if (out_.entries.size == out_.entries.capacity) out_.entries.reserve(out_.entries.size + 1);
        out_.entries.data[out_.entries.size++] = {c, shift, begin, end, begin, 0};
    }

    static Floats gap(float lo, float hi, Floats lo_j, Floats hi_j) {
        return max(max(lo_j - Floats(hi), Floats(lo) - hi_j), Floats(0.0f));
    }

    /// Adds those of the next min(n, lanes) columns that may have clusters within range.
    void add_columns(const Here& here, int first, int n) {
        const auto& col = s_.columns;
        const auto at = [&](const float* p, float by) {
            return Floats::load_unaligned(p + first) + Floats(by);
        };
        const auto& move = here.move_j;
        const auto x = gap(here.lo.x, here.hi.x, at(col.lo_x, move.x), at(col.hi_x, move.x));
        const auto y = gap(here.lo.y, here.hi.y, at(col.lo_y, move.y), at(col.hi_y, move.y));
        const auto far = Floats(s_.r_cut) + at(col.limit, here.new_limit);
        const auto left = fma(far, far, -fma(y, y, x * x));
        const auto height = fma(Floats(1.0001f), sqrt(max(left, Floats(0.0f))), Floats(s_.slack));
        const auto bin = ((Floats(here.z_lo) - height) - Floats(col.z_lo)) * Floats(col.inv_bin);
        const auto last_bin = Floats(static_cast<float>(col.bins - 1));
        const auto near = bits(Floats(0.0f) < left) & first_lanes(n);
        auto& c = columns_;
        store_chosen(Floats(here.z_hi) + height, near, c.top + c.n);
        store_chosen(min(max(bin, Floats(0.0f)), last_bin), near, c.bin + c.n);
        c.n += store_chosen(Ints(first) + Ints::load(first_integers), near, c.index + c.n);
    }

    /// Appends to the list, from index `end` on, the clusters of the collected columns; with
    /// `half` only those not before the cluster itself. Returns the new end.
    template <Pairs pairs>
    std::int32_t scan_columns(const Here& here, bool half, std::int32_t end) {
        const auto& col = s_.columns;
        for (int n = 0; n < columns_.n; ++n) {
            const int column = columns_.index[n];
            const auto k = col.first[column * col.bins + static_cast<int>(columns_.bin[n])];
            end = scan<pairs>(here, half && k < here.cluster ? here.cluster : k,
                              s_.bounds.column_start[column + 1], columns_.top[n], end);
        }
        columns_.n = 0;
        return end;
    }

    /// Clusters [k, last) of one column, which ascend in z, up to `top`.
    template <Pairs pairs>
    std::int32_t scan(const Here& here, std::int32_t k, std::int32_t last, float top,
                      std::int32_t end) {
        if (k >= last) return end;
        const auto& b = s_.bounds;
        const auto& move = here.move_j;
        if (end + (last - k) + lanes > out_.j.capacity) {
            out_.j.size = end;
            out_.j.reserve(end + (last - k) + lanes);
        }
        const auto count = Ints::load(first_integers);
        do {
            const auto at = [&](const float* p) { return Floats::load_unaligned(p + k); };
            const auto moved = [&](const float* p, float by) {
                return pairs == Pairs::within_zone ? at(p) : at(p) + Floats(by);
            };
            const auto dx = gap(here.lo.x, here.hi.x, moved(b.lo_x, move.x), moved(b.hi_x, move.x));
            const auto dy = gap(here.lo.y, here.hi.y, moved(b.lo_y, move.y), moved(b.hi_y, move.y));
            const auto dz = gap(here.lo.z, here.hi.z, moved(b.lo_z, move.z), moved(b.hi_z, move.z));
            const auto d2 = fma(dz, dz, fma(dy, dy, dx * dx));
            const auto limit_j = at(b.new_limit);
            const auto r = Floats(s_.r_cut) + (Floats(here.new_limit) + limit_j);
            auto near = bits(d2 < r * r) & first_lanes(last - k);
            if constexpr (pairs == Pairs::added) {
                const auto old_j = at(b.limit);
                const auto old_r = Floats(s_.r_cut) + (Floats(here.limit) + old_j);
                near &= ~bits(d2 < old_r * old_r);
                const auto earlier = here.cluster - k;  // lanes below this are earlier clusters
                if (earlier > 0) near &= ~(bits(old_j < limit_j) & first_lanes(earlier));
                if (earlier >= 0 && earlier < lanes && !here.self_images) near &= ~(1u << earlier);
            }
            end += core::store_chosen(Ints(k) + count, near, out_.j.data + end);
            k += lanes;
        } while (k < last && b.lo_z[k] <= top);
        return end;
    }

    const SearchSpace& s_;
    ClusterChunk& out_;
    Columns columns_;
};

inline void search_clusters(const SearchSpace& space, ClusterChunk& out) {
    ClusterSearch(space, out).search();
}
inline void extend_cluster(const SearchSpace& space, ClusterChunk& out, std::int32_t cluster) {
    ClusterSearch(space, out).extend(cluster);
}

}  // namespace HWY_NAMESPACE
}  // namespace aureole::md
