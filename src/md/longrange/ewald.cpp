// SPDX-License-Identifier: Apache-2.0
#include "md/longrange/ewald.hpp"

#include <string>

#include "core/error.hpp"

namespace aureole::md {

double ewald_beta(double r_cut, double tolerance) {
    if (!(r_cut > 0) || !(tolerance > 0) || !(tolerance < 1))
        throw core::InputError(
            "the Ewald splitting parameter cannot be found",
            "cut-off " + std::to_string(r_cut) + ", tolerance " + std::to_string(tolerance),
            "Give a positive cut-off and a tolerance between 0 and 1.");
    double low = 0, high = 1;
    while (std::erfc(high) > tolerance) high *= 2;
    for (int k = 0; k < 200 && low < high; ++k) {
        const double middle = 0.5 * (low + high);
        (std::erfc(middle) > tolerance ? low : high) = middle;
    }
    return high / r_cut;
}

double pair_force_error(double coulomb, double beta, double r_cut, const ChargeSums& sums, double n,
                        double volume) {
    const double x = beta * r_cut;
    return 2 * coulomb * sums.square * std::exp(-x * x) / std::sqrt(n * r_cut * volume);
}

}  // namespace aureole::md
