// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/simd.hpp"
#include "md/neighbor/cluster_search.hpp"

namespace aureole::md {
inline namespace HWY_NAMESPACE {

/// Lists the clusters whose boxes are within the list radius of a cluster. The test of a pair
/// rounds identically from either side, so that a later extension knows exactly what is listed
/// already.
class ClusterSearch {
  public:
    ClusterSearch(const SearchSpace& space, ClusterChunk& out) : s_(space), out_(out) {}

    /// All pairs of a chunk, each once: with no shift the later cluster of the two, with a shift
    /// from the positive half space all.
    void search() {
        out_.entries.clear(), out_.j.clear();
        for (std::int32_t c = out_.first; c < out_.last; ++c)
            for (int shift = central_shift; shift < shift_count; ++shift) look<false>(c, shift);
    }
    /// The pairs that `new_limit` adds to those of `limit`. If both clusters were extended, the
    /// earlier one lists the pair.
    void extend(std::int32_t c) {
        for (int shift = 0; shift < shift_count; ++shift) look<true>(c, shift);
    }

  private:
    static constexpr int lanes = 8;
    using Floats = core::Pack<float, lanes>;
    using Ints = core::Pack<std::int32_t, lanes>;
    alignas(32) static constexpr std::int32_t first_integers[lanes] = {0, 1, 2, 3, 4, 5, 6, 7};

    struct Range {
        int first, last;
        bool empty() const { return last < first; }
    };
    /// The cluster whose neighbours a scan of columns looks for.
    struct Here {
        std::int32_t cluster;
        core::Vec3f lo, hi;  ///< its box, shifted where the shift is positive
        core::Vec3f move_j;  ///< moves the others instead, where the shift is negative
        float z_lo, z_hi;    ///< its extent along z with the shift, whatever its sign
        float limit, new_limit;
        bool self_images;  ///< the cluster itself may be its partner
    };

    /// Columns that overlap the interval [lo, hi] of fractional coordinates.
    static Range columns(float lo, float hi, int n, bool periodic) {
        if (periodic && (hi < 0 || lo >= 1)) return {0, -1};
        const auto column = [n](float f) {
            const float at = f * static_cast<float>(n);
            return at < 1 ? 0 : at >= static_cast<float>(n) ? n - 1 : static_cast<int>(at);
        };
        return {column(lo), column(hi)};
    }

    template <bool extension>
    void look(std::int32_t c, int shift) {
        const auto n = lattice_of_shift(shift);
        if ((n.x != 0 && !s_.periodic_x) || (n.y != 0 && !s_.periodic_y) ||
            (n.z != 0 && !s_.periodic_z))
            return;
        const auto& b = s_.bounds;
        const auto& t = s_.shift[shift];
        const float far = s_.r_cut + (b.new_limit[c] + s_.limit_max);
        const float z_lo = b.lo_z[c] + t.z, z_hi = b.hi_z[c] + t.z;
        if (z_hi + far < s_.z_lo || z_lo - far > s_.z_hi) return;
        const float fx = far * s_.inv_face_x, fy = far * s_.inv_face_y;
        Range x = columns(b.f_lo_x[c] + n.x - fx, b.f_hi_x[c] + n.x + fx, s_.nx, s_.periodic_x);
        Range y = columns(b.f_lo_y[c] + n.y - fy, b.f_hi_y[c] + n.y + fy, s_.ny, s_.periodic_y);
        if (x.empty() || y.empty()) return;

        Here here{c,
                  {b.lo_x[c], b.lo_y[c], b.lo_z[c]},
                  {b.hi_x[c], b.hi_y[c], b.hi_z[c]},
                  {},
                  z_lo,
                  z_hi,
                  b.limit[c],
                  b.new_limit[c],
                  shift > central_shift};
        if (shift >= central_shift)
            here.lo += t, here.hi += t;
        else
            here.move_j = -1.0f * t;
        const auto begin = out_.j.size;
        const bool half = !extension && shift == central_shift;
        const int own = b.column_of[c];
        if (half) x.first = own / s_.ny;
        for (int cx = x.first; cx <= x.last; ++cx) {
            const int y_first = half && cx == own / s_.ny ? own % s_.ny : y.first;
            for (int cy = y_first; cy <= y.last; ++cy) {
                const int column = cx * s_.ny + cy;
                scan<extension>(here, column, half && column == own ? c : 0);
            }
        }
        if (out_.j.size == begin) return;
        if (out_.entries.size == out_.entries.capacity) out_.entries.reserve(out_.entries.size + 1);
        out_.entries.data[out_.entries.size++] = {c, shift, begin, out_.j.size, begin};
    }

    static float distance(float lo, float hi, float lo_j, float hi_j) {
        const float below = lo_j - hi, above = lo - hi_j;
        const float d = below > above ? below : above;
        return d > 0 ? d : 0;
    }

    /// The clusters of one column, which ascend in z, from `not_before` on.
    template <bool extension>
    void scan(const Here& here, int column, std::int32_t not_before) {
        const auto& b = s_.bounds;
        const auto& col = s_.columns;
        const auto& move = here.move_j;
        const float gap_x =
            distance(here.lo.x, here.hi.x, col.lo_x[column] + move.x, col.hi_x[column] + move.x);
        const float gap_y =
            distance(here.lo.y, here.hi.y, col.lo_y[column] + move.y, col.hi_y[column] + move.y);
        const float far = s_.r_cut + (here.new_limit + col.limit[column]);
        const float left = far * far - gap_x * gap_x - gap_y * gap_y;
        if (!(left > 0)) return;
        const float height = 1.0001f * __builtin_sqrtf(left) + s_.slack;
        const float z_lo = here.z_lo - height, z_hi = here.z_hi + height;
        const float at_bin = (z_lo - col.z_lo) * col.inv_bin;
        const int bin = at_bin < 0          ? 0
                        : at_bin < col.bins ? static_cast<int>(at_bin)
                                            : col.bins - 1;
        const std::int32_t last = b.column_start[column + 1];
        std::int32_t first = col.first[column * col.bins + bin];
        first = first < not_before ? not_before : first;
        if (out_.j.size + (last - first) + lanes > out_.j.capacity)
            out_.j.reserve(out_.j.size + (last - first) + lanes);
        const auto count = Ints::load(first_integers);
        for (std::int32_t k = first; k < last && b.lo_z[k] <= z_hi; k += lanes) {
            const auto at = [&](const float* p) { return Floats::load_unaligned(p + k); };
            const auto gap = [&](float lo, float hi, float by, const float* lo_j,
                                 const float* hi_j) {
                return max(
                    max((at(lo_j) + Floats(by)) - Floats(hi), Floats(lo) - (at(hi_j) + Floats(by))),
                    Floats(0.0f));
            };
            const auto dx = gap(here.lo.x, here.hi.x, move.x, b.lo_x, b.hi_x);
            const auto dy = gap(here.lo.y, here.hi.y, move.y, b.lo_y, b.hi_y);
            const auto dz = gap(here.lo.z, here.hi.z, move.z, b.lo_z, b.hi_z);
            const auto d2 = fma(dz, dz, fma(dy, dy, dx * dx));
            const auto limit_j = at(b.new_limit);
            const auto r = Floats(s_.r_cut) + (Floats(here.new_limit) + limit_j);
            auto near = bits(d2 < r * r);
            if constexpr (extension) {
                const auto old_j = at(b.limit);
                const auto old_r = Floats(s_.r_cut) + (Floats(here.limit) + old_j);
                near &= ~bits(d2 < old_r * old_r);
                auto earlier = here.cluster - k;  // lanes below this are earlier clusters
                if (earlier > 0)
                    near &= ~(bits(old_j < limit_j) & ((1u << (earlier < 8 ? earlier : 8)) - 1));
                if (earlier >= 0 && earlier < lanes && !here.self_images) near &= ~(1u << earlier);
            }
            if (last - k < lanes) near &= (1u << (last - k)) - 1;
            out_.j.size += core::store_chosen(Ints(k) + count, near, out_.j.data + out_.j.size);
        }
    }

    const SearchSpace& s_;
    ClusterChunk& out_;
};

inline void search_clusters(const SearchSpace& space, ClusterChunk& out) {
    ClusterSearch(space, out).search();
}
inline void extend_cluster(const SearchSpace& space, ClusterChunk& out, std::int32_t cluster) {
    ClusterSearch(space, out).extend(cluster);
}

}  // namespace HWY_NAMESPACE
}  // namespace aureole::md
