// SPDX-License-Identifier: Apache-2.0
#include "md/neighbor/pair_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace aureole::md {

namespace {

/// Margin for the rounding of fractional coordinates, in parts of the box.
constexpr double slack = 1e-9;

/// Flat and long boxes would have many more cells than particles.
CellGrid bounded_grid(const core::Box& box, double range, std::int64_t n) {
    for (;; range *= 2) {
        const auto grid = make_cell_grid(box, range, n);
        if (grid.cells() <= 8 * std::max<std::int64_t>(n, 1)) return grid;
    }
}

}  // namespace

PairSearch::PairSearch(const core::Box& box, std::span<const core::Vec3d> position, double r_cut)
    : box_(box),
      r_cut_(r_cut),
      grid_(bounded_grid(box, r_cut, static_cast<std::int64_t>(position.size()))),
      start_(grid_.cells() + 1),
      index_(position.size()),
      position_(position.size()) {
    std::vector<std::uint32_t> cell(position.size());
    for (std::size_t i = 0; i < position.size(); ++i) {
        cell[i] = grid_.cell_at(inside(position[i]));
        ++start_[cell[i] + 1];
    }
    std::partial_sum(start_.begin(), start_.end(), start_.begin());
    auto next = start_;
    for (std::size_t i = 0; i < position.size(); ++i) {
        const auto at = next[cell[i]]++;
        index_[at] = static_cast<std::int64_t>(i), position_[at] = position[i];
    }
}

std::size_t PairSearch::find(std::span<const core::Vec3d> centre, std::size_t begin,
                             std::size_t most, FoundPairs& found) const {
    std::size_t i = begin;
    while (i < centre.size() && found.distance.size() < most) {
        look(static_cast<std::int64_t>(i), centre[i], found);
        ++i;
    }
    return i;
}

/// Fractional coordinates, within the box along periodic axes.
core::Vec3d PairSearch::inside(const core::Vec3d& r) const {
    core::Vec3d f = box_.fractional(r);
    const auto wrap = [](double& x, bool periodic) {
        if (periodic && !(std::abs(x) <= 0.5)) x -= std::floor(x + 0.5);
    };
    wrap(f.x, box_.periodic_x), wrap(f.y, box_.periodic_y), wrap(f.z, box_.periodic_z);
    return f;
}

/// Rows of cells along x are one run of particles, or two where they go on at the other face.
void PairSearch::look(std::int64_t centre, const core::Vec3d& r, FoundPairs& found) const {
    const auto f = inside(r);
    const auto range = [&](double face) { return r_cut_ / face + slack; };
    const CellRun x = grid_.x.near(f.x, range(grid_.face.x)),
                  y = grid_.y.near(f.y, range(grid_.face.y)),
                  z = grid_.z.near(f.z, range(grid_.face.z));
    const core::Vec3d half{0.5 * box_.lx, 0.5 * box_.ly, 0.5 * box_.lz};
    const auto look_at = [&](std::int64_t begin, std::int64_t end) {
        for (auto k = begin; k < end; ++k) {
            auto d = position_[k] - r;
            // Most differences are minimum images already; this test is cheaper than the full one.
            if (std::abs(d.x) > half.x || std::abs(d.y) > half.y || std::abs(d.z) > half.z)
                d = box_.minimum_image(d);
            const double square = dot(d, d);
            if (!(square < r_cut_ * r_cut_)) continue;
            found.centre.push_back(centre), found.particle.push_back(index_[k]);
            found.distance.push_back(std::sqrt(square));
        }
    };
    for (std::int32_t kz = 0; kz < z.count; ++kz)
        for (std::int32_t ky = 0; ky < y.count; ++ky) {
            const std::int64_t row =
                (z.first + kz) % grid_.z.n * std::int64_t(grid_.y.n) + (y.first + ky) % grid_.y.n;
            const auto* const start = start_.data() + row * grid_.x.n;
            const auto end = x.first + x.count;
            look_at(start[x.first], start[std::min(end, grid_.x.n)]);
            if (end > grid_.x.n) look_at(start[0], start[end - grid_.x.n]);
        }
}

}  // namespace aureole::md
