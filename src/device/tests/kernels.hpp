// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "core/macros.hpp"
#include "device/config.hpp"
#include "device/gpu/vendor/names.hpp"
#include "device/team.hpp"
#include "device/view.hpp"
#include "device/wide_team.hpp"

// The kernels of the layer's own tests, which run on every backend; instantiated in kernels.cu.

namespace aureole::device::testing {

struct Add {
    using device_kernel = void;
    View<std::int32_t> v;
    std::int32_t amount;
    AUREOLE_FN void operator()(std::int64_t i) const { v[i] += amount; }
};

struct Scale {
    using device_kernel = void;
    View<std::int32_t> v;
    std::int32_t factor;
    AUREOLE_FN void operator()(std::int64_t i) const { v[i] *= factor; }
};

struct Count {
    using device_kernel = void;
    View<std::int64_t> v;
    AUREOLE_FN void operator()(std::int64_t i) const { v[i] = i; }
};

/// Adds to all items, and once they are done their sum to a list of sums.
struct AddAndSum {
    using device_kernel = void;
    View<std::int32_t> v;
    View<std::int64_t> sums;
    std::int64_t* listed;
    std::uint32_t* done;

    AUREOLE_FN void operator()(std::int64_t i) const { v[i] += static_cast<std::int32_t>(i % 7); }
    AUREOLE_FN void after_all() const {
        std::int64_t sum = 0;
        for (std::int64_t i = 0; i < v.size; ++i) sum += v[i];
        sums[(*listed)++] = sum;
    }
    AUREOLE_FN std::uint32_t* blocks_done() const { return done; }
};

/// A step that commutes with nothing, so that a lost or doubled one is seen.
struct Scramble {
    using device_kernel = void;
    View<std::int64_t> v;
    AUREOLE_FN static std::int64_t next(std::int64_t value) { return (3 * value + 1) & 0xffff; }
    AUREOLE_FN void operator()(std::int64_t i) const { v[i] = next(v[i]); }
};

/// A functor as large as may be: its table is most of a kernel's parameters.
struct LookUp {
    using device_kernel = void;
    static constexpr int size = (gpu::vendor_of(gpu_vendor).parameter_bytes - 256) / 8;
    View<std::int64_t> v;
    std::int64_t table[size];
    AUREOLE_FN void operator()(std::int64_t i) const { v[i] = table[i % size]; }
    AUREOLE_FN void operator()(Team& team, std::int64_t t) const {
        if (team.rank() == 0) v[t] = table[size - 1 - t % size];
    }
};

struct IndexModulo {
    using device_kernel = void;
    std::int64_t modulus;
    AUREOLE_FN std::int64_t operator()(std::int64_t i) const { return i % modulus; }
};

struct Harmonic {
    using device_kernel = void;
    AUREOLE_FN double operator()(std::int64_t i) const { return 1.0 / double(i + 1); }
};

struct Moments {
    double sum = 0, square = 0;
    std::int32_t count = 0;
};
struct MomentsOf {
    using device_kernel = void;
    AUREOLE_FN Moments operator()(std::int64_t i) const {
        const double x = double(i % 7);
        return {x, x * x, 1};
    }
};
struct AddMoments {
    AUREOLE_FN Moments operator()(const Moments& a, const Moments& b) const {
        return {a.sum + b.sum, a.square + b.square, a.count + b.count};
    }
};

struct RowSums {
    using device_kernel = void;
    View<const std::int32_t> in;
    View<std::int32_t> out;
    std::int64_t columns;
    AUREOLE_FN void operator()(Team& team, std::int64_t row) const {
        std::int32_t sum = 0;
        for (std::int64_t c = team.rank(); c < columns; c += team.size())
            sum += in[row * columns + c];
        sum = team.reduce_sum(sum);
        if (team.rank() == 0) out[row] = sum;
    }
};

/// Writes each row in scratch and reads it backwards.
struct Reverse {
    using device_kernel = void;
    View<std::int64_t> out;
    std::int64_t length;
    AUREOLE_FN void operator()(Team& team, std::int64_t t) const {
        auto* scratch = team.scratch<std::int64_t>();
        for (std::int64_t i = team.rank(); i < length; i += team.size()) scratch[i] = 1000 * t + i;
        team.sync();
        for (std::int64_t i = team.rank(); i < length; i += team.size())
            out[t * length + i] = scratch[length - 1 - i];
    }
};

/// Results of a row of numbers: sum, largest, and whether all were read back from scratch.
struct WideSeen {
    std::int64_t sum, largest, size;
    double sum_of_roots;
    std::int32_t kept;
};
struct WideRows {
    using device_kernel = void;
    static constexpr int most_lanes = 1024;
    View<const std::int32_t> in;
    View<WideSeen> out;
    std::int64_t columns;
    AUREOLE_FN void operator()(WideTeam& team, std::int64_t row) const {
        auto* scratch = team.scratch<std::int64_t>();
        const auto* mine = &in[row * columns];
        std::int64_t sum = 0, largest = 0;
        double roots = 0;
        for (std::int64_t c = team.rank(); c < columns; c += team.size()) {
            sum += mine[c], roots += std::sqrt(double(mine[c]));
            largest = mine[c] > largest ? mine[c] : largest;
            scratch[c] = mine[c];
        }
        team.sync();
        std::int32_t differ = 0;
        for (std::int64_t c = team.rank(); c < columns; c += team.size())
            differ += scratch[columns - 1 - c] != mine[columns - 1 - c];
        const bool any = team.any(differ > 0);
        sum = team.reduce_sum(sum), roots = team.reduce_sum(roots);
        largest = team.reduce_max(largest);
        // The last lane's, so that all must have the result.
        if (team.rank() == team.size() - 1) out[row] = {sum, largest, team.size(), roots, !any};
    }
};

struct Seen {
    std::int32_t size, scan, any, all_false, largest;
    std::uint32_t thirds;
    double neighbour, xored;
};
struct LaneExchange {
    using device_kernel = void;
    struct Wide {
        double x, y, z;
    };
    View<Seen> out;
    AUREOLE_FN void operator()(Team& team, std::int64_t) const {
        const int r = team.rank(), last = team.size() - 1;
        const Wide other = team.shuffle(Wide{1.0 * r, 2.0 * r, 3.0 * r}, last - r);
        out[r] = {team.size(),
                  team.exclusive_scan_sum(r + 1),
                  team.any(r == last),
                  team.any(false),
                  team.reduce_max(r * 10),
                  team.vote(r % 3 == 0),
                  other.x + other.y + other.z,
                  team.shuffle_xor(double(r), last)};
    }
};

/// Each team votes by a rule of its own.
struct TeamVotes {
    using device_kernel = void;
    struct Cast {
        std::uint32_t bits;
        std::int32_t size;
    };
    View<Cast> out;
    AUREOLE_FN static bool says_yes(std::int64_t team, int lane) {
        return (team * 2654435761u >> 7 ^ lane * 40503u) % 3 == 0;
    }
    AUREOLE_FN void operator()(Team& team, std::int64_t t) const {
        const std::uint32_t bits = team.vote(says_yes(t, team.rank()));
        // The last lane's, so that all must have the result.
        if (team.rank() == team.size() - 1) out[t] = {bits, team.size()};
    }
};

/// Teams of a wave exchange values, each its own.
struct TeamExchange {
    using device_kernel = void;
    View<double> out;
    AUREOLE_FN void operator()(Team& team, std::int64_t t) const {
        const double mine = double(100 * t + team.rank());
        const double next = team.shuffle(mine, (team.rank() + 1) % team.size());
        const double sum = team.reduce_sum(next - mine);
        if (team.rank() == 0) out[t] = sum + next;
    }
};

struct LaneSum {
    using device_kernel = void;
    View<float> out;
    AUREOLE_FN void operator()(Team& team, std::int64_t) const {
        out[team.rank()] = team.reduce_sum(1.0f / float(team.rank() + 3));
    }
};

}  // namespace aureole::device::testing
