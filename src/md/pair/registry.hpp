// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "device/processor/isa.hpp"
#include "md/neighbor/cluster_job.hpp"
#include "md/neighbor/cluster_search.hpp"
#include "md/pair/flat_job.hpp"
#include "md/pair/potential.hpp"

namespace aureole::md {

/// A pair of particles for a potential that the caller does not know: the numbers of the columns
/// that it reads, in its order, and the separation r_i − r_j.
struct PairNumbers {
    double r2;
    const double *i = nullptr, *j = nullptr;
    core::Vec3d d{};
};

/// A potential as the rest of the program sees it, made from its leaf file.
struct Potential {
    const char* name;
    const char* words;
    std::span<const Parameter> parameters;
    int coefficients;                   ///< numbers per pair of types that kernels read
    std::span<const ColumnRead> reads;  ///< columns of particles

    /// Numbers read of each particle, of all columns together.
    int numbers_read() const {
        int sum = 0;
        for (const auto& column : reads) sum += numbers_of(column.kind);
        return sum;
    }

    /// Coefficients from parameters.
    void (*derive)(const double* parameters, double* coefficients);
    /// The potential's own cut-off for given parameters; null if it has none.
    double (*natural_cutoff)(const double* parameters);
    /// Energy and force in double precision, for one pair at a time.
    PairValue<double> (*evaluate)(Modifier, const PairNumbers&, const double* coefficients,
                                  const CutOff<double>&);
    std::vector<PotentialKernels (*)()> kernels_of_isa;
    FlatKernels flat;  ///< for devices of any kind

    /// The kernels for the instruction set in use.
    PotentialKernels kernels() const;
};

/// All potentials, in the order of their file names.
std::span<const Potential> potentials();
/// Throws core::InputError for a name that no leaf file has.
const Potential& potential(std::string_view name);

template <class P>
Potential make_potential(const char* name, std::vector<PotentialKernels (*)()> kernels,
                         FlatKernels flat) {
    constexpr std::size_t np = parameter_count<P>, nc = coefficient_count<P>;
    Potential p{};
    p.name = name, p.words = P::words, p.parameters = P::parameters;
    p.coefficients = static_cast<int>(nc);
    p.reads = LeafReads<P>::list;
    p.derive = [](const double* from, double* to) {
        std::array<double, np> parameters;
        std::copy_n(from, np, parameters.begin());
        const auto c = derive_coefficients<P>(parameters);
        std::copy(c.begin(), c.end(), to);
    };
    if constexpr (requires(std::array<double, np> a) { P::natural_cutoff(a); }) {
        p.natural_cutoff = [](const double* from) {
            std::array<double, np> parameters;
            std::copy_n(from, np, parameters.begin());
            return P::natural_cutoff(parameters);
        };
    }
    p.evaluate = [](Modifier m, const PairNumbers& numbers, const double* from,
                    const CutOff<double>& cut) {
        Coefficients<double, nc> c;
        std::copy_n(from, nc, c.begin());
        ColumnValues<double, LeafReads<P>> i, j;
        if constexpr (reads_columns<P>)
            std::copy_n(numbers.i, numbers_read<P>, i.value),
                std::copy_n(numbers.j, numbers_read<P>, j.value);
        const auto pair = pair_of<P, double>(numbers.d, numbers.r2, i, j);
        switch (m) {
            case Modifier::xplor:
                return md::evaluate<P, Modifier::xplor, double>(pair, c, cut);
            case Modifier::force_shift:
                return md::evaluate<P, Modifier::force_shift, double>(pair, c, cut);
            default:
                return md::evaluate<P, Modifier::none, double>(pair, c, cut);
        }
    };
    p.kernels_of_isa = std::move(kernels);
    p.flat = flat;
    return p;
}

}  // namespace aureole::md
