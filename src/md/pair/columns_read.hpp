// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "md/leaf_columns.hpp"

// Which columns of particles a potential reads, and what it gets of them. A leaf that needs more
// than the distance says so,
//
//   using diameter = user<"diameter", "length">;
//   using reads = Columns<charge, diameter>;
//
// and gets a Pair with just that: pair.r2, pair.i[diameter{}], pair.j[charge{}].
namespace aureole::md {

/// What the rest of the program knows of a column that a leaf reads.
using ColumnRead = ColumnUse;

namespace leaves {
using column::charge;
using column::Columns;
using column::user;
}  // namespace leaves

/// One particle's numbers of the columns that are read.
template <class R, class Reads>
struct ColumnValues {
    R value[Reads::count];

    template <class Column>
    AUREOLE_FN const R& operator[](Column) const {
        constexpr int k = Reads::template place<Column>();
        return value[k];
    }
};
template <class R>
struct ColumnValues<R, leaves::Columns<>> {};  // of leaves that read none

/// What a leaf gets of a pair of particles: the square of their distance, and what it reads.
template <class R, class Reads>
struct Pair {
    R r2;
    ColumnValues<R, Reads> i, j;
};

template <class P>
inline constexpr int columns_read = LeafReads<P>::count;
template <class P>
inline constexpr bool reads_columns = columns_read<P> != 0;
/// What kernels hand to a leaf: the square of the distance alone if it reads no column.
template <class P, class R>
using PairOf = std::conditional_t<!reads_columns<P>, R, Pair<R, LeafReads<P>>>;

}  // namespace aureole::md
