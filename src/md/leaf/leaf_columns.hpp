// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "core/macros.hpp"
#include "core/vec3.hpp"
#include "md/particles/tag.hpp"

// Which columns of particles a leaf file works on. The file of an external force or a stage says
//
//   using diameter = column::user<"diameter", "length">;
//   using reads = column::Columns<column::charge, diameter>;
//
// and reads p[diameter{}].
namespace aureole::md {

/// Kind of value that a column named by a leaf holds for each particle.
enum class ColumnKind { number, vector, tag };

/// Numbers of each particle in kernels of pairs, where a tag is two (TagNumbers).
constexpr int numbers_of(ColumnKind kind) {
    return kind == ColumnKind::number ? 1 : kind == ColumnKind::vector ? 3 : 2;
}

/// Description of a column that a leaf names.
struct ColumnUse {
    const char* name;
    const char* unit;
    ColumnKind kind;
    bool made;  ///< added, with zeros, if the system lacks it
    bool written = false;
};

namespace column {

/// A text as an argument of a template.
template <std::size_t n>
struct Text {
    char letters[n]{};

    consteval Text(const char (&text)[n]) {
        for (std::size_t k = 0; k < n; ++k) letters[k] = text[k];
    }
};

struct charge {
    using type = double;
    static constexpr const char *name = "charge", *unit = "charge";
    static constexpr bool made = false;
};
struct mass {
    using type = double;
    static constexpr const char *name = "mass", *unit = "mass";
    static constexpr bool made = false;
};
struct velocity {
    using type = core::Vec3d;
    static constexpr const char *name = "velocity", *unit = "length/time";
    static constexpr bool made = false;
};

struct tag {
    using type = Tag;
    static constexpr const char *name = "tag", *unit = "";
    static constexpr bool made = false;
};

/// A column that the user adds, as in `system.columns["diameter"] = ...`; T is double or Vec3d.
template <Text name_, Text unit_ = "", class T = double>
struct user {
    using type = T;
    static constexpr const char *name = name_.letters, *unit = unit_.letters;
    static constexpr bool made = false;
};

/// A column that is initialised with zeros unless the user added it.
template <Text name_, Text unit_ = "", class T = double>
struct own : user<name_, unit_, T> {
    static constexpr bool made = true;
};

template <class Column>
inline constexpr ColumnKind kind_of =
    std::is_same_v<typename Column::type, core::Vec3d> ? ColumnKind::vector
    : std::is_same_v<typename Column::type, Tag>       ? ColumnKind::tag
                                                       : ColumnKind::number;

template <class... Column>
struct Columns {
    static constexpr int count = sizeof...(Column);
    /// Numbers of each particle, of all columns, in kernels of pairs.
    static constexpr int numbers = (0 + ... + numbers_of(kind_of<Column>));
    static constexpr bool vectors = ((kind_of<Column> == ColumnKind::vector) || ...);

    template <class One>
    static constexpr bool has = (std::is_same_v<One, Column> || ...);

    template <class One>
    static constexpr int position_of() {
        static_assert(has<One>, "the leaf does not name this column");
        int at = 0, found = 0;
        ((std::is_same_v<One, Column> ? found = at : 0, ++at), ...);
        return found;
    }
    /// Index of a column's first number among the numbers of all columns.
    template <class One>
    static constexpr int first_number() {
        static_assert(has<One>, "the leaf does not name this column");
        int at = 0, found = 0;
        ((std::is_same_v<One, Column> ? void(found = at) : void(),
          at += numbers_of(kind_of<Column>)),
         ...);
        return found;
    }
    static constexpr std::array<ColumnUse, sizeof...(Column)> list{
        ColumnUse{Column::name, Column::unit, kind_of<Column>, Column::made}...};
};

}  // namespace column

namespace detail {

template <class P>
struct LeafReads {
    using type = column::Columns<>;
};
template <class P>
requires requires { typename P::reads; }
struct LeafReads<P> {
    using type = typename P::reads;
};
template <class P>
struct LeafWrites {
    using type = column::Columns<>;
};
template <class P>
requires requires { typename P::writes; }
struct LeafWrites<P> {
    using type = typename P::writes;
};

}  // namespace detail

template <class P>
using LeafReads = typename detail::LeafReads<P>::type;
template <class P>
using LeafWrites = typename detail::LeafWrites<P>::type;

/// All columns of a leaf: those it reads, then those it writes.
template <class P>
constexpr auto column_uses() {
    constexpr auto r = LeafReads<P>::list;
    constexpr auto w = LeafWrites<P>::list;
    std::array<ColumnUse, r.size() + w.size()> all{};
    for (std::size_t k = 0; k < r.size(); ++k) all[k] = r[k];
    for (std::size_t k = 0; k < w.size(); ++k) {
        all[r.size() + k] = w[k];
        all[r.size() + k].written = true;
    }
    return all;
}

/// Most columns that one leaf works on.
inline constexpr int most_leaf_columns = 6;

/// One particle's values of the columns of a leaf; `data` has a pointer to each column.
template <class P>
struct LeafValues {
    static_assert(LeafReads<P>::count + LeafWrites<P>::count <= most_leaf_columns);
    void* const* data;
    std::int64_t i;

    template <class Column>
    requires(LeafReads<P>::template has<Column>) AUREOLE_FN const typename Column::type& operator[](
        Column) const {
        constexpr int k = LeafReads<P>::template position_of<Column>();
        return static_cast<const typename Column::type*>(data[k])[i];
    }
    template <class Column>
    requires(!LeafReads<P>::template has<Column>) AUREOLE_FN typename Column::type& operator[](
        Column) const {
        constexpr int k = LeafReads<P>::count + LeafWrites<P>::template position_of<Column>();
        return static_cast<typename Column::type*>(data[k])[i];
    }
};

}  // namespace aureole::md
