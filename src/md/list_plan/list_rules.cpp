// SPDX-License-Identifier: Apache-2.0
#include "md/list_plan/list_rules.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

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
    return {0.2, 1, 0, 0};
}

namespace {

/// The width for which the potentials beside molecules bring no more energy than is tolerated.
double width_of_potentials(const System& system, int steps, const ListConditions& now) {
    if (steps > 1 && now.fastest == 0) return std::numeric_limits<double>::infinity();
    return tolerance_buffer(system, now.density, now.fastest, steps);
}

/// The width for which neither the forces of molecules nor the potentials beside them bring more
/// energy than is tolerated.
double tolerated_width(const System& system, int steps, const ListConditions& now) {
    if (!now.moves) return 0;
    if (now.drift == nullptr) return width_of_potentials(system, steps, now);
    const double of_molecules = now.drift->width(steps);
    if (system.forces.empty()) return of_molecules;
    return std::max(of_molecules, width_of_potentials(system, steps, now));
}

/// Tiles of 4 × 4 per particle in lists of a radius; those of a search also hold what boxes around
/// clusters touch. Parts of the distance of particles, as measured in water.
double tiles(double density, double radius, bool searched) {
    const double beyond = (searched ? 1.5 : 1.03) * std::cbrt(1 / density);
    return 2 * std::numbers::pi / 3 * density / 16 * std::pow(radius + beyond, 3);
}

/// The cheapest lifetimes, by measured costs of a tile relative to those in the force: hydrogens
/// widen a list within femtoseconds, whatever the mean particle does.
ListTuning cheapest_lifetimes(const System& system, const ListTuning& fixed,
                              const ListConditions& now) {
    constexpr double of_pruning = 0.38, of_search = 0.9, of_sorting = 55;
    ListTuning best = fixed;
    double least = std::numeric_limits<double>::infinity();
    // `least_far`: of an outer list for fewer steps, as widths grow with them. Returns the next.
    const auto consider = [&](int inner, int outer, double least_far) {
        if (fixed.inner_lifetime > 0) inner = fixed.inner_lifetime;
        if (fixed.outer_lifetime > 0) outer = std::max(inner, fixed.outer_lifetime);
        const double near = list_width(system, inner, now);
        // A width that was given serves no longer than it can.
        if (fixed.inner_lifetime == 0 && tolerated_width(system, inner, now) > near)
            return least_far;
        const auto cost = [&](double far) {
            const double found = tiles(now.density, now.r_cut + far, true);
            return tiles(now.density, now.r_cut + near, false) + of_pruning * found / inner +
                   (of_search * found + of_sorting) / outer;
        };
        if (cost(std::max(near, least_far)) >= least) return least_far;
        const double far = list_width(system, outer, now);
        if (far <= 2 * now.largest_limit && cost(far) < least)
            least = cost(far), best.inner_lifetime = inner, best.outer_lifetime = outer;
        return far;
    };
    for (const int inner : {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20}) {
        double far = 0;
        for (const int prunings : {2, 3, 4, 5, 6, 8, 10})
            far = consider(inner, inner * prunings, far);
    }
    if (least == std::numeric_limits<double>::infinity()) {  // no room in the box
        if (best.inner_lifetime == 0) best.inner_lifetime = 1;
        if (best.outer_lifetime == 0) best.outer_lifetime = 2;
    }
    return best;
}

}  // namespace

int plan_one_list(const System& system, const ListTuning& tuning, const ListConditions& now) {
    if (now.drift == nullptr || tuning.outer_lifetime > 0 || system.list.outer_lifetime > 0)
        return plan(system, tuning, now).outer_lifetime;
    constexpr double of_search = 4;  // beside a step's forces
    int best = 1;
    double least = std::numeric_limits<double>::infinity();
    for (const int lifetime : {1, 2, 4, 6, 8, 10, 15, 20, 25, 30, 40}) {
        const double width = list_width(system, lifetime, now);
        if (width > 2 * now.largest_limit) break;
        const double cost = std::pow(now.r_cut + width, 3) * (1 + of_search / lifetime);
        if (cost < least) least = cost, best = lifetime;
    }
    return best;
}

ListTuning plan(const System& system, const ListTuning& tuning, const ListConditions& now) {
    // parts of the cut-off
    const bool turns = turns_within_steps(system);
    const double inner_flight = !system.list.exact ? 0.02 : turns ? 0.0065 : 0.0133;
    const double outer_flight = !system.list.exact ? 0.08 : turns ? 0.04 : 0.067;
    const double step = (system.list.exact ? now.thermal_speed : now.fastest) * system.motion.dt;
    const auto lifetime = [&](double flight, double least, double most) {
        const double steps = step > 0 ? flight * now.r_cut / step : most;
        return static_cast<int>(std::clamp(std::round(steps), least, most));
    };
    ListTuning planned = tuning;
    if (system.list.inner_lifetime > 0) planned.inner_lifetime = system.list.inner_lifetime;
    if (system.list.outer_lifetime > 0) planned.outer_lifetime = system.list.outer_lifetime;
    if (now.drift != nullptr) planned = cheapest_lifetimes(system, planned, now);
    if (planned.inner_lifetime == 0) planned.inner_lifetime = lifetime(inner_flight, 2, 50);
    if (planned.outer_lifetime == 0) planned.outer_lifetime = lifetime(outer_flight, 8, 200);
    if (system.list.exact) return planned;
    // Where there is no room for their widths, tolerance lists are made more often: as seldom as
    // there is room, which is found by halving as widths grow with lifetimes.
    const auto shortened = [&](int steps) {
        ListTuning shorter = planned;
        shorter.outer_lifetime = steps;
        shorter.inner_lifetime = std::min(planned.inner_lifetime, steps);
        return shorter;
    };
    const auto fits = [&](int steps) {
        return outer_width(system, shortened(steps), now) <= 2 * now.largest_limit;
    };
    if (fits(planned.outer_lifetime)) return planned;
    int longest = 1, too_long = planned.outer_lifetime;
    while (too_long - longest > 1) {
        const int steps = longest + (too_long - longest) / 2;
        (fits(steps) ? longest : too_long) = steps;
    }
    return shortened(longest);
}

namespace {

LimitRule exact_rule(const System& system, int lifetime, double floor, double acceleration,
                     const ListConditions& now) {
    const double time = lifetime * system.motion.dt;
    const double least = std::min(smallest_limit * now.r_cut, now.largest_limit);
    return {time, std::max(floor * now.thermal_speed * time, least), acceleration,
            now.largest_limit, false};
}

}  // namespace

double list_width(const System& system, int steps, const ListConditions& now) {
    return system.list.buffer > 0 ? system.list.buffer : tolerated_width(system, steps, now);
}

double outer_width(const System& system, const ListTuning& planned, const ListConditions& now) {
    const double inner = list_width(system, planned.inner_lifetime, now);
    const double outer = tolerated_width(system, planned.outer_lifetime, now);
    return now.drift != nullptr ? std::max(inner, outer) : inner + outer;
}

LimitRule outer_rule(const System& system, const ListTuning& planned, const ListConditions& now) {
    if (system.list.exact)
        return exact_rule(system, planned.outer_lifetime, planned.outer_floor, 0, now);
    const double width = outer_width(system, planned, now);
    return {0, std::min(0.5 * width, now.largest_limit), 0, now.largest_limit, true};
}

LimitRule inner_rule(const System& system, const ListTuning& planned, const ListConditions& now) {
    if (system.list.exact)
        return exact_rule(system, planned.inner_lifetime, planned.inner_floor,
                          turns_within_steps(system) ? 0 : inner_acceleration_weight, now);
    const double width = list_width(system, planned.inner_lifetime, now);
    return {0, std::min(0.5 * width, now.largest_limit), 0, now.largest_limit, true};
}

}  // namespace aureole::md
