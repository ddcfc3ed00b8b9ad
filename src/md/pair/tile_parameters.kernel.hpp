// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/neighbor/cluster_tile.kernel.hpp"
#include "md/pair/potential.hpp"

namespace aureole::md {
inline namespace HWY_NAMESPACE {

/// A potential's numbers for a tile's pairs: constants for one type; for a few types looked up in
/// registers, where one holds a table of them; gathered for more.
template <class P, class T, bool several_types>
class TileParameters {
  public:
    Coefficients<Tile<T>, coefficient_count<P>> c;
    CutOff<Tile<T>> cut;

    explicit TileParameters(const PairTables<T>& tables) : tables_(tables) {
        if (!several_types || tables.n_types == 1)
            read([&](int k) { return Tile<T>(tables.row(k)[0]); });
        else if (in_registers())
            for (int k = 0; k < rows; ++k)
                for (int pair = 0; pair < tables.n_types * tables.n_types; ++pair)
                    table_[k][pair] = tables.row(k)[pair];
    }
    AUREOLE_FN void load(const std::int32_t* type_i, const std::int32_t* type_j) {
        if (!several_types || tables_.n_types == 1) return;
        if constexpr (may_look_up) {
            if (in_registers()) {
                const auto index =
                    Index::spread4(type_i) * Index(tables_.n_types) + Index::repeat4(type_j);
                return read([&](int k) { return look_up(table_[k], index); });
            }
        }
        std::int32_t index[16];
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j) index[4 * i + j] = type_i[i] * tables_.n_types + type_j[j];
        read([&](int k) { return Tile<T>::gather(tables_.row(k), index); });
    }

  private:
    using Index = core::Pack<std::int32_t, Tile<T>::size>;
    static constexpr int rows = static_cast<int>(coefficient_count<P>) + 6;
    static constexpr bool may_look_up =
        several_types && sizeof(T) == sizeof(std::int32_t) && core::fits_register<T, 16>;

    bool in_registers() const { return may_look_up && tables_.n_types <= 4; }
    AUREOLE_FN static Tile<T> look_up(const T* table, const Index& index) {
        using Tag = typename Tile<T>::Tag;
        return Tile<T>(core::hn::TableLookupLanes(Tile<T>::load(table).v,
                                                  core::hn::IndicesFromVec(Tag{}, index.v)));
    }
    template <class Row>
    AUREOLE_FN void read(Row&& row) {
        int k = 0;
        for (auto& coefficient : c) coefficient = row(k++);
        cut.r_cut2 = row(k);
        cut.switch2 = row(k + 1);
        cut.inv_width3 = row(k + 2);
        cut.energy = row(k + 3);
        cut.slope = row(k + 4);
        cut.r_cut = row(k + 5);
    }

    const PairTables<T> tables_;
    alignas(64) T table_[may_look_up ? rows : 1][16] = {};
};

}  // namespace HWY_NAMESPACE
}  // namespace aureole::md
