// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "device/team.hpp"
#include "md/neighbor/lattice_shifts.hpp"

// Bounding boxes of particles that follow each other: of 4 and 8, of blocks of 32, groups of 32
// blocks, regions of 32 groups, and of all. Searches go down from the largest to the smallest.
namespace aureole::md {

/// Bounds of some particles, which may move as far as their displacement limits.
template <class T>
struct Bounds {
    core::Vec3<T> low, high;
    T limit;  ///< the largest of theirs

    AUREOLE_FN static Bounds none() {
        constexpr T far(3e38);
        return {{far, far, far}, {-far, -far, -far}, T(0)};
    }
    AUREOLE_FN void add(const Bounds& o) {
        low.x = o.low.x < low.x ? o.low.x : low.x, high.x = o.high.x > high.x ? o.high.x : high.x;
        low.y = o.low.y < low.y ? o.low.y : low.y, high.y = o.high.y > high.y ? o.high.y : high.y;
        low.z = o.low.z < low.z ? o.low.z : low.z, high.z = o.high.z > high.z ? o.high.z : high.z;
        limit = o.limit > limit ? o.limit : limit;
    }
    AUREOLE_FN friend Bounds operator+(Bounds a, const Bounds& b) {
        a.add(b);
        return a;
    }
    /// The square of the distance to others that are moved by s.
    AUREOLE_FN T distance2(const Bounds& o, const core::Vec3<T>& s) const {
        const auto gap = [](T low_a, T high_a, T low_b, T high_b) {
            const T up = low_b - high_a, down = low_a - high_b;
            const T most = up > down ? up : down;
            return most > 0 ? most : T(0);
        };
        const T x = gap(low.x, high.x, o.low.x + s.x, o.high.x + s.x);
        const T y = gap(low.y, high.y, o.low.y + s.y, o.high.y + s.y);
        const T z = gap(low.z, high.z, o.low.z + s.z, o.high.z + s.z);
        return x * x + y * y + z * z;
    }
    /// The largest coordinate.
    AUREOLE_FN T farthest() const {
        const auto larger = [](T a, T b) { return a > b ? a : b; };
        const T x = larger(-low.x, high.x), y = larger(-low.y, high.y), z = larger(-low.z, high.z);
        return larger(x, larger(y, z));
    }
};

inline constexpr int bounds_block = 32;  ///< particles

/// All bounds of n particles.
template <class T>
struct BoundsLevels {
    static constexpr int each = 32;  ///< blocks to a group, groups to a region

    std::int64_t n = 0;
    Bounds<T>*of_4 = nullptr, *of_8 = nullptr;  ///< those of 8 only for tiles
    Bounds<T>*block = nullptr, *group = nullptr, *region = nullptr;
    Bounds<T>* all = nullptr;

    AUREOLE_FN std::int64_t blocks() const { return (n + bounds_block - 1) / bounds_block; }
    AUREOLE_FN std::int64_t groups() const { return (blocks() + each - 1) / each; }
    AUREOLE_FN std::int64_t regions() const { return (groups() + each - 1) / each; }
};

/// A bit for each of 32 tests, by the lanes of a team.
template <class Test>
AUREOLE_FN unsigned word_of(device::Team& team, const Test& test) {
    if (team.size() == 32) return team.vote(test(team.rank()));
    unsigned word = 0;
    for (int k = team.rank(); k < 32; k += team.size()) word |= (test(k) ? 1u : 0u) << k;
    return team.reduce_sum(word);
}

/// f(k) for the lowest bit of a word first.
template <class F>
AUREOLE_FN void each_bit(unsigned word, const F& f) {
    for (; word != 0; word &= word - 1) f(device::count_bits((word & (0u - word)) - 1));
}

/// f(k) for all k in [first, end) whose bounds are near.
template <class T, class Near, class F>
AUREOLE_FN void each_near(device::Team& team, const Bounds<T>* bounds, std::int64_t first,
                          std::int64_t end, const Near& near, const F& f) {
    for (; first < end; first += 32) {
        const unsigned word =
            word_of(team, [&](int k) { return first + k < end && near(bounds[first + k]); });
        each_bit(word, [&](int k) { f(first + k); });
    }
}

/// f(block) for all blocks whose bounds are near, in their order, by a team.
template <class T, class Near, class F>
AUREOLE_FN void each_near_block(device::Team& team, const BoundsLevels<T>& of, const Near& near,
                                const F& f) {
    const auto end = [](std::int64_t k, std::int64_t all) {
        const auto last = (k + 1) * BoundsLevels<T>::each;
        return last < all ? last : all;
    };
    each_near(team, of.region, 0, of.regions(), near, [&](std::int64_t r) {
        each_near(team, of.group, r * of.each, end(r, of.groups()), near, [&](std::int64_t g) {
            each_near(team, of.block, g * of.each, end(g, of.blocks()), near, f);
        });
    });
}

/// The range of a search: pairs of particles that may come within the cut-off while both stay
/// within their limits.
template <class T>
struct SearchRange {
    T r_cut, slack;  ///< slack: for the rounding of coordinates and squares

    AUREOLE_FN SearchRange(T cut_off, T extent_of_box, const Bounds<T>& all)
        : r_cut(cut_off),
          slack(64 * epsilon * (extent_of_box + all.farthest()) +
                8 * epsilon * (cut_off + 2 * all.limit)) {}
    AUREOLE_FN T of(T limit_a, T limit_b) const { return r_cut + limit_a + limit_b + slack; }

  private:
    static constexpr T epsilon = sizeof(T) == 4 ? T(6e-8) : T(1.2e-16);
};

/// Whether bounds come near to those of a search when they are moved by a shift.
template <class T>
struct NearWhenShifted {
    Bounds<T> own;
    SearchRange<T> range;
    core::Vec3<T> by;

    AUREOLE_FN bool operator()(const Bounds<T>& other) const {
        const T r = range.of(own.limit, other.limit);
        return own.distance2(other, by) <= r * r;
    }
};

/// Bits of the shifts that bring any particles near.
template <class T>
AUREOLE_FN unsigned visible_shifts(device::Team& team, const LatticeShifts<T>& shifts,
                                   const Bounds<T>& own, const SearchRange<T>& range,
                                   const Bounds<T>& all) {
    return word_of(team, [&](int s) {
        return s < shift_count && (shifts.used >> s & 1) != 0 &&
               NearWhenShifted<T>{own, range, shifts.by[s]}(all);
    });
}

}  // namespace aureole::md
