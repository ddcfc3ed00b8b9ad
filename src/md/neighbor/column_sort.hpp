// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/box.hpp"
#include "core/bulk.hpp"
#include "device/threads/thread_pool.hpp"
#include "device/view.hpp"
#include "md/neighbor/zone.hpp"

namespace aureole::md {

/// The columns of one zone: nx × ny over a rectangle of fractional coordinates, counted from the
/// lower face of the box.
struct ColumnGrid {
    Zone zone;
    int nx = 1, ny = 1;
    std::int32_t first_column = 0;
    double low_x = 0, low_y = 0, width_x = 1, width_y = 1;

    int columns() const { return nx * ny; }
};

/// Puts particles into columns over the x–y plane, sorted along z within each, so that four
/// neighbours in memory are neighbours in space (the grid of Páll & Hess 2013).
class ColumnSort {
  public:
    /// Finds the order for wrapped positions [n] of one rank.
    void sort(device::ThreadPool& threads, const core::Box& box,
              device::View<const core::Vec3d> position);
    /// Finds the order for the particles that a rank owns; `edge`: see edge_of_clusters().
    void sort(device::ThreadPool& threads, const core::Box& box, const Frame& frame, double edge,
              device::View<const core::Vec3d> position);
    /// Adds ghosts, whose zones follow the owned particles; `position`: of all.
    void add_ghosts(device::ThreadPool& threads, const core::Box& box, std::span<const Zone> zones,
                    double edge, device::View<const core::Vec3d> position);

    /// Edge of a cubic cluster, (4 / density)^(1/3).
    static double edge_of_clusters(const core::Box& box, std::int64_t n_total);

    /// Takes over the columns of an earlier sort of particles that are in its order still.
    void restore(int columns_x, int columns_y, std::vector<std::int32_t> particle_start);

    /// Gives the memory of a large order back, which the next sort makes again.
    void forget_order() {
        constexpr std::size_t kept = std::size_t{1} << 18;  ///< particles
        if (order_.capacity() <= kept) return;
        core::BulkVector<std::int32_t>().swap(order_);
        core::BulkVector<std::int32_t>().swap(column_of_);
    }

    const std::vector<ColumnGrid>& grids() const { return grids_; }
    const Frame& frame() const { return frame_; }
    /// Columns of the owned particles, along x and y.
    int columns_x() const { return grids_.front().nx; }
    int columns_y() const { return grids_.front().ny; }
    /// Columns, and clusters, of all zones.
    int columns() const { return static_cast<int>(cluster_start_.size()) - 1; }
    std::int32_t clusters() const { return cluster_start_.back(); }
    /// [all] old index of the particle at each new index
    const core::BulkVector<std::int32_t>& order() const { return order_; }
    /// [columns + 1] first particle of each column in the new order
    const std::vector<std::int32_t>& particle_start() const { return particle_start_; }
    /// [columns + 1] first cluster of each column
    const std::vector<std::int32_t>& cluster_start() const { return cluster_start_; }

  private:
    void count_clusters();
    void add(device::ThreadPool& threads, const core::Box& box, const Zone& zone, double edge,
             device::View<const core::Vec3d> position);
    void choose_columns(ColumnGrid& grid, const core::Box& box, double edge) const;
    void bound(ColumnGrid& grid, const core::Box& box,
               device::View<const core::Vec3d> position) const;
    void bin(device::ThreadPool& threads, const core::Box& box, const ColumnGrid& grid,
             device::View<const core::Vec3d> position);
    void sort_columns(device::ThreadPool& threads, std::int64_t first_column,
                      device::View<const core::Vec3d> position);

    Frame frame_;
    std::vector<ColumnGrid> grids_{ColumnGrid{}};
    std::vector<std::int32_t> particle_start_, cluster_start_, counts_;
    core::BulkVector<std::int32_t> column_of_, order_;
};

}  // namespace aureole::md
