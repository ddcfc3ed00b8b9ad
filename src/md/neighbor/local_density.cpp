// SPDX-License-Identifier: Apache-2.0
#include "md/neighbor/local_density.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "device/copy.hpp"
#include "device/launch.hpp"
#include "device/primitives.hpp"
#include "device/reduce_ops.hpp"
#include "md/neighbor/local_density.kernel.hpp"

namespace aureole::md {

double SeenNeighbours::density(double assumed, double mean, double particles) const {
    constexpr double deviations = 2, much_more = 1.1, much_less = 0.8;
    const double seen = std::max(mean, per_volume / particles), pairs = 0.5 * in_cells;
    const double chance = pairs > 0 ? seen * deviations / std::sqrt(pairs) : 0;
    const bool more = seen - chance > much_more * assumed;
    const bool less = seen + chance < much_less * assumed;
    return more || less ? seen : assumed;
}

SeenNeighbours LocalDensity::see(const core::Box& box, const Frame& part, double edge,
                                 device::View<const core::Vec3d> position) {
    constexpr double most_cells = 1 << 20;  // along an axis
    constexpr std::int64_t places = 16;     // per particle; others meet in few of them
    const auto n = position.size;
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
    if (count_.size() < length) count_.resize(queue_, length);
    device::fill(queue_, count_.view().part(0, length), std::int64_t(0));
    device::parallel_for(queue_, "count in cells", n,
                         CountInCells{table, position.data, count_.data()});
    device::parallel_reduce<std::int64_t>(queue_, "others in cells", n, 0,
                                          OthersInCell{table, position.data, count_.data()},
                                          device::Sum{}, sum_.data());
    std::int64_t others = 0;
    device::copy_to_host(queue_, &others, sum_.view());
    const double volume = box.volume() * size.x * size.y * size.z / static_cast<double>(all);
    return {double(others), double(others) / volume};
}

}  // namespace aureole::md
