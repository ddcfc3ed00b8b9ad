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
            for (std::size_t k = 0; k < np; ++k)
                spec.parameters.push_back(1 + 0.05 * (a + b) + 0.02 * static_cast<double>(k));
            const double* parameters = spec.parameters.data() + spec.parameters.size() - np;
            double r_cut = leaf.natural_cutoff != nullptr ? leaf.natural_cutoff(parameters)
                                                          : 2.5 - 0.1 * (a + b);
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

/// One pair of particles whose columns differ.
inline PairNumbers pair_at(double r) {
    static const double i[] = {column_number(0, 0), column_number(0, 1), column_number(0, 2)};
    static const double j[] = {column_number(1, 0), column_number(1, 1), column_number(1, 2)};
    return {r * r, i, j};
}

inline double smallest_cut_off(const PairForce& force) {
    double r = force.r_cut_max();
    for (const double one : force.spec().r_cut)
        if (one > 0) r = std::min(r, one);
    return r;
}

}  // namespace aureole::md::testing
