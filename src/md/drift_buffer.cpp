// SPDX-License-Identifier: Apache-2.0
#include "md/drift_buffer.hpp"

#include <cmath>
#include <numbers>
#include <tuple>

namespace aureole::md {

namespace {

NonbondedSpec unit_of(NonbondedSpec spec) {
    spec.n_types = 1, spec.c6 = {1}, spec.c12 = {0};
    return spec;
}

/// Three digits tell motions apart.
double rounded(double x) {
    if (x == 0) return 0;
    const double scale = std::pow(10.0, 2 - std::floor(std::log10(x)));
    return std::round(x * scale) / scale;
}

struct Partner {
    double mass = 0, length = 0;
};

/// The heaviest particle that a constraint binds each one to.
std::vector<Partner> partners_of(const System& system, const std::vector<double>& mass) {
    std::vector<Partner> out(mass.size());
    const auto bind = [&](std::int32_t a, std::int32_t b, double length) {
        const auto one = [&](std::size_t light, std::size_t heavy) {
            if (mass[heavy] > mass[light] && mass[heavy] > out[light].mass)
                out[light] = {mass[heavy], length};
        };
        one(static_cast<std::size_t>(a), static_cast<std::size_t>(b));
        one(static_cast<std::size_t>(b), static_cast<std::size_t>(a));
    };
    const auto& settle = system.constraints.settle;
    for (std::size_t k = 0; k < settle.row.size(); ++k) {
        const double length = settle.parameters[2 * static_cast<std::size_t>(settle.row[k])];
        bind(settle.particles[3 * k], settle.particles[3 * k + 1], length);
        bind(settle.particles[3 * k], settle.particles[3 * k + 2], length);
    }
    const auto& bonds = system.constraints.constraint;
    for (std::size_t k = 0; k < bonds.row.size(); ++k)
        bind(bonds.particles[2 * k], bonds.particles[2 * k + 1],
             bonds.parameters[static_cast<std::size_t>(bonds.row[k])]);
    return out;
}

}  // namespace

DriftBuffer::DriftBuffer(device::Queue& queue, System& system, double kT)
    : system_(system),
      kT_(kT),
      tolerance_(system.list.tolerance),
      r_cut_(system.nonbonded->r_cut()),
      unit_(unit_of(system.nonbonded->spec())) {
    const auto& spec = system.nonbonded->spec();
    const auto tags = download_tags(queue, system.particles);
    const auto mass = to_tag_order(download(queue, system.particles.mass), tags);
    const auto type = to_tag_order(download(queue, system.particles.type), tags);
    auto charge = download(queue, system.particles.charge);
    if (charge.empty()) charge.assign(mass.size(), 0.0);
    charge = to_tag_order(charge, tags);
    const auto partner = partners_of(system, mass);
    std::map<std::tuple<double, double, double>, std::size_t> known;
    for (std::size_t i = 0; i < mass.size(); ++i) {
        // Sites without mass fly with what places them, as heavy as any atom.
        const double m = mass[i] > 0 ? rounded(mass[i]) : 12;
        const std::tuple key{m, rounded(partner[i].mass), rounded(partner[i].length)};
        const auto [at, fresh] = known.try_emplace(key, kinds_.size());
        if (fresh)
            kinds_.push_back({m, std::get<1>(key), std::get<2>(key), 0, 0,
                              std::vector<double>(static_cast<std::size_t>(spec.n_types), 0.0)});
        auto& kind = kinds_[at->second];
        kind.count += 1, kind.charge += std::abs(charge[i]);
        kind.types[static_cast<std::size_t>(type[i])] += 1;
    }
    const double n = static_cast<double>(mass.size());
    for (std::size_t a = 0; a < kinds_.size(); ++a)
        for (std::size_t b = a; b < kinds_.size(); ++b) {
            double c6 = 0;
            const auto& of_a = kinds_[a].types;
            const auto& of_b = kinds_[b].types;
            for (std::size_t s = 0; s < of_a.size(); ++s)
                for (std::size_t t = 0; t < of_b.size(); ++t)
                    c6 += of_a[s] * of_b[t] * std::abs(spec.c6[s * of_a.size() + t]);
            const double twice = (a == b ? 1 : 2) / n;
            pairs_.push_back({static_cast<int>(a), static_cast<int>(b), twice * c6,
                              twice * kinds_[a].charge * kinds_[b].charge});
        }
}

/// Of one component of the displacement. The end of a constraint turns about the centre of mass of
/// its partner and itself, as far as the circle goes.
double DriftBuffer::variance(const Kind& kind, double time) const {
    const double thermal = kT_ * time * time;
    if (kind.partner == 0) return thermal / kind.mass;
    const double both = kind.mass + kind.partner, radius = kind.length * kind.partner / both;
    const double tangential = thermal * kind.partner / (kind.mass * both);
    const double turned = radius * radius * -std::expm1(-tangential / (radius * radius));
    return thermal / both + 2.0 / 3 * turned;
}

/// Energy per particle and time that pairs beyond the width bring.
double DriftBuffer::drift(double width, double time) const {
    constexpr int points = 16;
    const double volume = system_.box.volume();
    const double pi = std::numbers::pi;
    double sum = 0;
    for (const auto& pair : pairs_) {
        const double sigma = std::sqrt(variance(kinds_[static_cast<std::size_t>(pair.a)], time) +
                                       variance(kinds_[static_cast<std::size_t>(pair.b)], time));
        const double depth = std::min(5 * sigma, 0.5 * r_cut_), h = depth / points;
        if (width > depth) continue;
        const auto at_cut = unit_.evaluate(0, 0, 1, std::pow(r_cut_ * (1 - 1e-9), 2), false);
        for (int i = 0; i < points; ++i) {
            const double r = r_cut_ - (i + 0.5) * h;
            const auto u = unit_.evaluate(0, 0, 1, r * r, false);
            const double energy = pair.dispersion * std::abs(u.vdw.energy - at_cut.vdw.energy) +
                                  pair.charge * std::abs(u.coulomb.energy - at_cut.coulomb.energy);
            for (int k = 0; k < points; ++k) {
                const double r0 = r_cut_ + width + (k + 0.5) * h, x = (r - r0) / sigma;
                sum += energy * r0 * r0 * std::exp(-0.5 * x * x) * h * h / sigma;
            }
        }
    }
    return sum * 2 * pi / (std::sqrt(2 * pi) * volume * time);
}

double DriftBuffer::width(double time) {
    if (time <= 0) return 0;
    if (kT_ <= 0) return 0.1 * r_cut_;
    const auto [at, fresh] = known_.try_emplace(time, 0.0);
    if (!fresh) return at->second;
    double low = 0, high = 0.5 * r_cut_;
    for (int k = 0; k < 20; ++k) {
        const double middle = 0.5 * (low + high);
        (drift(middle, time) > tolerance_ ? low : high) = middle;
    }
    return at->second = high;
}

}  // namespace aureole::md
