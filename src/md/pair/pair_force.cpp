// SPDX-License-Identifier: Apache-2.0
#include "md/pair/pair_force.hpp"

#include <cmath>

#include "core/error.hpp"
#include "md/leaf/leaf_name.hpp"
#include "md/leaf/rounded_coefficient.hpp"

namespace aureole::md {

const Potential& potential(std::string_view name) {
    return leaf_named(potentials(), name, "potential");
}

PairForce::PairForce(PairForceSpec spec)
    : spec_(std::move(spec)), potential_(&md::potential(spec_.potential)) {
    check();
    const int pairs = spec_.n_types * spec_.n_types;
    const std::size_t np = potential_->parameters.size();
    coefficients_.resize(static_cast<std::size_t>(pairs) * potential_->coefficients);
    for (int p = 0; p < pairs; ++p) {
        potential_->derive(spec_.parameters.data() + p * np,
                           coefficients_.data() + p * potential_->coefficients);
        r_cut_max_ = std::max(r_cut_max_, spec_.r_cut[p]);
    }
    for (int p = 0; p < pairs; ++p) cut_off_.push_back(cut_off(p));
}

Modifier PairForce::modifier() const {
    return spec_.mode == EnergyMode::xplor         ? Modifier::xplor
           : spec_.mode == EnergyMode::force_shift ? Modifier::force_shift
                                                   : Modifier::none;
}

void PairForce::check() const {
    if (spec_.tail_correction && !potential_->reads.empty())
        throw core::InputError("there is no tail correction for " + spec_.potential,
                               "its energy depends on the column '" +
                                   std::string(potential_->reads[0].name) + "' of both particles",
                               "Switch tail_correction off, or choose a longer cut-off.");
    const int n = spec_.n_types, np = static_cast<int>(potential_->parameters.size());
    const auto pairs = static_cast<std::size_t>(n) * n;
    if (n < 1 || spec_.parameters.size() != pairs * np || spec_.r_cut.size() != pairs ||
        spec_.r_switch.size() != pairs)
        throw core::InputError("the tables of " + spec_.potential + " have the wrong size",
                               std::to_string(n) + " types need " + std::to_string(pairs) +
                                   " rows of " + std::to_string(np) + " parameters",
                               "Give one row per ordered pair of types.");
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b) {
            const int p = a * n + b, q = b * n + a;
            const auto which = " of " + spec_.potential + " for types " + std::to_string(a) +
                               " and " + std::to_string(b);
            for (int k = 0; k < np; ++k) {
                const double value = spec_.parameters[p * np + k];
                const std::string name = potential_->parameters[k].name;
                if (!std::isfinite(value))
                    throw core::InputError("parameter " + name + which + " is not finite",
                                           "it is " + std::to_string(value),
                                           "Give a finite number.");
                if (value != spec_.parameters[q * np + k])
                    throw core::InputError("parameter " + name + which + " is not symmetric",
                                           "the values for the two orders of the pair differ",
                                           "Give the same number for both.");
            }
            const double rc = spec_.r_cut[p], rs = spec_.r_switch[p];
            if (!std::isfinite(rc) || rc < 0 || rc != spec_.r_cut[q] || rs != spec_.r_switch[q])
                throw core::InputError("cut-off" + which + " is invalid",
                                       "it must be finite, symmetric and not negative",
                                       "Use 0 to disable the pair.");
            if (spec_.mode == EnergyMode::xplor && rc > 0 && !(rs >= 0 && rs < rc))
                throw core::InputError("switching radius" + which + " is invalid",
                                       "xplor needs 0 <= r_switch < r_cut",
                                       "Choose r_switch below the cut-off, 0.8 r_cut for example.");
        }
}

CutOff<double> PairForce::cut_off(int pair) const {
    CutOff<double> cut{};
    const double rc = spec_.r_cut[pair], rs = spec_.r_switch[pair];
    cut.r_cut = rc, cut.r_cut2 = rc * rc;
    cut.switch2 = rs * rs;
    if (rc == 0) return cut;
    const double* c = coefficients_.data() + pair * potential_->coefficients;
    if (!potential_->reads.empty() && spec_.mode != EnergyMode::xplor) {
        cut.energy = spec_.mode == EnergyMode::none ? 0 : 1;
    } else if (spec_.mode == EnergyMode::xplor) {
        cut.inv_width3 = std::pow(cut.r_cut2 - cut.switch2, -3.0);
    } else if (spec_.mode != EnergyMode::none) {
        const auto end = potential_->evaluate(Modifier::none, {cut.r_cut2}, c, {});
        cut.energy = end.energy;
        if (spec_.mode == EnergyMode::force_shift) cut.slope = -end.force_over_r * rc;
    }
    return cut;
}

PairValue<double> PairForce::evaluate(int type_i, int type_j, const PairNumbers& numbers) const {
    const int pair = type_i * spec_.n_types + type_j;
    if (numbers.r2 >= cut_off_[pair].r_cut2) return {0, 0};
    return potential_->evaluate(modifier(), numbers,
                                coefficients_.data() + pair * potential_->coefficients,
                                cut_off_[pair]);
}

template <class T>
std::vector<T> PairForce::tables() const {
    const auto pairs = cut_off_.size();
    const auto nc = static_cast<std::size_t>(potential_->coefficients);
    std::vector<T> rows((nc + 6) * pairs + PairTables<T>::over_read);
    for (std::size_t p = 0; p < pairs; ++p) {
        for (std::size_t k = 0; k < nc; ++k)
            rows[k * pairs + p] =
                rounded_coefficient<T>(coefficients_[p * nc + k], potential_->name);
        const auto& cut = cut_off_[p];
        const double values[] = {cut.r_cut2, cut.switch2, cut.inv_width3,
                                 cut.energy, cut.slope,   cut.r_cut};
        for (std::size_t k = 0; k < 6; ++k) rows[(nc + k) * pairs + p] = static_cast<T>(values[k]);
    }
    return rows;
}
template std::vector<float> PairForce::tables<float>() const;
template std::vector<double> PairForce::tables<double>() const;

PairValue<double> PairForce::uncut(int pair, double r2) const {
    return potential_->evaluate(Modifier::none, {r2},
                                coefficients_.data() + pair * potential_->coefficients, {});
}

}  // namespace aureole::md
