// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

#include "core/macros.hpp"

// Which columns of particles a potential reads, and what it gets of them. A leaf that needs more
// than the distance says so,
//
//   using diameter = user<"diameter", "length">;
//   using reads = Columns<charge, diameter>;
//
// and gets a Pair with just that: pair.r2, pair.i[diameter{}], pair.j[charge{}].
namespace aureole::md {

/// A text as an argument of a template.
template <std::size_t n>
struct Text {
    char letters[n]{};

    consteval Text(const char (&text)[n]) {
        for (std::size_t k = 0; k < n; ++k) letters[k] = text[k];
    }
};

/// What the rest of the program knows of a column that a leaf reads.
struct ColumnRead {
    const char* name;
    const char* unit;
};

namespace leaves {

/// The charges of particles, as the user gives them.
struct charge {
    static constexpr const char* name = "charge";
    static constexpr const char* unit = "charge";
};

/// A column of numbers that the user adds, as in `system.columns["diameter"] = ...`.
template <Text name_, Text unit_ = "">
struct user {
    static constexpr const char* name = name_.letters;
    static constexpr const char* unit = unit_.letters;
};

/// The columns that a leaf reads, one number of each particle from each.
template <class... Column>
struct Columns {
    static constexpr int count = sizeof...(Column);
    static constexpr std::array<ColumnRead, sizeof...(Column)> list{
        ColumnRead{Column::name, Column::unit}...};

    template <class One>
    static constexpr int place() {
        static_assert((std::is_same_v<One, Column> || ...), "the leaf does not say it reads this");
        int at = 0, found = 0;
        ((std::is_same_v<One, Column> ? found = at : 0, ++at), ...);
        return found;
    }
};

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

namespace detail {

template <class P>
struct ReadsOf {
    using type = leaves::Columns<>;
};
template <class P>
requires requires { typename P::reads; }
struct ReadsOf<P> {
    using type = typename P::reads;
};

}  // namespace detail

template <class P>
using ReadsOf = typename detail::ReadsOf<P>::type;
template <class P>
inline constexpr int columns_read = ReadsOf<P>::count;
template <class P>
inline constexpr bool reads_columns = columns_read<P> != 0;
/// What kernels hand to a leaf: the square of the distance alone if it reads no column.
template <class P, class R>
using PairOf = std::conditional_t<!reads_columns<P>, R, Pair<R, ReadsOf<P>>>;

}  // namespace aureole::md
