// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/simd_choice.hpp"
#include "md/neighbor/cluster_tile.kernel.hpp"
#include "md/pair/potential.hpp"

namespace aureole::md {
inline namespace HWY_NAMESPACE {

/// A potential's numbers for the pairs of a tile.
template <class P, class T>
struct PairNumbers {
    Coefficients<Tile<T>, coefficient_count<P>> c;
    CutOff<Tile<T>> cut;

    static constexpr int coefficients = static_cast<int>(coefficient_count<P>);

    /// number(k) is the one of row k of PairTables.
    template <class Number>
    AUREOLE_FN static PairNumbers read(const Number& number) {
        PairNumbers p;
        int k = 0;
        for (auto& coefficient : p.c) coefficient = number(k++);
        p.cut = {number(k),     number(k + 1), number(k + 2),
                 number(k + 3), number(k + 4), number(k + 5)};
        return p;
    }
};

/// Finds the numbers of a tile's pairs: constants for one type. `rows` of the tables are read, the
/// others are left at 0.
template <class P, class T, TypeCount types, int rows>
class TileParameters {
  public:
    using Numbers = PairNumbers<P, T>;
    struct OfI {};

    explicit TileParameters(const PairTables<T>& tables)
        : same_(Numbers::read([&](int k) { return Tile<T>(tables.row(k)[0]); })) {}
    AUREOLE_FN OfI of_i(const std::int32_t*) const { return {}; }
    AUREOLE_FN const Numbers& of(const OfI&, const std::int32_t*, const std::int32_t*) const {
        return same_;
    }

  private:
    const Numbers same_;
};

/// For a few types, the numbers of each of an entry's particles with all types are held in
/// registers, where the other particle's type looks them up.
template <class P, class T, TypeCount types, int rows>
requires(types == TypeCount::four ||
         types == TypeCount::eight) class TileParameters<P, T, types, rows> {
    static constexpr int groups = types == TypeCount::four ? 1 : 2;

  public:
    using Numbers = PairNumbers<P, T>;
    struct OfI {
        core::RowTables<T, groups> row[rows];
    };

    explicit TileParameters(const PairTables<T>& tables) : tables_(tables) {}
    AUREOLE_FN OfI of_i(const std::int32_t* type) const {
        OfI i;
        const auto start = tables_.starts(type);
        for (int k = 0; k < rows; ++k) i.row[k].load(tables_.row(k), start.data());
        return i;
    }
    AUREOLE_FN Numbers of(const OfI& i, const std::int32_t*, const std::int32_t* type_j) const {
        const core::ColumnEntries<T, groups> entries(type_j);
        return Numbers::read(
            [&](int k) { return k < rows ? i.row[k].at(entries) : Tile<T>(T(0)); });
    }

  private:
    const PairTables<T> tables_;
};

/// For any number of types, decided at run time: as above for up to sixteen, else gathered.
template <class P, class T, int rows>
class TileParameters<P, T, TypeCount::any, rows> {
    static constexpr bool looks_up = core::squares_look_up<T>;

  public:
    using Numbers = PairNumbers<P, T>;
    struct OfI {
        core::RowTables<T, 4> row[looks_up ? rows : 1];
    };

    explicit TileParameters(const PairTables<T>& tables)
        : tables_(tables), same_(Numbers::read([&](int k) { return Tile<T>(tables.row(k)[0]); })) {}
    AUREOLE_FN OfI of_i(const std::int32_t* type) const {
        OfI i;
        if constexpr (looks_up) {
            const auto start = tables_.starts(type);
            if (tables_.n_types > 1 && tables_.n_types <= 16)
                for (int k = 0; k < rows; ++k) i.row[k].load(tables_.row(k), start.data());
        }
        return i;
    }
    AUREOLE_FN Numbers of(const OfI& i, const std::int32_t* type_i,
                          const std::int32_t* type_j) const {
        if (tables_.n_types == 1) return same_;
        if constexpr (looks_up) {
            if (tables_.n_types <= 4) return looked_up<1>(i, type_j);
            if (tables_.n_types <= 16) return looked_up<4>(i, type_j);
        }
        std::int32_t index[16];
        const auto start = tables_.starts(type_i);
        for (int k = 0; k < 16; ++k) index[k] = start[k / 4] + type_j[k % 4];
        return Numbers::read([&](int k) {
            return k < rows ? Tile<T>::gather(tables_.row(k), index) : Tile<T>(T(0));
        });
    }

  private:
    template <int groups>
    AUREOLE_FN static Numbers looked_up(const OfI& i, const std::int32_t* type_j) {
        const core::ColumnEntries<T, groups> entries(type_j);
        return Numbers::read(
            [&](int k) { return k < rows ? i.row[k].at(entries) : Tile<T>(T(0)); });
    }

    const PairTables<T> tables_;
    const Numbers same_;
};

}  // namespace HWY_NAMESPACE
}  // namespace aureole::md
