// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fft/line.kernel.hpp"

// A grid's transform in three sweeps: lines along x; then, plane by plane of constant kx, lines
// along y and z with whatever is done to the spectrum and the way back, all in the cache; then
// lines along x again. Packs lie along y z in the outer sweeps and along z, then y, in the middle
// one, so that only small tiles of planes are ever transposed.
namespace aureole::fft {
inline namespace HWY_NAMESPACE {

template <class T>
class GridTransform {
    using Lines = LineTransform<T>;
    using P = typename Lines::P;
    static constexpr std::int64_t w = line_lanes<T>;

  public:
    GridTransform(const GridJob<T>& job, T* scratch)
        : job_(job),
          n_(job.real.n),
          blocks_y_((n_.y + w - 1) / w),
          blocks_z_((n_.z + w - 1) / w),
          rows_(blocks_y_ * w),
          between_(scratch),
          column_(between_ + blocks_z_ * rows_ * 2 * w),
          modes_(column_ + longest(job) * 2 * w),
          lines_(modes_ + longest(job) * 2 * w) {}

    static std::int64_t scratch(const GridJob<T>& job) {
        const auto n = job.real.n;
        const std::int64_t y = (n.y + w - 1) / w * w, z = (n.z + w - 1) / w * w;
        return 2 * y * z + 4 * w * longest(job) + Lines::scratch(longest(job));
    }

    /// Two packs of real lines are the real and the imaginary part of one of complex ones, whose
    /// spectrum's even and odd parts are theirs.
    void to_half(std::int64_t pair) {
        const std::int64_t at = pair * 2 * w, plane = job_.real.plane;
        const auto z = points(column_);
        Lines::run(job_.x, {job_.grid + at, job_.grid + at + w, plane}, z, lines_);
        const P half(T(0.5));
        for (int k = 0; 2 * k <= n_.x; ++k) {
            const auto a = Lines::get(z, k), b = Lines::get(z, k == 0 ? 0 : n_.x - k);
            T* re = work(k, 0) + at;
            T* im = work(k, 1) + at;
            (half * (a.re + b.re)).store_unaligned(re);
            (half * (a.im - b.im)).store_unaligned(im);
            (half * (a.im + b.im)).store_unaligned(re + w);
            (half * (b.re - a.re)).store_unaligned(im + w);
        }
    }

    void to_real(std::int64_t pair) {
        const std::int64_t at = pair * 2 * w, plane = job_.real.plane;
        const auto z = points(column_);
        for (int k = 0; 2 * k <= n_.x; ++k) {
            const T* re = work(k, 0) + at;
            const T* im = work(k, 1) + at;
            const P ar = P::load_unaligned(re), ai = P::load_unaligned(im);
            const P br = P::load_unaligned(re + w), bi = P::load_unaligned(im + w);
            Lines::put(z, k, {ar - bi, ai + br});
            if (k > 0 && 2 * k < n_.x) Lines::put(z, n_.x - k, {ar + bi, br - ai});
        }
        Lines::run(job_.x, swapped(z), {job_.grid + at + w, job_.grid + at, plane}, lines_);
    }

    /// Rows beyond n.y are lanes without lines; zeros there keep sums of powers clean.
    void clear_padding() {
        for (std::int64_t z = 0; z < blocks_z_; ++z)
            for (std::int64_t k = (z * rows_ + n_.y) * 2 * w; k < (z + 1) * rows_ * 2 * w; ++k)
                between_[k] = 0;
    }

    void plane(int kx, PlaneWork work_of_plane) {
        if (work_of_plane != PlaneWork::backward)
            for (std::int64_t z = 0; z < blocks_z_; ++z)
                Lines::run(job_.y, {work(kx, 0) + z * w, work(kx, 1) + z * w, n_.z}, rows(z),
                           lines_);
        for (std::int64_t y = 0; y < blocks_y_; ++y) {
            const std::int64_t first = (kx * blocks_y_ + y) * n_.z * w;
            const auto modes = points(modes_);
            if (work_of_plane == PlaneWork::backward) {
                load(first);
            } else {
                transpose_in(y);
                Lines::run(job_.z, points(column_), modes, lines_);
            }
            if (work_of_plane == PlaneWork::forward) {
                store(first);
                continue;
            }
            if (work_of_plane == PlaneWork::filter) multiply(first);
            Lines::run(job_.z, swapped(modes), swapped(points(column_)), lines_);
            transpose_out(y);
        }
        if (work_of_plane == PlaneWork::forward) return;
        // Downwards: what the last pack writes behind a row's end belongs to the next row's first.
        for (std::int64_t z = blocks_z_ - 1; z >= 0; --z) {
            const Points<T> out{work(kx, 0) + z * w, work(kx, 1) + z * w, n_.z};
            if (n_.z > w) {
                Lines::run(job_.y, swapped(rows(z)), swapped(out), lines_);
            } else {
                Lines::run(job_.y, swapped(rows(z)), swapped(points(column_)), lines_);
                for (std::int64_t y = 0; y < n_.y; ++y)
                    Lines::put(out, y, Lines::get(points(column_), y));
            }
        }
        // Lines behind the last row share packs with real ones: they must be real lines, too.
        for (int part = 0; part < 2; ++part)
            for (std::int64_t k = std::int64_t{n_.y} * n_.z; k < job_.real.plane; ++k)
                work(kx, part)[k] = 0;
    }

  private:
    /// Points of the longest line, rounded up to packs.
    static int longest(const GridJob<T>& job) {
        const auto n = job.real.n;
        const int most = n.x > n.y ? n.x : n.y;
        return static_cast<int>(((most > n.z ? most : n.z) + w - 1) / w * w);
    }
    static Points<T> points(T* at) { return {at, at + w, 2 * w}; }
    static Points<T> swapped(const Points<T>& a) { return {a.im, a.re, a.stride}; }
    Points<T> rows(std::int64_t z) const { return points(between_ + z * rows_ * 2 * w); }
    T* work(int kx, int part) const { return job_.work + (2 * kx + part) * job_.work_plane; }

    /// From rows of packs along z to packs along y, or back, in tiles of 128 bits' edge.
    void transpose_in(std::int64_t y) const { transpose<true>(y); }
    void transpose_out(std::int64_t y) const { transpose<false>(y); }
    template <bool in>
    void transpose(std::int64_t y) const {
        constexpr std::int64_t edge = w < 16 / std::int64_t{sizeof(T)} ? w : 16 / sizeof(T);
        for (std::int64_t z = 0; z < blocks_z_ * w; z += edge) {
            T* const row = between_ + ((z / w) * rows_ + y * w) * 2 * w + z % w;
            T* const column = column_ + z * 2 * w;
            for (std::int64_t part = 0; part < 2 * w; part += w)
                for (std::int64_t l = 0; l < w; l += edge) {
                    T* const a = row + l * 2 * w + part;
                    T* const b = column + part + l;
                    core::transpose_tile<T, edge>(in ? a : b, 2 * w, in ? b : a, 2 * w);
                }
        }
    }

    void multiply(std::int64_t first) const {
        const T* factor = job_.factor + first;
        for (std::int64_t z = 0; z < n_.z; ++z) {
            T* const at = modes_ + z * 2 * w;
            const P re = P::load(at), im = P::load(at + w);
            const P f = P::load_unaligned(factor + z * w);
            if (job_.power != nullptr)
                fma(re, re, im * im).store_unaligned(job_.power + first + z * w);
            (f * re).store(at), (f * im).store(at + w);
        }
    }
    void store(std::int64_t first) const {
        for (std::int64_t k = 0; k < n_.z * w; ++k) {
            const T* at = modes_ + k / w * 2 * w + k % w;
            job_.modes[first + k] = {at[0], at[w]};
        }
    }
    void load(std::int64_t first) const {
        for (std::int64_t k = 0; k < n_.z * w; ++k) {
            T* at = modes_ + k / w * 2 * w + k % w;
            at[0] = job_.modes[first + k].re, at[w] = job_.modes[first + k].im;
        }
    }

    const GridJob<T>& job_;
    GridSize n_;
    std::int64_t blocks_y_, blocks_z_, rows_;
    T* between_;  ///< [blocks_z][rows][2][w] a plane between its lines along y and z
    T* column_;   ///< [z][2][w] one pack of lines
    T* modes_;    ///< [z][2][w] the same, transformed
    T* lines_;
};

template <class T>
GridKernels<T> grid_kernels() {
    using Grid = GridTransform<T>;
    return {line_lanes<T>, &Grid::scratch,
            [](const GridJob<T>& job, device::Range range, T* scratch) {
                Grid grid(job, scratch);
                for (auto k = range.begin; k < range.end; ++k) grid.to_half(k);
            },
            [](const GridJob<T>& job, PlaneWork work, device::Range range, T* scratch) {
                Grid grid(job, scratch);
                grid.clear_padding();
                for (auto k = range.begin; k < range.end; ++k)
                    grid.plane(static_cast<int>(k), work);
            },
            [](const GridJob<T>& job, device::Range range, T* scratch) {
                Grid grid(job, scratch);
                for (auto k = range.begin; k < range.end; ++k) grid.to_real(k);
            }};
}

}  // namespace HWY_NAMESPACE
}  // namespace aureole::fft
