// SPDX-License-Identifier: Apache-2.0
#include "amr/memory.hpp"

#include <cstdio>
#include <fstream>
#include <limits>

#include "core/error.hpp"

namespace aureole::amr {

namespace {

std::string gigabytes(double bytes) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.3g GB", bytes / 1e9);
    return digits;
}

}  // namespace

double free_memory() {
    std::ifstream table("/proc/meminfo");
    std::string name;
    double kibibytes = 0;
    for (std::string unit; table >> name >> kibibytes; std::getline(table, unit))
        if (name == "MemAvailable:") return kibibytes * 1024;
    return std::numeric_limits<double>::infinity();
}

std::int64_t bytes_of_subgrid(BlockShape shape) {
    constexpr std::int64_t copies = 4, widest_halo = 3;
    return copies * fields * shape.cells() * std::int64_t{sizeof(double)} +
           2 * shape.dims * widest_halo * std::int64_t{sizeof(Layer)};
}

void Room::check(std::int64_t subgrids) const {
    const double needed = static_cast<double>(subgrids) * static_cast<double>(each_);
    if (needed <= bytes_) return;
    throw core::InputError("the mesh has at least " + std::to_string(subgrids) + " sub-grids",
                           "they need " + gigabytes(needed) + ", and " + gigabytes(bytes_) +
                               " of this machine's memory are free",
                           "Use fewer roots, or refine less of the box or to a lower level.");
}

}  // namespace aureole::amr
