// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/box.hpp"
#include "core/bulk.hpp"
#include "device/thread_pool.hpp"
#include "device/view.hpp"

namespace aureole::md {

/// Puts particles into columns over the x–y plane, sorted along z within each, so that four
/// neighbours in memory are neighbours in space (the grid of Páll & Hess 2013).
class ColumnSort {
  public:
    /// Finds the order for wrapped positions [n].
    void sort(device::ThreadPool& threads, const core::Box& box,
              device::View<const core::Vec3d> position);

    /// Takes over the columns of an earlier sort of particles that are in its order still.
    void restore(int columns_x, int columns_y, std::vector<std::int32_t> particle_start);

    int columns_x() const { return nx_; }
    int columns_y() const { return ny_; }
    int columns() const { return nx_ * ny_; }
    std::int32_t clusters() const { return cluster_start_.back(); }
    /// [n] old index of the particle at each new index
    const core::BulkVector<std::int32_t>& order() const { return order_; }
    /// [columns + 1] first particle of each column in the new order
    const std::vector<std::int32_t>& particle_start() const { return particle_start_; }
    /// [columns + 1] first cluster of each column
    const std::vector<std::int32_t>& cluster_start() const { return cluster_start_; }

  private:
    void count_clusters();
    void choose_columns(const core::Box& box, std::int64_t n);
    void bin(device::ThreadPool& threads, const core::Box& box,
             device::View<const core::Vec3d> position);
    void sort_columns(device::ThreadPool& threads, device::View<const core::Vec3d> position);

    int nx_ = 1, ny_ = 1;
    std::vector<std::int32_t> particle_start_, cluster_start_, counts_;
    core::BulkVector<std::int32_t> column_of_, order_;
};

}  // namespace aureole::md
