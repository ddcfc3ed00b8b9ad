// SPDX-License-Identifier: Apache-2.0
#include "md/neighbor/column_sort.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "md/neighbor/cluster_layout.hpp"

namespace aureole::md {

void ColumnSort::sort(device::ThreadPool& threads, const core::Box& box,
                      device::View<const core::Vec3d> position) {
    sort(threads, box, {}, edge_of_clusters(box, position.size), position);
}

double ColumnSort::edge_of_clusters(const core::Box& box, std::int64_t n_total) {
    return std::cbrt(cluster_size * box.volume() / std::max<double>(1.0, double(n_total)));
}

void ColumnSort::sort(device::ThreadPool& threads, const core::Box& box, const Frame& frame,
                      double edge, device::View<const core::Vec3d> position) {
    frame_ = frame;
    grids_.clear(), order_.clear();
    particle_start_.assign(1, 0);
    add(threads, box, {0, position.size}, edge, position);
    count_clusters();
}

void ColumnSort::add_ghosts(device::ThreadPool& threads, const core::Box& box,
                            std::span<const Zone> zones, double edge,
                            device::View<const core::Vec3d> position) {
    for (const Zone& zone : zones) add(threads, box, zone, edge, position);
    count_clusters();
}

void ColumnSort::add(device::ThreadPool& threads, const core::Box& box, const Zone& zone,
                     double edge, device::View<const core::Vec3d> position) {
    ColumnGrid grid;
    grid.zone = zone;
    grid.low_x = frame_.low.x + 0.5, grid.width_x = frame_.high.x - frame_.low.x;
    grid.low_y = frame_.low.y + 0.5, grid.width_y = frame_.high.y - frame_.low.y;
    if (zone.axes != 0 || frame_.divided != 0) bound(grid, box, position);
    particle_start_.pop_back();
    grid.first_column = static_cast<std::int32_t>(particle_start_.size());
    choose_columns(grid, box, edge);
    column_of_.resize(zone.end), order_.resize(zone.end);
    bin(threads, box, grid, position);
    grids_.push_back(grid);
    particle_start_.push_back(static_cast<std::int32_t>(zone.end));
    sort_columns(threads, grid.first_column, position);
}

void ColumnSort::restore(int columns_x, int columns_y, std::vector<std::int32_t> particle_start) {
    frame_ = {};
    grids_.assign(1, ColumnGrid{});
    grids_[0].zone.end = particle_start.back();
    grids_[0].nx = columns_x, grids_[0].ny = columns_y;
    particle_start_ = std::move(particle_start);
    count_clusters();
}

void ColumnSort::count_clusters() {
    cluster_start_.resize(particle_start_.size());
    cluster_start_[0] = 0;
    for (std::size_t c = 0; c + 1 < particle_start_.size(); ++c) {
        const std::int32_t n = particle_start_[c + 1] - particle_start_[c];
        cluster_start_[c + 1] = cluster_start_[c] + (n + cluster_size - 1) / cluster_size;
    }
}

void ColumnSort::choose_columns(ColumnGrid& grid, const core::Box& box, double edge) const {
    const auto face = box.face_distances();
    // never more columns than particles
    const double limit = std::sqrt(static_cast<double>(grid.zone.size())) + 1;
    const auto columns = [&](double length) {
        return static_cast<int>(std::clamp(std::floor(length / edge), 1.0, limit));
    };
    grid.nx = columns(face.x * grid.width_x), grid.ny = columns(face.y * grid.width_y);
}

/// Ghosts lie in slabs of any width, and wherever their owner has them; owned members of groups
/// may lie outside the frame.
void ColumnSort::bound(ColumnGrid& grid, const core::Box& box,
                       device::View<const core::Vec3d> position) const {
    constexpr double inf = std::numeric_limits<double>::infinity();
    double low_x = inf, low_y = inf, high_x = -inf, high_y = -inf;
    for (auto i = grid.zone.begin; i < grid.zone.end; ++i) {
        const auto f = box.fractional(position[i]);
        low_x = std::min(low_x, f.x), high_x = std::max(high_x, f.x);
        low_y = std::min(low_y, f.y), high_y = std::max(high_y, f.y);
    }
    if (!(low_x <= high_x && low_y <= high_y)) low_x = low_y = high_x = high_y = 0;
    constexpr double least = 1e-6;  // that rounding leaves every particle inside
    grid.low_x = low_x + 0.5, grid.width_x = std::max(high_x - low_x, least);
    grid.low_y = low_y + 0.5, grid.width_y = std::max(high_y - low_y, least);
}

void ColumnSort::bin(device::ThreadPool& threads, const core::Box& box, const ColumnGrid& grid,
                     device::View<const core::Vec3d> position) {
    const auto n = grid.zone.size();
    const double x = grid.nx / grid.width_x, y = grid.ny / grid.width_y;
    const auto along = [](double from_low, double per_length, int columns) {
        return static_cast<int>(std::clamp(std::floor(from_low * per_length), 0.0, columns - 1.0));
    };
    const int workers = threads.size();
    const std::size_t row = static_cast<std::size_t>(grid.columns());
    counts_.assign(row * workers, 0);
    threads.run([&](int rank) {
        const auto [first, last] = device::part_of(n, rank, workers);
        auto* count = counts_.data() + row * rank;
        for (auto i = grid.zone.begin + first; i < grid.zone.begin + last; ++i) {
            const auto f = box.fractional(position[i]);
            const int cx = along(f.x + 0.5 - grid.low_x, x, grid.nx);
            const int cy = along(f.y + 0.5 - grid.low_y, y, grid.ny);
            const int column = cx * grid.ny + cy;
            column_of_[i] = column;
            ++count[column];
        }
    });
    auto start = static_cast<std::int32_t>(grid.zone.begin);
    for (std::size_t c = 0; c < row; ++c) {
        particle_start_.push_back(start);
        for (int t = 0; t < workers; ++t) {
            auto& count = counts_[row * t + c];
            const auto k = count;
            count = start;
            start += k;
        }
    }
    threads.run([&](int rank) {
        const auto [first, last] = device::part_of(n, rank, workers);
        auto* next = counts_.data() + row * rank;
        for (auto i = grid.zone.begin + first; i < grid.zone.begin + last; ++i)
            order_[next[column_of_[i]]++] = static_cast<std::int32_t>(i);
    });
}

void ColumnSort::sort_columns(device::ThreadPool& threads, std::int64_t first_column,
                              device::View<const core::Vec3d> position) {
    struct Key {
        double z;
        std::int32_t index;
        bool operator<(const Key& o) const { return z < o.z || (z == o.z && index < o.index); }
    };
    const int workers = threads.size();
    const auto columns = static_cast<std::int64_t>(particle_start_.size()) - 1 - first_column;
    threads.run([&](int rank) {
        const auto part = device::part_of(columns, rank, workers);
        std::vector<Key> keys;
        for (auto c = first_column + part.begin; c < first_column + part.end; ++c) {
            auto* begin = order_.data() + particle_start_[c];
            const auto count = particle_start_[c + 1] - particle_start_[c];
            keys.resize(count);
            for (std::int32_t k = 0; k < count; ++k) keys[k] = {position[begin[k]].z, begin[k]};
            std::sort(keys.begin(), keys.end());
            for (std::int32_t k = 0; k < count; ++k) begin[k] = keys[k].index;
        }
    });
}

}  // namespace aureole::md
