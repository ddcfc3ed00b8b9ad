// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/box.hpp"
#include "md/pair/registry.hpp"

namespace aureole::md {

enum class EnergyMode { none, shift, xplor, force_shift };

/// A pair force as the user specifies it; matrices are symmetric, [n_types][n_types] row by row.
struct PairForceSpec {
    std::string potential;
    int n_types = 1;
    std::vector<double> parameters;  ///< [n_types][n_types][parameters of the potential]
    std::vector<double> r_cut;       ///< 0 disables the pair
    std::vector<double> r_switch;    ///< xplor only
    EnergyMode mode = EnergyMode::none;
    bool tail_correction = false;
};

/// A potential with its parameters for all pairs of types.
class PairForce {
  public:
    /// Throws core::InputError for parameters that make no sense.
    explicit PairForce(PairForceSpec spec);

    const std::string& name() const { return spec_.potential; }
    const PairForceSpec& spec() const { return spec_; }
    const Potential& potential() const { return *potential_; }
    double r_cut_max() const { return r_cut_max_; }
    Modifier modifier() const;

    /// Energy and force over distance of a pair of types (0 beyond the cut-off).
    PairValue<double> evaluate(int type_i, int type_j, const PairNumbers& pair) const;
    PairValue<double> evaluate(int type_i, int type_j, double r2) const {
        return evaluate(type_i, type_j, PairNumbers{r2});
    }

    /// Kernel tables in the precision T: coefficient rows, then cut-off rows.
    template <class T>
    std::vector<T> tables() const;

    /// The potential itself, without any cut-off, of a pair of types [n_types][n_types].
    PairValue<double> uncut(int pair, double r2) const;

  private:
    void check() const;
    CutOff<double> cut_off(int pair) const;

    PairForceSpec spec_;
    const Potential* potential_;
    double r_cut_max_ = 0;
    std::vector<double> coefficients_;     ///< [pairs][coefficients]
    std::vector<CutOff<double>> cut_off_;  ///< [pairs]
};

}  // namespace aureole::md
