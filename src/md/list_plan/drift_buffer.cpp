// SPDX-License-Identifier: Apache-2.0
#include "md/list_plan/drift_buffer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <tuple>

#include "core/error.hpp"

namespace aureole::md {

namespace {

NonbondedSpec unit_of(NonbondedSpec spec, double c6, double c12) {
    spec.n_types = 1, spec.c6 = {c6}, spec.c12 = {c12};
    return spec;
}

/// Motions are distinguished to three digits.
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
    const auto bind = [&](Tag a, Tag b, double length) {
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

DriftBuffer::DriftBuffer(device::Queue& queue, System& system, const Conditions& conditions,
                         int cluster)
    : system_(system),
      at_(conditions),
      volumes_{conditions.volume, conditions.volume},
      r_cut_(system.nonbonded->r_cut()),
      cluster_(cluster),
      unit_(unit_of(system.nonbonded->spec(), 1, 0)),
      unit_repulsion_(unit_of(system.nonbonded->spec(), 0, 1)) {
    const auto& spec = system.nonbonded->spec();
    auto& p = system.particles;
    const auto tags = download_tags(queue, p);
    const auto mass = system.by_tag(download(queue, p.mass), tags);
    const auto type = system.by_tag(download(queue, p.type), tags);
    const std::vector<double> none(mass.size(), 0.0);
    const auto charge = p.charge.in_use() ? system.by_tag(download(queue, p.charge), tags) : none;
    const auto partner = partners_of(system, mass);
    std::map<std::tuple<double, double, double, bool>, std::size_t> known;
    for (std::size_t i = 0; i < mass.size(); ++i) {
        const double m = mass[i] > 0 ? mass[i] : mass_of_sites, heavier = partner[i].mass;
        const std::tuple key{rounded(m), rounded(heavier), rounded(partner[i].length),
                             charge[i] != 0};
        const auto [at, fresh] = known.try_emplace(key, kinds_.size());
        if (fresh) {
            auto& kind = kinds_.emplace_back();
            std::tie(kind.mass, kind.partner, kind.length, kind.charged) = key;
            kind.least = kind.most = m, kind.least_partner = kind.most_partner = heavier;
            kind.types.assign(static_cast<std::size_t>(spec.n_types), 0.0);
        }
        auto& kind = kinds_[at->second];
        kind.least = std::min(kind.least, m), kind.most = std::max(kind.most, m);
        kind.least_partner = std::min(kind.least_partner, heavier);
        kind.most_partner = std::max(kind.most_partner, heavier);
        kind.count += 1, kind.charge += std::abs(charge[i]);
        kind.types[static_cast<std::size_t>(type[i])] += 1;
    }
    const double n = static_cast<double>(mass.size());
    for (std::size_t a = 0; a < kinds_.size(); ++a)
        for (std::size_t b = a; b < kinds_.size(); ++b) {
            double c6 = 0, c12 = 0;
            const auto& of_a = kinds_[a].types;
            const auto& of_b = kinds_[b].types;
            for (std::size_t s = 0; s < of_a.size(); ++s)
                for (std::size_t t = 0; t < of_b.size(); ++t) {
                    const double both = of_a[s] * of_b[t];
                    c6 += both * std::abs(spec.c6[s * of_a.size() + t]);
                    c12 += both * std::abs(spec.c12[s * of_a.size() + t]);
                }
            const double twice = (a == b ? 1 : 2) / n;
            const double charges = twice * kinds_[a].charge * kinds_[b].charge;
            const double weight = weight_of_attraction(charges > 0) * twice;
            pairs_.push_back(
                {static_cast<int>(a), static_cast<int>(b), weight * c6, weight * c12, charges});
        }
}

void DriftBuffer::assume(const Conditions& at, const Volumes& volumes, const ListWatch& watch) {
    bool same = at == at_ && volumes == volumes_;
    for (auto& kind : kinds_) {
        double excess = watch.excess(kind.least, kind.most, kind.charged), of_partner = 1;
        // It is what counts surely mean, and those of few particles mean less than is so.
        if (excess > 1) excess *= 1 + 3 / std::sqrt(kind.count);
        if (kind.partner > 0)
            for (const bool charged : {false, true})
                of_partner = std::max(of_partner,
                                      watch.excess(kind.least_partner, kind.most_partner, charged));
        same = same && excess == kind.excess && of_partner == kind.partner_excess;
        kind.excess = excess, kind.partner_excess = of_partner;
    }
    at_ = at, volumes_ = volumes;
    if (!same) known_.clear();
}

/// The end of a constraint turns about the centre of mass of its partner and itself, as far as the
/// circle goes. It moves with that as the partner does; where it goes farther than free flight, it
/// is carried away.
DriftBuffer::Spread DriftBuffer::spread(const Kind& kind, double time) const {
    const double thermal = at_.kT * time * time;
    if (kind.partner == 0) return {kind.excess * thermal / kind.mass, 0};
    const double both = kind.mass + kind.partner, radius = kind.length * kind.partner / both;
    const double tangential = kind.excess * thermal * kind.partner / (kind.mass * both);
    const double carried = (kind.excess - 1) * thermal / kind.mass;
    return {kind.partner_excess * thermal / both + carried,
            radius * radius * -std::expm1(-tangential / (radius * radius))};
}

/// Depths are denser near the cut-off, where slow particles come.
std::vector<DriftBuffer::Depth> DriftBuffer::depths(double most) const {
    constexpr int points = 24;
    const auto at = [&](double r) { return unit_.evaluate(0, 0, 1, r * r, false); };
    const auto repulsion = [&](double r) {
        return unit_repulsion_.evaluate(0, 0, 0, r * r, false).vdw.energy;
    };
    const double last = r_cut_ * (1 - 1e-9), least = repulsion(last);
    const auto edge = at(last);
    std::vector<Depth> out;
    for (int i = 0; i < points; ++i) {
        const double x = (i + 0.5) / points, depth = most * x * x;
        const auto u = at(r_cut_ - depth);
        out.push_back({depth, most * 2 * x / points, std::abs(u.vdw.energy - edge.vdw.energy),
                       std::abs(repulsion(r_cut_ - depth) - least),
                       std::abs(u.coulomb.energy - edge.coulomb.energy)});
    }
    return out;
}

double DriftBuffer::missing_fraction(double radius) const {
    if (cluster_ == 1) return 1;
    // A pair is left out if each is the one of its cluster that is nearest to the other. The
    // surface around four neighbours, by Steiner's formula for a tetrahedron as wide as particles
    // of this density lie apart at most, is shared by all four.
    const double pi = std::numbers::pi;
    const double n = static_cast<double>(system_.n_total());
    const double edge = std::cbrt(std::numbers::sqrt2 * at_.volume / n) / radius;
    const double turns = 6 * (pi - std::acos(1.0 / 3)) / (4 * pi);
    const double area = 1 + turns * edge + std::sqrt(3.0) / (4 * pi) * edge * edge;
    // Clusters at random positions leave out a fifth more.
    constexpr double irregular = 1.25;
    return std::min(1.0, irregular * std::pow(area / cluster_, 2));
}

double DriftBuffer::change(const Pair& pair, const Depth& d) const {
    return (pair.dispersion * d.dispersion + pair.repulsion * d.repulsion) / volumes_.attraction +
           pair.charge * d.charge / volumes_.charges;
}

/// Approaches in the order of their spread: the widest, which bring most, first. Constraints point
/// anywhere: the square of the sine between a constraint and the line of a pair, by Gauss' three
/// points over the cosine.
std::vector<DriftBuffer::Approach> DriftBuffer::approaches(const std::vector<Spread>& spreads,
                                                           const std::vector<Depth>& depths) const {
    static constexpr double sine2[] = {1 - 0.0127016653792583, 0.75, 1 - 0.7872983346207417};
    static constexpr double weight[] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    std::vector<Approach> out;
    for (const auto& pair : pairs_) {
        double energy = 0;
        for (const auto& d : depths) energy += d.weight * change(pair, d);
        if (energy == 0) continue;
        const auto &a = spreads[static_cast<std::size_t>(pair.a)],
                   &b = spreads[static_cast<std::size_t>(pair.b)];
        for (int i = 0; i < (a.across > 0 ? 3 : 1); ++i)
            for (int j = 0; j < (b.across > 0 ? 3 : 1); ++j) {
                const double part = (a.across > 0 ? weight[i] : 1) * (b.across > 0 ? weight[j] : 1);
                out.push_back({std::sqrt(a.all + b.all + a.across * sine2[i] + b.across * sine2[j]),
                               part, &pair, part * energy});
            }
    }
    std::sort(out.begin(), out.end(),
              [](const auto& a, const auto& b) { return a.sigma > b.sigma; });
    return out;
}

/// Energy per particle that pairs from beyond the width bring.
double DriftBuffer::drift(double width, const std::vector<Approach>& approaches,
                          const std::vector<Depth>& depths) const {
    constexpr double negligible = 1e-15;  // parts of the sum
    double sum = 0;
    for (const auto& way : approaches) {
        const double from = r_cut_ + width + way.sigma, scale = 0.5 * from * from;
        for (const auto& d : depths) {
            const double come = std::erfc((width + d.depth) / (std::numbers::sqrt2 * way.sigma));
            if (scale * way.energy * come < negligible * sum) break;  // fewer come deeper
            sum += scale * way.part * d.weight * come * change(*way.pair, d);
        }
    }
    return 2 * std::numbers::pi * sum * missing_fraction(r_cut_ + width);
}

namespace {

/// The first of 1 … n at which a function that falls is not above a limit, or n. Its logarithm is
/// taken to be straight between what is known, with a halving wherever that is of no help.
template <class F>
int first_below(double limit, int n, F&& f) {
    int low = 0, high = n;
    double above = 0, below = 0;  // logarithms of f over the limit at both; 0: not known
    for (bool halve = true; high - low > 1;) {
        int k = low + (high - low) / 2;
        if (!halve && above > 0 && below < 0)
            k = std::clamp(
                low + static_cast<int>(std::lround((high - low) * above / (above - below))),
                low + 1, high - 1);
        const int before = high - low;
        const double value = std::log(f(k) / limit);
        if (value > 0)
            low = k, above = value;
        else
            high = k, below = std::isfinite(value) ? value : 0;
        halve = 2 * (high - low) > before;
    }
    return high;
}

}  // namespace

double DriftBuffer::width(int steps) {
    constexpr int parts = 1 << 16;  // of half the cut-off
    if (steps <= 1) return 0;
    constexpr double none = std::numeric_limits<double>::infinity();
    if (at_.kT <= 0) return none;
    const auto [at, fresh] = known_.try_emplace(steps, 0.0);
    if (!fresh) return at->second;
    const double dt = system_.motion.dt;
    std::vector<Spread> spreads;
    double widest = 0;
    for (const auto& kind : kinds_) {
        spreads.push_back(spread(kind, (steps - 1) * dt));
        widest = std::max(widest, spreads.back().all + spreads.back().across);
    }
    const auto inwards = depths(std::min(5 * std::sqrt(2 * widest), 0.5 * r_cut_));
    const double tolerated = system_.list.tolerance * steps * dt;
    const auto ways = approaches(spreads, inwards);
    const auto width_of = [&](int part) { return 0.5 * r_cut_ * part / parts; };
    const auto drift_of = [&](int part) { return drift(width_of(part), ways, inwards); };
    if (drift_of(parts) > tolerated) return at->second = none;
    return at->second = width_of(first_below(tolerated, parts, drift_of));
}

namespace {

/// Energy per particle of unlisted pairs from beyond r_cut + buffer, if separations change by
/// normal deviates of width sigma: ½ ρ ∫ 4π r₀² dr₀ ∫ |U(r) − U(r_cut)| N(r − r₀) dr.
double missed_energy(const PairForce& force, int pair, double density, double buffer,
                     double sigma) {
    constexpr int points = 16;
    const int n = force.spec().n_types;
    const double r_cut = force.spec().r_cut[pair];
    if (r_cut == 0) return 0;
    const auto u = [&](double r) { return force.evaluate(pair / n, pair % n, r * r).energy; };
    const double at_cut = u(r_cut * (1 - 1e-9));
    double sum = 0;
    const double depth = std::min(5 * sigma, 0.5 * r_cut), h = depth / points;
    for (int a = 0; a < points; ++a) {
        const double r = r_cut - (a + 0.5) * h;
        const double energy = std::abs(u(r) - at_cut);  // signs do not cancel
        for (int b = 0; b < points; ++b) {
            const double r0 = r_cut + buffer + (b + 0.5) * h;
            const double x = (r - r0) / sigma;
            sum += std::exp(-0.5 * x * x) * energy * r0 * r0;
        }
    }
    const double norm = 1 / (sigma * std::sqrt(2 * std::numbers::pi));
    return 2 * std::numbers::pi * density * sum * norm * h * h;
}

}  // namespace

double tolerance_buffer(const System& system, double density, double speed, int steps) {
    for (const auto& force : system.forces)
        if (!force.potential().reads.empty())
            throw core::InputError("the pair-list buffer cannot be derived from a drift tolerance",
                                   "the energy of " + force.name() +
                                       " near its cut-off depends on the column '" +
                                       force.potential().reads[0].name + "'",
                                   "Use an exact list.");
    const double dt = system.motion.dt, sigma = std::numbers::sqrt2 * speed * (steps - 1) * dt;
    if (sigma <= 0) return 0;
    const auto drift = [&](double buffer) {
        double most = 0;  // as if all pairs were of the worst types
        for (const auto& force : system.forces)
            for (int p = 0; p < static_cast<int>(force.spec().r_cut.size()); ++p)
                most = std::max(most, missed_energy(force, p, density, buffer, sigma));
        return most / (steps * dt);
    };
    double low = 0, high = 6 * sigma;
    if (drift(high) > system.list.tolerance) return std::numeric_limits<double>::infinity();
    for (int k = 0; k < 20; ++k) {
        const double middle = 0.5 * (low + high);
        (drift(middle) > system.list.tolerance ? low : high) = middle;
    }
    return high;
}

}  // namespace aureole::md
