// SPDX-License-Identifier: Apache-2.0
#include "md/pair/tails.hpp"

#include <cmath>
#include <numbers>

namespace aureole::md {

namespace {

/// Mean of a table of pairs of types, over all pairs of particles that are not excluded.
double mean_of(const std::vector<double>& table, int n, const std::vector<std::int32_t>& types,
               const Exclusions& exclusions) {
    const auto n_types = static_cast<std::size_t>(n);
    std::vector<double> count(n_types, 0.0);
    for (const auto type : types) ++count[static_cast<std::size_t>(type)];
    const auto at = [&](std::size_t a, std::size_t b) { return table[a * n_types + b]; };
    double sum = 0;  // over ordered pairs
    for (std::size_t a = 0; a < n_types; ++a)
        for (std::size_t b = 0; b < n_types; ++b)
            sum += at(a, b) * count[a] * (count[b] - (a == b ? 1 : 0));
    double pairs = static_cast<double>(types.size()) * (static_cast<double>(types.size()) - 1);
    for (std::size_t i = 0; i + 1 < exclusions.start.size(); ++i)
        for (auto k = exclusions.start[i]; k < exclusions.start[i + 1]; ++k) {
            const auto j =
                static_cast<std::size_t>(exclusions.partner[static_cast<std::size_t>(k)]);
            sum -= at(static_cast<std::size_t>(types[i]), static_cast<std::size_t>(types[j]));
            pairs -= 1;
        }
    return pairs > 0 ? sum / pairs : 0;
}

/// Mean of such a table over all pairs of particles, and of each with itself.
double mean_of_all(const std::vector<double>& table, int n,
                   const std::vector<std::int32_t>& types) {
    const auto n_types = static_cast<std::size_t>(n);
    std::vector<double> count(n_types, 0.0);
    for (const auto type : types) ++count[static_cast<std::size_t>(type)];
    double sum = 0;  // over ordered pairs, and once more over particles with themselves
    for (std::size_t a = 0; a < n_types; ++a) {
        for (std::size_t b = 0; b < n_types; ++b)
            sum += table[a * n_types + b] * count[a] * count[b];
        sum += table[a * n_types + a] * count[a];
    }
    const auto particles = static_cast<double>(types.size());
    return particles > 0 ? sum / (particles * (particles + 1)) : 0;
}

/// 4π ∫ r² f(r) dr from r_cut on, for Σ cₖ r⁻ᵏ: Gauss-Legendre over u = r_cut / r in (0, 1], exact
/// for powers up to r⁻²³.
template <class F>
double beyond(double r_cut, F&& f) {
    static constexpr double node[] = {0.1488743389816312, 0.4333953941292472, 0.6794095682990244,
                                      0.8650633666889845, 0.9739065285171717};
    static constexpr double weight[] = {0.2955242247147529, 0.2692667193099963, 0.2190863625159820,
                                        0.1494513491505806, 0.0666713443086881};
    double sum = 0;
    for (int k = 0; k < 10; ++k) {
        const double u = 0.5 + (k < 5 ? -0.5 : 0.5) * node[k % 5], r = r_cut / u;
        sum += 0.5 * weight[k % 5] * r_cut / (u * u) * r * r * f(r);
    }
    return 4 * std::numbers::pi * sum;
}

}  // namespace

EnergyVirial tail_of(const PairForce& force, double volume,
                     const std::vector<std::int64_t>& count_of_type) {
    EnergyVirial sum;
    const auto& spec = force.spec();
    if (!spec.tail_correction) return sum;
    for (int p = 0; p < spec.n_types * spec.n_types; ++p) {
        const double r_cut = spec.r_cut[static_cast<std::size_t>(p)];
        if (r_cut == 0) continue;
        const auto of_type = [&](int t) {
            return static_cast<double>(count_of_type[static_cast<std::size_t>(t)]);
        };
        const double pairs = 0.5 * of_type(p / spec.n_types) * of_type(p % spec.n_types) / volume;
        sum.energy += pairs * beyond(r_cut, [&](double r) { return force.uncut(p, r * r).energy; });
        const double third = pairs / 3 * beyond(r_cut, [&](double r) {
                                 return force.uncut(p, r * r).force_over_r * r * r;
                             });
        sum.virial += core::Sym3d{third, third, third};
    }
    return sum;
}

DispersionTail::DispersionTail(TailCorrection wanted, const NonbondedSpec& spec,
                               const std::vector<std::int32_t>& types, const Exclusions& exclusions)
    : wanted_(wanted), particles_(static_cast<double>(types.size())) {
    if (wanted == TailCorrection::none || spec.r_vdw <= 0) return;
    const auto mean = [&](const std::vector<double>& table) {
        return wanted == TailCorrection::of_all_pairs
                   ? mean_of_all(table, spec.n_types, types)
                   : mean_of(table, spec.n_types, types, exclusions);
    };
    NonbondedSpec unit = spec;
    unit.n_types = 1, unit.c6 = {1}, unit.c12 = {0};
    powers_[0] = power_of(unit, 6);
    powers_[0].mean = mean(spec.c6);
    if (wanted == TailCorrection::energy || wanted == TailCorrection::energy_and_pressure) return;
    unit.c6 = {0}, unit.c12 = {1};
    powers_[1] = power_of(unit, 12);
    powers_[1].mean = mean(spec.c12);
}

DispersionTail::Power DispersionTail::power_of(const NonbondedSpec& unit, int exponent) {
    Power out;
    const double rc = unit.r_vdw, pi = std::numbers::pi;
    const double sign = exponent == 6 ? -1 : 1,
                 beyond = 4 * pi / (exponent - 3) * std::pow(rc, 3 - exponent);
    out.energy = sign * beyond;
    out.virial = -sign * exponent * beyond;
    const Nonbonded law(unit);
    const auto whole = [&](double r) { return sign * std::pow(r, -exponent); };
    const auto computed = [&](double r) { return law.evaluate(0, 0, 0, r * r, false).vdw; };
    const auto missing = [&](double r) { return whole(r) - computed(r).energy; };
    // Below the switch the two differ by a constant, which a particle at the centre has as well.
    const double flat_to = unit.end == VdwEnd::plain ? rc : unit.r_vdw_switch;
    const double flat = missing(flat_to > 0 ? 0.999 * flat_to : 1e-3 * rc);
    out.own = flat;
    out.energy += flat * 4 * pi * flat_to * flat_to * flat_to / 3;
    if (flat_to == rc) return out;
    constexpr int points = 2000;  // Simpson's rule; the functions are smooth polynomials of 1/r
    const double h = (rc - flat_to) / points;
    for (int k = 0; k <= points; ++k) {
        const double r = std::max(flat_to + k * h, 1e-6 * rc) * (k == points ? 1 - 1e-15 : 1);
        const double weight = (k == 0 || k == points ? 1 : k % 2 == 1 ? 4 : 2) * h / 3;
        out.energy += weight * 4 * pi * r * r * missing(r);
        // r dU/dr of the whole less that of the computed one
        out.virial +=
            weight * 4 * pi * r * r * (-exponent * whole(r) + computed(r).force_over_r * r * r);
    }
    return out;
}

}  // namespace aureole::md
