// SPDX-License-Identifier: Apache-2.0
#include "amr/tree/parts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

namespace aureole::amr {
namespace {

constexpr int wide = 5, middle = 2 * (1 + wide + wide * wide);
constexpr std::array<int, 3> strides{1, wide, wide* wide};
using Antiderivative = std::function<double(double x, double y, double z)>;

/// The average over a box of the function whose mixed derivative an antiderivative has.
double average(const Antiderivative& f, const double* low, double size, int dims) {
    double sum = 0;
    for (int k = 0; k < 1 << dims; ++k) {
        double x[3] = {low[0], low[1], low[2]};
        int lows = 0;
        for (int axis = 0; axis < dims; ++axis)
            if ((k >> axis & 1) != 0)
                x[axis] += size;
            else
                ++lows;
        sum += (lows % 2 == 0 ? 1 : -1) * f(x[0], x[1], x[2]);
    }
    return sum / std::pow(size, dims);
}

/// Cells of a size around one whose low corner is at `low`, and averages of the parts of that one.
struct Sampled {
    std::vector<double> cells = std::vector<double>(wide * wide * wide);
    std::vector<double> parts;
};

Sampled sampled(const Antiderivative& f, const double* low, double size, int dims) {
    Sampled of;
    for (int z = 0; z < wide; ++z)
        for (int y = 0; y < wide; ++y)
            for (int x = 0; x < wide; ++x) {
                const double at[3] = {low[0] + (x - 2) * size, low[1] + (y - 2) * size,
                                      low[2] + (z - 2) * size};
                of.cells[static_cast<std::size_t>((z * wide + y) * wide + x)] =
                    average(f, at, size, dims);
            }
    for (int k = 0; k < 1 << dims; ++k) {
        const double at[3] = {low[0] + (k & 1) * size / 2, low[1] + (k >> 1 & 1) * size / 2,
                              low[2] + (k >> 2) * size / 2};
        of.parts.push_back(average(f, at, size / 2, dims));
    }
    return of;
}

std::vector<double> parts_of(const std::vector<double>& cells, int dims) {
    std::vector<double> parts(std::size_t{1} << dims);
    with_dims(dims, [&]<int axes>() {
        parts_of_cell<axes>(CoarseCell{cells.data() + middle, strides}, parts.data());
    });
    return parts;
}

TEST(Parts, PolynomialsOfSecondDegreeAreExact) {
    // Integrals of x² + 2xy + 3y − yz + xyz and so on, as far as there are axes.
    const Antiderivative line = [](double x, double, double) {
        return x * x * x / 3 + x * x / 2 + x;
    };
    const Antiderivative plane = [](double x, double y, double) {
        return x * x * x * y / 3 + x * x * y * y / 2 + 3 * x * y * y / 2 + x * y * y * y / 3;
    };
    const Antiderivative space = [](double x, double y, double z) {
        return x * x * x * y * z / 3 + x * x * y * y * z / 2 + 3 * x * y * y * z / 2 -
               x * y * y * z * z / 4 + x * x * y * y * z * z / 8 + x * y * z * z * z / 3 +
               x * y * y * y * z / 3;
    };
    const Antiderivative all[] = {line, plane, space};
    const double low[3] = {4, 5, 6};
    for (int dims = 1; dims <= 3; ++dims) {
        const auto of = sampled(all[dims - 1], low, 0.25, dims);
        const auto parts = parts_of(of.cells, dims);
        for (std::size_t k = 0; k < parts.size(); ++k)
            EXPECT_NEAR(parts[k], of.parts[k], 1e-9 * std::abs(of.parts[k]));
    }
}

/// Third order on average; at a crest, which the range of the cells cuts, second.
TEST(Parts, SmoothFunctionsConverge) {
    for (int dims = 1; dims <= 3; ++dims) {
        const Antiderivative mode = [dims](double x, double y, double z) {
            const double t = x + (dims > 1 ? 0.7 * y : 0) + (dims > 2 ? 0.4 * z : 0);
            const double scale = dims > 2 ? 0.28 : dims > 1 ? 0.7 : 1;
            return (dims == 1 ? -std::cos(t) : dims == 2 ? -std::sin(t) : std::cos(t)) / scale;
        };
        const auto error = [&](double size) {
            double all = 0;
            for (double x = -1; x < 5; x += 0.05) {  // with extrema and points of inflection
                const double low[3] = {x, 0.1, 0.2};
                const auto of = sampled(mode, low, size, dims);
                const auto parts = parts_of(of.cells, dims);
                double sum = 0;
                for (std::size_t k = 0; k < parts.size(); ++k)
                    sum += std::abs(parts[k] - of.parts[k]);
                all += sum / static_cast<double>(parts.size());
            }
            return all;
        };
        EXPECT_LE(error(0.05) / error(0.1), 0.16);
    }
}

TEST(Parts, KeepTheMeanAndTheRange) {
    std::mt19937 draw(5);
    std::uniform_real_distribution<double> number(-1, 1);
    for (int dims = 1; dims <= 3; ++dims)
        for (int k = 0; k < 2000; ++k) {
            std::vector<double> cells(wide * wide * wide);
            for (auto& one : cells) one = k % 2 == 0 ? number(draw) : std::exp(9 * number(draw));
            const auto parts = parts_of(cells, dims);
            const double mean = std::accumulate(parts.begin(), parts.end(), 0.0) /
                                static_cast<double>(parts.size());
            const double largest =
                *std::ranges::max_element(cells, {}, [](double x) { return std::abs(x); });
            EXPECT_NEAR(mean, cells[middle], 1e-14 * std::abs(largest));
            bool smooth = true;
            for (int axis = 0; axis < dims; ++axis)
                smooth = smooth && parts::slope(CoarseCell{cells.data() + middle, strides},
                                                strides[static_cast<std::size_t>(axis)])
                                           .is_rough == 0;
            if (smooth) continue;
            double low = cells[middle], high = low;
            for (int z = dims > 2 ? -1 : 0; z <= (dims > 2 ? 1 : 0); ++z)
                for (int y = dims > 1 ? -1 : 0; y <= (dims > 1 ? 1 : 0); ++y)
                    for (int x = -1; x <= 1; ++x) {
                        const auto at =
                            static_cast<std::size_t>(middle + x + y * wide + z * wide * wide);
                        low = std::min(low, cells[at]), high = std::max(high, cells[at]);
                    }
            const double room = 1e-14 * std::max(std::abs(low), std::abs(high));
            for (const double part : parts) {
                EXPECT_LE(part, high + room);
                EXPECT_GE(part, low - room);
            }
        }
}

/// A mirrored cell has mirrored parts, to the bit.
TEST(Parts, AreMirroredToTheBit) {
    std::mt19937 draw(6);
    std::uniform_real_distribution<double> number(0, 1);
    for (int k = 0; k < 500; ++k) {
        std::vector<double> cells(wide * wide * wide), turned(cells.size());
        for (auto& one : cells) one = number(draw);
        const int axis = k % 3;
        for (int z = 0; z < wide; ++z)
            for (int y = 0; y < wide; ++y)
                for (int x = 0; x < wide; ++x) {
                    int at[3] = {x, y, z};
                    at[axis] = wide - 1 - at[axis];
                    turned[static_cast<std::size_t>((at[2] * wide + at[1]) * wide + at[0])] =
                        cells[static_cast<std::size_t>((z * wide + y) * wide + x)];
                }
        const auto parts = parts_of(cells, 3), mirrored = parts_of(turned, 3);
        for (int corner = 0; corner < 8; ++corner)
            EXPECT_EQ(parts[static_cast<std::size_t>(corner)],
                      mirrored[static_cast<std::size_t>(corner ^ 1 << axis)]);
    }
}

}  // namespace
}  // namespace aureole::amr
