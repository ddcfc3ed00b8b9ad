// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "md/pair/pair_force.hpp"
#include "md/particles/particles.hpp"

namespace aureole::md {

/// The column that a potential reads: as it was when the step's forces were computed, where it
/// changes with steps (ChangingColumns). Throws core::InputError where the particles have none of
/// that name, or one of another type.
const AnyColumn& column_to_read(const Particles& particles, const Potential& potential,
                                const ColumnRead& column);

/// f(pointer to the values in device memory) of a column that potentials may read.
template <class F>
void with_values(const AnyColumn& column, F&& f) {
    switch (column.type()) {
        case ElementType::vector:
            return f(static_cast<const Column<Vec3d>&>(column).data());
        case ElementType::tag:
            return f(static_cast<const Column<Tag>&>(column).data());
        default:
            return f(static_cast<const Column<double>&>(column).data());
    }
}

/// f(column, index of its first number among those that the potential reads) for each column that
/// it reads, or for those alone that change with steps.
template <class F>
void for_each_column_read(const Particles& particles, const Potential& potential,
                          const std::vector<std::string>* alone, F&& f) {
    int first = 0;
    for (const auto& use : potential.reads) {
        if (alone == nullptr || std::ranges::find(*alone, use.name) != alone->end())
            f(column_to_read(particles, potential, use), first);
        first += numbers_of(use.kind);
    }
}

/// Gives a column's values to the ghosts; empty without other ranks.
using BringToGhosts = std::function<void(AnyColumn&)>;

/// Columns that change with steps, and that potentials read: what they are when a step's forces are
/// computed is kept, so that a look at energies, and a restart, compute the same forces again.
class ChangingColumns {
  public:
    /// `names` of all columns that change with steps.
    ChangingColumns(const std::vector<PairForce>& forces, const std::vector<std::string>& names);

    /// Columns that change with steps and that potentials read.
    const std::vector<std::string>& names() const { return names_; }
    /// Adds columns for what is kept, empty, where there are none.
    void add_to(Particles& particles) const;
    /// Keeps the columns as they are now; `bring` gives each to the ghosts.
    void keep(device::Queue& queue, Particles& particles, const BringToGhosts& bring) const;
    /// Keeps columns that were never kept, before there are ghosts.
    void keep_first(device::Queue& queue, Particles& particles) const;

  private:
    void copy(device::Queue& queue, Particles& particles, const AnyColumn& from,
              const BringToGhosts& bring) const;

    std::vector<std::string> names_;
};

/// Ghosts need all columns that potentials read of both particles.
void put_on_ghosts(Particles& particles, const std::vector<PairForce>& forces,
                   const ChangingColumns& changing);

/// All that a potential reads of the particles and of ghosts, in host memory.
class ColumnsRead {
  public:
    ColumnsRead(device::Queue& queue, const Particles& particles, const Potential& potential);

    /// Numbers of a pair of particles, by local indices, with the separation d = r_i − r_j.
    PairNumbers pair(std::size_t i, std::size_t j, const Vec3d& d) const {
        return {dot(d, d), values_.data() + i * numbers_, values_.data() + j * numbers_, d};
    }

    /// Brings the first `n` into the order of in_order(values [n]), which is called for each
    /// number, and drops others.
    template <class F>
    void reorder(std::size_t n, const F& in_order) {
        std::vector<std::vector<double>> ordered;
        for (std::size_t c = 0; c < numbers_; ++c) {
            std::vector<double> one(n);
            for (std::size_t i = 0; i < n; ++i) one[i] = values_[i * numbers_ + c];
            ordered.push_back(in_order(one));
        }
        values_.resize(ordered.empty() ? 0 : ordered[0].size() * numbers_);
        for (std::size_t k = 0; k < values_.size(); ++k)
            values_[k] = ordered[k % numbers_][k / numbers_];
    }

  private:
    std::size_t numbers_;
    std::vector<double> values_;  ///< [n + ghosts][numbers]
};

}  // namespace aureole::md
