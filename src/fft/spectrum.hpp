// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/macros.hpp"

namespace aureole::fft {

template <class T>
struct Complex {
    T re, im;
};

/// Points of a grid along three directions.
struct GridSize {
    int x = 0, y = 0, z = 0;
    friend constexpr bool operator==(const GridSize&, const GridSize&) = default;
    constexpr std::int64_t points() const { return std::int64_t{x} * y * z; }
};

/// One mode of a real grid's spectrum: signed wave numbers of least magnitude.
struct Mode {
    int x, y, z;
    int weight;  ///< 2 if the conjugate mode is not stored, 1 if it is, 0 where nothing is stored
};

/// The order of modes in a plan. Half of them suffice for real grids: the host halves x and has
/// `lanes` neighbours in y side by side, vendors' libraries halve z.
struct SpectrumLayout {
    GridSize n;
    int lanes = 0;  ///< 0: the vendors' order

    AUREOLE_FN std::int64_t size() const {
        if (lanes == 0) return std::int64_t{n.x} * n.y * (n.z / 2 + 1);
        return std::int64_t{n.x / 2 + 1} * blocks() * n.z * lanes;
    }
    AUREOLE_FN int blocks() const { return (n.y + lanes - 1) / lanes; }

    AUREOLE_FN Mode mode(std::int64_t i) const {
        if (lanes == 0) {
            const int half = n.z / 2 + 1, z = static_cast<int>(i % half);
            const int y = static_cast<int>(i / half % n.y), x = static_cast<int>(i / half / n.y);
            return {wave_number(x, n.x), wave_number(y, n.y), wave_number(z, n.z),
                    z == 0 || 2 * z == n.z ? 1 : 2};
        }
        const int lane = static_cast<int>(i % lanes), z = static_cast<int>(i / lanes % n.z);
        const std::int64_t row = i / lanes / n.z;
        const int y = static_cast<int>(row % blocks()) * lanes + lane;
        const int x = static_cast<int>(row / blocks());
        if (y >= n.y) return {0, 0, 0, 0};
        return {wave_number(x, n.x), wave_number(y, n.y), wave_number(z, n.z),
                x == 0 || 2 * x == n.x ? 1 : 2};
    }

  private:
    AUREOLE_FN static int wave_number(int k, int n) { return 2 * k > n ? k - n : k; }
};

/// Where a plan keeps grid points: rows along z side by side, planes of constant x padded.
struct RealLayout {
    GridSize n;
    std::int64_t plane = 0;  ///< from one x to the next

    AUREOLE_FN std::int64_t size() const { return n.x * plane; }
    AUREOLE_FN std::int64_t index(int x, int y, int z) const {
        return x * plane + std::int64_t{y} * n.z + z;
    }
};

}  // namespace aureole::fft
