// SPDX-License-Identifier: Apache-2.0
#include "md/pair/dispersion.hpp"

#include <cmath>
#include <numbers>

namespace aureole::md {

namespace {

double mean_c6_of(const NonbondedSpec& spec, const std::vector<std::int32_t>& types,
                  const Exclusions& exclusions) {
    const auto n_types = static_cast<std::size_t>(spec.n_types);
    std::vector<double> count(n_types, 0.0);
    for (const auto type : types) ++count[static_cast<std::size_t>(type)];
    const auto c6 = [&](std::size_t a, std::size_t b) { return spec.c6[a * n_types + b]; };
    double sum = 0;  // over ordered pairs
    for (std::size_t a = 0; a < n_types; ++a)
        for (std::size_t b = 0; b < n_types; ++b)
            sum += c6(a, b) * count[a] * (count[b] - (a == b ? 1 : 0));
    double pairs = static_cast<double>(types.size()) * (static_cast<double>(types.size()) - 1);
    for (std::size_t i = 0; i + 1 < exclusions.start.size(); ++i)
        for (auto k = exclusions.start[i]; k < exclusions.start[i + 1]; ++k) {
            const auto j =
                static_cast<std::size_t>(exclusions.partner[static_cast<std::size_t>(k)]);
            sum -= c6(static_cast<std::size_t>(types[i]), static_cast<std::size_t>(types[j]));
            pairs -= 1;
        }
    return pairs > 0 ? sum / pairs : 0;
}

}  // namespace

DispersionTail::DispersionTail(TailCorrection wanted, const NonbondedSpec& spec,
                               const std::vector<std::int32_t>& types, const Exclusions& exclusions)
    : wanted_(wanted), particles_(static_cast<double>(types.size())) {
    if (wanted == TailCorrection::none || spec.r_vdw <= 0) return;
    mean_c6_ = mean_c6_of(spec, types, exclusions);
    const double rc = spec.r_vdw, rc3 = rc * rc * rc, pi = std::numbers::pi;
    energy_ = -4 * pi / (3 * rc3);
    virial_ = 8 * pi / rc3;
    NonbondedSpec unit = spec;
    unit.n_types = 1, unit.c6 = {1}, unit.c12 = {0};
    const Nonbonded law(unit);
    const auto computed = [&](double r) { return law.evaluate(0, 0, 0, r * r, false).vdw; };
    const auto missing = [&](double r) { return -std::pow(r, -6) - computed(r).energy; };
    // Below the switch the two differ by a constant, which a particle at the centre has as well.
    const double flat_to = spec.end == VdwEnd::plain ? rc : spec.r_vdw_switch;
    const double flat = missing(flat_to > 0 ? 0.999 * flat_to : 1e-3 * rc);
    own_ = flat;
    energy_ += flat * 4 * pi * flat_to * flat_to * flat_to / 3;
    if (flat_to == rc) return;
    constexpr int points = 2000;  // Simpson's rule; the functions are smooth polynomials of 1/r
    const double h = (rc - flat_to) / points;
    for (int k = 0; k <= points; ++k) {
        const double r = std::max(flat_to + k * h, 1e-6 * rc) * (k == points ? 1 - 1e-15 : 1);
        const double weight = (k == 0 || k == points ? 1 : k % 2 == 1 ? 4 : 2) * h / 3;
        energy_ += weight * 4 * pi * r * r * missing(r);
        // r dU/dr of the whole less that of the computed one
        virial_ +=
            weight * 4 * pi * r * r * (6 * std::pow(r, -6) + computed(r).force_over_r * r * r);
    }
}

}  // namespace aureole::md
