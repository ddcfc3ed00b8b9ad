// SPDX-License-Identifier: Apache-2.0
#include "md/pair/nonbonded.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/error.hpp"
#include "md/leaf/rounded_coefficient.hpp"
#include "md/pair/nonbonded_law.hpp"

namespace aureole::md {

namespace {

/// σ and ε of a pair of like particles; zeros where there is no attraction or no repulsion.
struct SigmaEpsilon {
    double sigma = 0, epsilon = 0;

    SigmaEpsilon(double c6, double c12) {
        if (c6 > 0 && c12 > 0) sigma = std::pow(c12 / c6, 1.0 / 6), epsilon = c6 * c6 / (4 * c12);
    }
};

/// Whether pairs within the cut-off need more than the usual fits.
bool wants_wide(const NonbondedSpec& s) {
    return std::pow(s.beta * s.r_coulomb, 2) > split_fit::last;
}

/// The fit for β and β³ as the kernels have them.
template <class T>
MeshFit<T> mesh_fit(T beta, T cube, bool wide) {
    MeshFit<T> fit{};
    fit.wide = wide;
    const auto fill = [&](const auto& from) {
        double power = 1;
        for (int k = 0; k <= from.top; ++k) {
            fit.top[k] = T(power * double(cube) * from.p[k]);
            fit.bottom[k] = T(power * from.q[k]);
            power *= double(beta) * double(beta);
        }
        fit.middle = T(double(cube) * from.middle);
    };
    if (wide)
        fill(split_fit::wide_force_single);
    else
        fill(split_fit::force_single);
    return fit;
}

NonbondedNumbers<double> numbers_of(const NonbondedSpec& s) {
    NonbondedNumbers<double> n{};
    n.r_coulomb2 = s.r_coulomb * s.r_coulomb, n.r_vdw2 = s.r_vdw * s.r_vdw;
    n.n_types = s.n_types;
    n.smooth = s.field_of_excluded ? all_bits : 0;
    if (s.coulomb == Coulomb::reaction_field && s.r_coulomb > 0) {
        const double inv3 = std::pow(s.r_coulomb, -3.0);
        n.field = s.epsilon_rf == 0
                      ? 0.5 * inv3
                      : inv3 * (s.epsilon_rf - s.epsilon_r) / (2 * s.epsilon_rf + s.epsilon_r);
        n.twice_field = 2 * n.field;
        const bool plain = s.epsilon_rf == s.epsilon_r;
        if (!plain || s.shift_coulomb) n.coulomb_shift = 1 / s.r_coulomb + n.field * n.r_coulomb2;
    } else if (s.coulomb == Coulomb::ewald) {
        n.beta = s.beta, n.beta3 = s.beta * s.beta * s.beta;
        n.mesh.wide = wants_wide(s);
        if (s.shift_coulomb) n.coulomb_shift = std::erfc(s.beta * s.r_coulomb) / s.r_coulomb;
    }
    if (s.end == VdwEnd::plain) {
        if (s.shift_vdw && s.r_vdw > 0) {
            n.dispersion_shift = std::pow(s.r_vdw, -6.0) / 6;
            n.repulsion_shift = std::pow(s.r_vdw, -12.0) / 12;
        }
        return n;
    }
    const double from = s.r_vdw_switch, to = s.r_vdw;
    n.potential_switch = PotentialSwitch<double>::between(from, to);
    n.dispersion = SwitchedPower<double>::between(6, from, to);
    n.repulsion = SwitchedPower<double>::between(12, from, to);
    return n;
}

/// Makes cubics that interpolate the mesh's force; none where they err by more than a tenth of the
/// force that the cut-off leaves out, which ewald-rtol sets.
template <class T>
MeshCubics<T> mesh_cubics(const NonbondedSpec& s, std::vector<T>& table) {
    constexpr int n = MeshCubics<T>::intervals, terms = MeshCubics<T>::terms;
    if (s.coulomb != Coulomb::ewald || sizeof(T) != sizeof(float)) return {};
    const double end = s.r_coulomb * s.r_coulomb, x = s.beta * s.r_coulomb;
    const T scale = static_cast<T>((n - 0.51) / end);
    const auto exact = [&](double r2) {
        return std::pow(s.beta, 3) * ewald_force<true>(s.beta * s.beta * r2);
    };
    const double left_out =
        (std::erfc(x) + 2 * x * std::numbers::inv_sqrtpi * std::exp(-x * x)) / (end * s.r_coulomb);
    table.assign(std::size_t{n * terms}, T(0));
    double error = 0;
    for (int k = 0; k < n; ++k) {
        const double from = k == 0 ? 0 : -0.5, to = 0.5;
        const auto value = [&](double d) { return exact((k + d) / static_cast<double>(scale)); };
        // Newton's divided differences at Chebyshev's nodes, then powers of d
        double node[terms], c[terms], power[terms] = {};
        for (int j = 0; j < terms; ++j) {
            const double angle = std::numbers::pi * (2 * j + 1) / (2 * terms);
            node[j] = 0.5 * (from + to) + 0.5 * (to - from) * std::cos(angle);
            c[j] = value(node[j]);
        }
        for (int order = 1; order < terms; ++order)
            for (int j = terms - 1; j >= order; --j)
                c[j] = (c[j] - c[j - 1]) / (node[j] - node[j - order]);
        for (int j = terms - 1; j >= 0; --j) {
            for (int m = terms - 1; m >= 0; --m)
                power[m] = (m > 0 ? power[m - 1] : c[j]) - node[j] * power[m];
        }
        for (int m = 0; m < terms; ++m) table[m * n + k] = static_cast<T>(power[m]);
        for (int j = 0; j <= 32; ++j) {
            const double d = from + (to - from) * j / 32;
            double cubic = 0;
            for (int m = terms - 1; m >= 0; --m) cubic = cubic * d + double(table[m * n + k]);
            error = std::max(error, std::abs(cubic - value(d)));
        }
    }
    if (error > 0.1 * left_out) return {};
    return {table.data(), scale};
}

}  // namespace

Nonbonded::Nonbonded(NonbondedSpec spec) : spec_(std::move(spec)) {
    check();
    find_mixing();
    numbers_ = numbers_of(spec_);
}

void Nonbonded::check() const {
    const auto pairs = static_cast<std::size_t>(spec_.n_types) * spec_.n_types;
    if (spec_.n_types < 1 || spec_.c6.size() != pairs || spec_.c12.size() != pairs)
        throw core::InputError("the tables of C6 and C12 have the wrong size",
                               std::to_string(spec_.n_types) + " types need " +
                                   std::to_string(pairs) + " numbers each",
                               "Give one number per ordered pair of types.");
    for (int a = 0; a < spec_.n_types; ++a)
        for (int b = 0; b < spec_.n_types; ++b)
            for (const auto* table : {&spec_.c6, &spec_.c12}) {
                const double one = (*table)[a * spec_.n_types + b];
                const auto which = std::string(table == &spec_.c6 ? "C6" : "C12") + " of types " +
                                   std::to_string(a) + " and " + std::to_string(b);
                if (!std::isfinite(one))
                    throw core::InputError(which + " is not finite", "it is " + std::to_string(one),
                                           "Give a finite number.");
                if (one != (*table)[b * spec_.n_types + a])
                    throw core::InputError(which + " is not symmetric",
                                           "the values for the two orders of the pair differ",
                                           "Give the same number for both.");
            }
    const auto radius = [](double r) { return std::isfinite(r) && r >= 0; };
    if (!radius(spec_.r_vdw) || !radius(spec_.r_coulomb))
        throw core::InputError("a cut-off is invalid", "it must be finite and not negative",
                               "Use 0 for none.");
    if (spec_.end != VdwEnd::plain &&
        !(spec_.r_vdw_switch >= 0 && spec_.r_vdw_switch < spec_.r_vdw))
        throw core::InputError("the switching radius " + std::to_string(spec_.r_vdw_switch) +
                                   " is not below the cut-off " + std::to_string(spec_.r_vdw),
                               "dispersion is switched between the two",
                               "Choose it 0.1 to 0.2 nm below the cut-off.");
    if (spec_.coulomb == Coulomb::ewald && !(spec_.beta > 0 && std::isfinite(spec_.beta)))
        throw core::InputError("the Ewald splitting parameter is not positive",
                               "it is " + std::to_string(spec_.beta), "Give beta > 0.");
    if (spec_.coulomb == Coulomb::ewald &&
        std::pow(spec_.beta * spec_.r_coulomb, 2) > split_fit::wide_last)
        throw core::InputError("the Ewald splitting parameter is too large for the cut-off",
                               "beta r_cut is " + std::to_string(spec_.beta * spec_.r_coulomb) +
                                   ", and above 5.74 the accuracy does not improve",
                               "Choose a tolerance of 1e-15 or more, or a shorter cut-off.");
    if (spec_.coulomb == Coulomb::ewald && !spec_.field_of_excluded)
        throw core::InputError("Ewald's sum leaves out excluded pairs",
                               "the mesh acts between all charges, which only a reaction field "
                               "need not do",
                               "Choose Coulomb::reaction_field.");
    if (!(spec_.epsilon_r > 0) || !(spec_.epsilon_rf >= 0) ||
        !std::isfinite(spec_.coulomb_constant))
        throw core::InputError(
            "a permittivity or the Coulomb constant is invalid",
            "epsilon_r must be positive; epsilon_rf must not be negative, and 0 means a conductor",
            "Use a permittivity of 1 for vacuum.");
}

void Nonbonded::find_mixing() {
    constexpr double rounding = 1e-6;  // of tables written with seven digits
    const int n = spec_.n_types;
    const auto near = [](double a, double b) {
        return std::abs(a - b) <= rounding * std::max(std::abs(a), std::abs(b));
    };
    bool geometric = true, lorentz_berthelot = true;
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b) {
            const double c6 = spec_.c6[a * n + b], c12 = spec_.c12[a * n + b];
            const double c6_a = spec_.c6[a * n + a], c6_b = spec_.c6[b * n + b];
            const double c12_a = spec_.c12[a * n + a], c12_b = spec_.c12[b * n + b];
            if (c6_a < 0 || c12_a < 0) geometric = false;
            geometric = geometric && near(c6, std::sqrt(c6_a * c6_b)) &&
                        near(c12, std::sqrt(c12_a * c12_b));
            const SigmaEpsilon i(c6_a, c12_a), j(c6_b, c12_b);
            const double s6 = std::pow(0.5 * (i.sigma + j.sigma), 6);
            const double mixed6 = 4 * std::sqrt(i.epsilon * j.epsilon) * s6;
            lorentz_berthelot = lorentz_berthelot && near(c6, mixed6) && near(c12, mixed6 * s6);
        }
    mixing_ = geometric           ? Mixing::geometric
              : lorentz_berthelot ? Mixing::lorentz_berthelot
                                  : Mixing::table;
}

NonbondedForm Nonbonded::form() const {
    return {spec_.coulomb, spec_.end, mixing_, spec_.r_vdw == spec_.r_coulomb};
}

bool Nonbonded::charges_alone() const {
    const auto none = [](double c) { return c == 0; };
    return std::ranges::all_of(spec_.c6, none) && std::ranges::all_of(spec_.c12, none);
}

NonbondedOwn Nonbonded::own(int type, double charge) const {
    const int like = type * (spec_.n_types + 1);
    const double q = charge * std::sqrt(spec_.unit_charge_energy());
    const double c6 = spec_.c6[like], c12 = spec_.c12[like];
    if (mixing_ == Mixing::geometric) return {q, std::sqrt(6 * c6), std::sqrt(12 * c12)};
    const SigmaEpsilon like_pair(c6, c12);
    return {q, 0.5 * like_pair.sigma, std::sqrt(24 * like_pair.epsilon)};
}

template <class T>
NonbondedTables<T> Nonbonded::tables() const {
    NonbondedTables<T> t;
    for (const double c : spec_.c6) t.c6.push_back(rounded_coefficient<T>(6 * c, "dispersion"));
    for (const double c : spec_.c12) t.c12.push_back(rounded_coefficient<T>(12 * c, "repulsion"));
    const auto& n = numbers_;
    t.numbers = {T(n.r_coulomb2),
                 T(n.r_vdw2),
                 T(n.twice_field),
                 T(n.field),
                 T(n.coulomb_shift),
                 n.smooth,
                 T(n.beta),
                 T(n.beta3),
                 mesh_fit<T>(static_cast<T>(n.beta), static_cast<T>(n.beta3), n.mesh.wide),
                 mesh_cubics<T>(spec_, t.mesh_cubics),
                 T(n.dispersion_shift),
                 T(n.repulsion_shift),
                 n.potential_switch.as<T>(),
                 n.dispersion.as<T>(),
                 n.repulsion.as<T>(),
                 n.n_types,
                 t.c6.data(),
                 t.c12.data(),
                 mixing_,
                 spec_.end == VdwEnd::plain && mixing_ != Mixing::table && form().one_cut_off};
    return t;
}
template NonbondedTables<float> Nonbonded::tables<float>() const;
template NonbondedTables<double> Nonbonded::tables<double>() const;

namespace {

template <Coulomb coulomb, VdwEnd end>
Nonbonded::Value evaluate_as(const NonbondedNumbers<double>& n, double c6, double c12, double r2,
                             bool excluded) {
    const NonbondedLaw<coulomb, end, true, double> law(n);
    if (excluded) r2 = std::max(r2, 1e-12);  // they may lie on top of each other
    const double inv_r = 1 / std::sqrt(r2), inv_r2 = 1 / r2;
    Nonbonded::Value value{};
    if (r2 < n.r_vdw2 && !excluded) {
        const auto v = law.vdw(r2, inv_r, inv_r2, PowerCoefficients<double>{6 * c6, 12 * c12});
        value.vdw = {v.energy, v.force_r * inv_r2};
    }
    if (r2 < n.r_coulomb2 && (!excluded || n.smooth != 0)) {
        const auto c = law.charges(r2, excluded ? 0 : inv_r, inv_r2, excluded ? 0 : 1);
        value.coulomb = {c.energy, c.force_over_r};
    }
    return value;
}

}  // namespace

Nonbonded::Value Nonbonded::evaluate(int type_i, int type_j, double charges, double r2,
                                     bool excluded) const {
    const int pair = type_i * spec_.n_types + type_j;
    const auto with = [&]<Coulomb coulomb>() {
        using enum VdwEnd;
        const double c6 = spec_.c6[pair], c12 = spec_.c12[pair];
        switch (spec_.end) {
            case plain:
                return evaluate_as<coulomb, plain>(numbers_, c6, c12, r2, excluded);
            case potential_switch:
                return evaluate_as<coulomb, potential_switch>(numbers_, c6, c12, r2, excluded);
            default:
                return evaluate_as<coulomb, force_switch>(numbers_, c6, c12, r2, excluded);
        }
    };
    auto value = spec_.coulomb == Coulomb::ewald ? with.operator()<Coulomb::ewald>()
                                                 : with.operator()<Coulomb::reaction_field>();
    const double qq = charges * spec_.unit_charge_energy();
    value.coulomb.energy *= qq, value.coulomb.force_over_r *= qq;
    return value;
}

}  // namespace aureole::md
