// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "core/vec3.hpp"
#include "md/leaf/leaf_columns.hpp"

// The columns that a potential reads. A leaf that needs more
// than the distance declares
//
//   using diameter = user<"diameter", "length">;
//   using reads = Columns<charge, velocity, tag, diameter>;
//
// and gets a Pair with just that: pair.r2, pair.i[diameter{}], pair.j[charge{}]. Velocities and
// other vectors are core::Vec3<R>, and come with the separation pair.d; tags are TagNumbers<R>.
namespace aureole::md {

/// Description of a column that a leaf reads.
using ColumnRead = ColumnUse;

namespace leaves {
using column::charge;
using column::Columns;
using column::tag;
using column::user;
using column::velocity;
using core::Vec3d;
}  // namespace leaves

/// A tag, high × 2²⁴ + low: whole numbers that single precision holds too (of tags below 2⁴⁸).
template <class R>
struct TagNumbers {
    static constexpr int low_bits = 24;
    R low, high;

    /// Exact where the tags are less than 2²⁴ apart; otherwise its sign is right.
    AUREOLE_FN friend R operator-(const TagNumbers& a, const TagNumbers& b) {
        return R(16777216.0) * (a.high - b.high) + (a.low - b.low);
    }
    AUREOLE_FN friend auto operator<(const TagNumbers& a, const TagNumbers& b) {
        return a - b < R(0);
    }
};

/// Writes what kernels read of one particle's value, each number `stride` after the one before.
template <class T>
AUREOLE_FN void put_numbers(double value, T* to, std::int64_t) {
    *to = static_cast<T>(value);
}
template <class T>
AUREOLE_FN void put_numbers(const core::Vec3d& value, T* to, std::int64_t stride) {
    to[0] = static_cast<T>(value.x), to[stride] = static_cast<T>(value.y);
    to[2 * stride] = static_cast<T>(value.z);
}
template <class T>
AUREOLE_FN void put_numbers(Tag value, T* to, std::int64_t stride) {
    constexpr int bits = TagNumbers<T>::low_bits;
    to[0] = static_cast<T>(value & ((Tag(1) << bits) - 1));
    to[stride] = static_cast<T>(value >> bits);
}

/// One particle's numbers of the columns that are read.
template <class R, class Reads>
struct ColumnValues {
    R value[Reads::numbers];

    template <class Column>
    AUREOLE_FN auto operator[](Column) const {
        constexpr int k = Reads::template first_number<Column>();
        constexpr auto kind = column::kind_of<Column>;
        if constexpr (kind == ColumnKind::vector)
            return core::Vec3<R>{value[k], value[k + 1], value[k + 2]};
        else if constexpr (kind == ColumnKind::tag)
            return TagNumbers<R>{value[k], value[k + 1]};
        else
            return value[k];
    }
};
template <class R>
struct ColumnValues<R, leaves::Columns<>> {};  // of leaves that read none

/// A pair of particles as a leaf gets it: the square of their distance, and the columns that it
/// reads.
template <class R, class Reads, bool vectors = Reads::vectors>
struct Pair {
    R r2;
    ColumnValues<R, Reads> i, j;
};
/// A pair with the separation r_i − r_j, for leaves that read vectors.
template <class R, class Reads>
struct Pair<R, Reads, true> {
    R r2;
    ColumnValues<R, Reads> i, j;
    core::Vec3<R> d;
};

template <class P>
inline constexpr int numbers_read = LeafReads<P>::numbers;
template <class P>
inline constexpr bool reads_columns = numbers_read<P> != 0;
template <class P>
inline constexpr bool reads_vectors = LeafReads<P>::vectors;
/// Argument that kernels hand to a leaf: the square of the distance alone if it reads no column.
template <class P, class R>
using PairOf = std::conditional_t<!reads_columns<P>, R, Pair<R, LeafReads<P>>>;

template <class P, class R>
AUREOLE_FN PairOf<P, R> pair_of(const core::Vec3<R>& d, const R& r2,
                                const ColumnValues<R, LeafReads<P>>& i,
                                const ColumnValues<R, LeafReads<P>>& j) {
    if constexpr (!reads_columns<P>)
        return r2;
    else if constexpr (!reads_vectors<P>)
        return {r2, i, j};
    else
        return {r2, i, j, d};
}

}  // namespace aureole::md
