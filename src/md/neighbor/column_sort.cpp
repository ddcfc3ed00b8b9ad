// SPDX-License-Identifier: Apache-2.0
#include "md/neighbor/column_sort.hpp"

#include <algorithm>
#include <cmath>

#include "md/neighbor/cluster_layout.hpp"

namespace aureole::md {

void ColumnSort::sort(device::ThreadPool& threads, const core::Box& box,
                      device::View<const core::Vec3d> position) {
    choose_columns(box, position.size);
    bin(threads, box, position);
    sort_columns(threads, position);
    count_clusters();
}

void ColumnSort::restore(int columns_x, int columns_y, std::vector<std::int32_t> particle_start) {
    nx_ = columns_x, ny_ = columns_y;
    particle_start_ = std::move(particle_start);
    count_clusters();
}

void ColumnSort::count_clusters() {
    cluster_start_.resize(static_cast<std::size_t>(columns()) + 1);
    cluster_start_[0] = 0;
    for (int c = 0; c < columns(); ++c) {
        const std::int32_t n = particle_start_[c + 1] - particle_start_[c];
        cluster_start_[c + 1] = cluster_start_[c] + (n + cluster_size - 1) / cluster_size;
    }
}

void ColumnSort::choose_columns(const core::Box& box, std::int64_t n) {
    // A cubic cluster has the edge (4 / density)^(1/3).
    const double edge = std::cbrt(cluster_size * box.volume() / std::max<double>(1.0, double(n)));
    const auto face = box.face_distances();
    const double limit =
        std::sqrt(static_cast<double>(n)) + 1;  // never more columns than particles
    nx_ = static_cast<int>(std::clamp(std::floor(face.x / edge), 1.0, limit));
    ny_ = static_cast<int>(std::clamp(std::floor(face.y / edge), 1.0, limit));
}

void ColumnSort::bin(device::ThreadPool& threads, const core::Box& box,
                     device::View<const core::Vec3d> position) {
    const auto n = position.size;
    column_of_.resize(n), order_.resize(n);
    const auto along = [](double fraction, int columns) {
        return static_cast<int>(
            std::clamp(std::floor((fraction + 0.5) * columns), 0.0, columns - 1.0));
    };
    const int workers = threads.size();
    const std::size_t row = static_cast<std::size_t>(columns());
    counts_.assign(row * workers, 0);
    threads.run([&](int rank) {
        const auto [first, last] = device::part_of(n, rank, workers);
        auto* count = counts_.data() + row * rank;
        for (auto i = first; i < last; ++i) {
            const auto f = box.fractional(position[i]);
            const int cx = along(f.x, nx_), cy = along(f.y, ny_);
            const int column = cx * ny_ + cy;
            column_of_[i] = column;
            ++count[column];
        }
    });
    particle_start_.resize(row + 1);
    std::int32_t start = 0;
    for (std::size_t c = 0; c < row; ++c) {
        particle_start_[c] = start;
        for (int t = 0; t < workers; ++t) {
            auto& count = counts_[row * t + c];
            const auto k = count;
            count = start;
            start += k;
        }
    }
    particle_start_[row] = start;
    threads.run([&](int rank) {
        const auto [first, last] = device::part_of(n, rank, workers);
        auto* next = counts_.data() + row * rank;
        for (auto i = first; i < last; ++i)
            order_[next[column_of_[i]]++] = static_cast<std::int32_t>(i);
    });
}

void ColumnSort::sort_columns(device::ThreadPool& threads,
                              device::View<const core::Vec3d> position) {
    struct Key {
        double z;
        std::int32_t index;
        bool operator<(const Key& o) const { return z < o.z || (z == o.z && index < o.index); }
    };
    const int workers = threads.size();
    threads.run([&](int rank) {
        const auto [first, last] = device::part_of(columns(), rank, workers);
        std::vector<Key> keys;
        for (auto c = first; c < last; ++c) {
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
