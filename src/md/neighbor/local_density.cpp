// SPDX-License-Identifier: Apache-2.0
#include "md/neighbor/local_density.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "device/copy.hpp"
#include "device/launch.hpp"
#include "device/primitives.hpp"
#include "device/reduce_ops.hpp"

namespace aureole::md {

double SeenNeighbours::volume(double OfContent::*content, double assumed, double of_box) const {
    constexpr double deviations = 2, much_more = 1.1, much_less = 0.8;
    const double all = sums.all.*content, seen_by_all = per_volume.*content;
    const double seen = all * all < seen_by_all * of_box ? all * all / seen_by_all : of_box;
    const double pairs = 0.5 * sums.products.particles;
    const double chance = pairs > 0 ? deviations / std::sqrt(pairs) : 0;
    const bool more = (1 - chance) * assumed > much_more * seen;
    const bool less = (1 + chance) * assumed < much_less * seen;
    return more || less ? seen : assumed;
}

SeenNeighbours LocalDensity::see(const core::Box& box, const Frame& part, double edge,
                                 const CountedParticles& of, std::int64_t n) {
    constexpr double most_cells = 1 << 20;  // along an axis
    constexpr std::int64_t places = 16;     // per particle; others meet in few of them
    if (n == 0) return {};
    const auto face = box.face_distances(), size = part.high - part.low;
    const auto cells = [&](double length) {
        return static_cast<std::int64_t>(std::clamp(std::floor(length / edge), 1.0, most_cells));
    };
    CellTable table{box,
                    part.low,
                    {1 / size.x, 1 / size.y, 1 / size.z},
                    {cells(face.x * size.x), cells(face.y * size.y), cells(face.z * size.z)},
                    0,
                    false};
    const std::int64_t all = table.cells[0] * table.cells[1] * table.cells[2];
    table.bits = std::bit_width(static_cast<std::uint64_t>(std::min(all, places * n)));
    const std::int64_t length = std::int64_t(1) << table.bits;
    table.hashed = all > length;
    if (cell_.size() < length) cell_.resize(queue_, length);
    device::fill(queue_, cell_.view().part(0, length), CellContent{});
    device::parallel_for(queue_, "count in cells", n, CountInCells{table, of, cell_.data()});
    device::parallel_reduce<CellSums>(queue_, "multiply in cells", n, CellSums{},
                                      MultiplyInCells{table, of, cell_.data()}, device::Sum{},
                                      sums_.data());
    CellSums sums;
    device::copy_to_host(queue_, &sums, sums_.view());
    const double volume = box.volume() * size.x * size.y * size.z / static_cast<double>(all);
    return {sums, 1 / volume * sums.products};
}

}  // namespace aureole::md
