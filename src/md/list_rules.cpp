// SPDX-License-Identifier: Apache-2.0
#include "md/list_rules.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/error.hpp"

namespace aureole::md {

namespace {

/// Forces along bonds and constraints turn hydrogens around within femtoseconds: what such a force
/// would carry a particle away by in free flight says nothing about where it will be.
bool turns_within_steps(const System& system) {
    return !system.constraints.empty() || !system.bonded.empty();
}

}  // namespace

ListTuning default_tuning(const System& system) {
    if (turns_within_steps(system)) return {3, 2, 0, 0};
    return {0.3, 0.8, 0, 0};
}

namespace {

/// Tiles of 4 × 4 per particle in lists of a radius; those of a search also hold what boxes around
/// clusters touch. Parts of the distance of particles, as measured in water.
double tiles(double density, double radius, bool searched) {
    const double beyond = (searched ? 1.5 : 1.03) * std::cbrt(1 / density);
    return 2 * std::numbers::pi / 3 * density / 16 * std::pow(radius + beyond, 3);
}

/// Lives that cost least by what tiles were measured to cost beside a force's: hydrogens widen a
/// list within femtoseconds, whatever the mean particle does.
ListTuning cheapest_lives(const System& system, const ListTuning& fixed,
                          const ListConditions& now) {
    constexpr double of_pruning = 0.38, of_search = 0.9, of_sorting = 55;
    const double density = static_cast<double>(system.particles.n) / system.box.volume();
    ListTuning best = fixed;
    double least = std::numeric_limits<double>::infinity();
    const auto consider = [&](int inner, int outer) {
        if (fixed.inner_life > 0) inner = fixed.inner_life;
        if (fixed.outer_life > 0) outer = std::max(inner, fixed.outer_life);
        const double near = list_width(system, inner, now), far = list_width(system, outer, now);
        if (far > 2 * now.most_reach) return;
        const double found = tiles(density, now.r_cut + far, true);
        const double cost = tiles(density, now.r_cut + near, false) + of_pruning * found / inner +
                            (of_search * found + of_sorting) / outer;
        if (cost < least) least = cost, best.inner_life = inner, best.outer_life = outer;
    };
    for (const int inner : {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20})
        for (const int prunings : {2, 3, 4, 5, 6, 8, 10}) consider(inner, inner * prunings);
    if (least == std::numeric_limits<double>::infinity()) {  // no room in the box
        if (best.inner_life == 0) best.inner_life = 1;
        if (best.outer_life == 0) best.outer_life = 2;
    }
    return best;
}

}  // namespace

int plan_one_list(const System& system, const ListTuning& tuning, const ListConditions& now) {
    if (now.drift == nullptr || tuning.outer_life > 0 || system.list.outer_life > 0)
        return plan(system, tuning, now).outer_life;
    constexpr double of_search = 4;  // beside a step's forces
    int best = 1;
    double least = std::numeric_limits<double>::infinity();
    for (const int life : {1, 2, 4, 6, 8, 10, 15, 20, 25, 30, 40}) {
        const double width = list_width(system, life, now);
        if (width > 2 * now.most_reach) break;
        const double cost = std::pow(now.r_cut + width, 3) * (1 + of_search / life);
        if (cost < least) least = cost, best = life;
    }
    return best;
}

ListTuning plan(const System& system, const ListTuning& tuning, const ListConditions& now) {
    // parts of the cut-off
    const bool turns = turns_within_steps(system);
    const double inner_flight = !system.list.exact ? 0.02 : turns ? 0.0065 : 0.0116;
    const double outer_flight = !system.list.exact ? 0.08 : turns ? 0.04 : 0.05;
    const double step = now.thermal_speed * system.motion.dt;
    const auto life = [&](double flight, double least, double most) {
        const double steps = step > 0 ? flight * now.r_cut / step : most;
        return static_cast<int>(std::clamp(std::round(steps), least, most));
    };
    ListTuning planned = tuning;
    if (system.list.inner_life > 0) planned.inner_life = system.list.inner_life;
    if (system.list.outer_life > 0) planned.outer_life = system.list.outer_life;
    if (now.drift != nullptr) return cheapest_lives(system, planned, now);
    if (planned.inner_life == 0) planned.inner_life = life(inner_flight, 2, 50);
    if (planned.outer_life == 0) planned.outer_life = life(outer_flight, 8, 200);
    return planned;
}

namespace {

/// A reach that makes sense for particles at rest as well.
constexpr double least_reach = 0.002;  ///< parts of the cut-off

ReachRule exact_rule(const System& system, int life, double floor, double acceleration,
                     const ListConditions& now) {
    const double time = life * system.motion.dt;
    const double least = std::min(least_reach * now.r_cut, now.most_reach);
    return {time, std::max(floor * now.thermal_speed * time, least), acceleration, now.most_reach,
            false};
}

}  // namespace

double list_width(const System& system, int steps, const ListConditions& now) {
    if (system.list.buffer > 0) return system.list.buffer;
    if (now.drift != nullptr) return now.drift->width(steps);
    return tolerance_buffer(system, now.thermal_speed, steps * system.motion.dt);
}

ReachRule outer_rule(const System& system, const ListTuning& planned, const ListConditions& now) {
    if (system.list.exact)
        return exact_rule(system, planned.outer_life, planned.outer_floor, 0, now);
    const double life = planned.outer_life * system.motion.dt;
    const double inner = list_width(system, planned.inner_life, now);
    const double width = now.drift != nullptr
                             ? std::max(inner, now.drift->width(planned.outer_life))
                             : inner + tolerance_buffer(system, now.thermal_speed, life);
    return {0, std::min(0.5 * width, now.most_reach), 0, now.most_reach, true};
}

ReachRule inner_rule(const System& system, const ListTuning& planned, const ListConditions& now) {
    if (system.list.exact)
        return exact_rule(system, planned.inner_life, planned.inner_floor,
                          turns_within_steps(system) ? 0 : inner_acceleration_weight, now);
    const double width = list_width(system, planned.inner_life, now);
    return {0, std::min(0.5 * width, now.most_reach), 0, now.most_reach, true};
}

namespace {

/// Energy per particle that pairs beyond r_cut + buffer bring in unseen, if separations change by
/// normal deviates of width sigma: ½ ρ ∫ 4π r₀² dr₀ ∫ (U(r) − U(r_cut)) N(r − r₀) dr.
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
        const double energy = u(r) - at_cut;
        for (int b = 0; b < points; ++b) {
            const double r0 = r_cut + buffer + (b + 0.5) * h;
            const double x = (r - r0) / sigma;
            sum += std::exp(-0.5 * x * x) * energy * r0 * r0;
        }
    }
    const double norm = 1 / (sigma * std::sqrt(2 * std::numbers::pi));
    return 2 * std::numbers::pi * density * std::abs(sum) * norm * h * h;
}

}  // namespace

double tolerance_buffer(const System& system, double thermal_speed, double time) {
    for (const auto& force : system.forces)
        if (!force.potential().reads.empty())
            throw core::InputError("no width of the pair list follows from the tolerated drift",
                                   "how fast the energy of " + force.name() +
                                       " rises within its cut-off depends on " + "the column '" +
                                       force.potential().reads[0].name + "'",
                                   "Use an exact list.");
    const double sigma = std::numbers::sqrt2 * thermal_speed * time;
    if (sigma <= 0) return 0;
    const double density = static_cast<double>(system.particles.n) / system.box.volume();
    const auto drift = [&](double buffer) {
        double most = 0;  // as if all pairs were of the worst types
        for (const auto& force : system.forces)
            for (int p = 0; p < static_cast<int>(force.spec().r_cut.size()); ++p)
                most = std::max(most, missed_energy(force, p, density, buffer, sigma));
        return most / time;
    };
    double low = 0, high = 6 * sigma;
    for (int k = 0; k < 20; ++k) {
        const double middle = 0.5 * (low + high);
        (drift(middle) > system.list.tolerance ? low : high) = middle;
    }
    return high;
}

}  // namespace aureole::md
