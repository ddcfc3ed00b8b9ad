// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "md/pair/pair_force.hpp"

// Parameters for any potential, so that tests need not know the leaf files.
namespace aureole::md::testing {

inline constexpr EnergyMode all_modes[] = {EnergyMode::none, EnergyMode::shift, EnergyMode::xplor,
                                           EnergyMode::force_shift};

inline const char* name_of(EnergyMode mode) {
    constexpr const char* names[] = {"none", "shift", "xplor", "force_shift"};
    return names[static_cast<int>(mode)];
}

inline std::vector<std::string> leaf_names() {
    std::vector<std::string> names;
    for (const auto& p : potentials()) names.emplace_back(p.name);
    return names;
}

/// Parameters near one that differ from pair to pair; its own cut-off or one near 2.5, and with
/// three types or more none for the first with the last.
inline PairForceSpec leaf_spec(const Potential& leaf, EnergyMode mode, int n_types) {
    PairForceSpec spec;
    spec.potential = leaf.name;
    spec.n_types = n_types;
    spec.mode = mode;
    const auto np = leaf.parameters.size();
    for (int a = 0; a < n_types; ++a)
        for (int b = 0; b < n_types; ++b) {
            const int other = (a + b) % 11;
            for (std::size_t k = 0; k < np; ++k)
                spec.parameters.push_back(1 + 0.05 * other + 0.02 * static_cast<double>(k));
            const double* parameters = spec.parameters.data() + spec.parameters.size() - np;
            double r_cut = leaf.natural_cutoff != nullptr ? leaf.natural_cutoff(parameters)
                                                          : 2.5 - 0.1 * other;
            if (n_types >= 3 && a + b == n_types - 1 && a != b) r_cut = 0;
            spec.r_cut.push_back(r_cut);
            spec.r_switch.push_back(0.85 * r_cut);
        }
    return spec;
}

/// Numbers of a column that a leaf may read; lengths among them reach beyond the cut-offs above, so
/// that energies are not zero there.
inline double column_number(std::size_t particle, std::size_t column) {
    return 2.6 + 0.1 * static_cast<double>((7 * particle + 3 * column) % 5);
}

/// Numbers that a leaf reads of a particle at rest, in double precision.
inline std::vector<double> numbers_at_rest(const Potential& leaf, std::size_t particle) {
    std::vector<double> numbers;
    for (std::size_t k = 0; k < leaf.reads.size(); ++k)
        for (int c = 0; c < numbers_of(leaf.reads[k].kind); ++c)
            numbers.push_back(leaf.reads[k].kind == ColumnKind::number ? column_number(particle, k)
                              : leaf.reads[k].kind == ColumnKind::tag && c == 0
                                  ? static_cast<double>(5 * particle)
                                  : 0.0);
    return numbers;
}

/// Two particles at rest whose columns differ, so far from each other.
class PairAtRest {
  public:
    PairAtRest(const Potential& leaf, double r)
        : r_(r), i_(numbers_at_rest(leaf, 0)), j_(numbers_at_rest(leaf, 1)) {}
    operator PairNumbers() const { return {r_ * r_, i_.data(), j_.data(), {0, r_, 0}}; }

  private:
    double r_;
    std::vector<double> i_, j_;
};
inline PairAtRest pair_at(const PairForce& force, double r) { return {force.potential(), r}; }

inline double smallest_cut_off(const PairForce& force) {
    double r = force.r_cut_max();
    for (const double one : force.spec().r_cut)
        if (one > 0) r = std::min(r, one);
    return r;
}

}  // namespace aureole::md::testing
