// SPDX-License-Identifier: Apache-2.0
#include "md/list_rules.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace aureole::md {

ListTuning default_tuning() { return {0.3, 0.8, 0, 0}; }

ListTuning plan(const System& system, const ListTuning& tuning, const ListConditions& now) {
    // parts of the cut-off
    const double inner_flight = system.list.exact ? 0.0116 : 0.02;
    const double outer_flight = system.list.exact ? 0.05 : 0.08;
    const double step = now.thermal_speed * system.motion.dt;
    const auto life = [&](double flight, double least, double most) {
        const double steps = step > 0 ? flight * now.r_cut / step : most;
        return static_cast<int>(std::clamp(std::round(steps), least, most));
    };
    ListTuning planned = tuning;
    if (system.list.inner_life > 0) planned.inner_life = system.list.inner_life;
    if (system.list.outer_life > 0) planned.outer_life = system.list.outer_life;
    if (now.drift != nullptr) {
        // The best of a flat optimum: hydrogens widen a list within femtoseconds, whatever the mean
        // particle does.
        if (planned.inner_life == 0) planned.inner_life = 5;
        if (planned.outer_life == 0) planned.outer_life = 30;
        return planned;
    }
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

double list_width(const System& system, double time, const ListConditions& now) {
    if (system.list.buffer > 0) return system.list.buffer;
    if (now.drift != nullptr) return now.drift->width(time);
    return tolerance_buffer(system, now.thermal_speed, time);
}

ReachRule outer_rule(const System& system, const ListTuning& planned, const ListConditions& now) {
    if (system.list.exact)
        return exact_rule(system, planned.outer_life, planned.outer_floor, 0, now);
    const double life = planned.outer_life * system.motion.dt;
    const double inner = list_width(system, planned.inner_life * system.motion.dt, now);
    const double width = now.drift != nullptr
                             ? std::max(inner, now.drift->width(life))
                             : inner + tolerance_buffer(system, now.thermal_speed, life);
    return {0, std::min(0.5 * width, now.most_reach), 0, now.most_reach, true};
}

ReachRule inner_rule(const System& system, const ListTuning& planned, const ListConditions& now) {
    if (system.list.exact)
        return exact_rule(system, planned.inner_life, planned.inner_floor,
                          inner_acceleration_weight, now);
    const double width = list_width(system, planned.inner_life * system.motion.dt, now);
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
