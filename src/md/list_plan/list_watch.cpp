// SPDX-License-Identifier: Apache-2.0
#include "md/list_plan/list_watch.hpp"

#include <algorithm>
#include <cmath>

namespace aureole::md {

namespace {

/// The part of a Maxwell-Boltzmann distribution whose square is beyond x, in variances of one axis.
double beyond(double x) {
    const double root = std::sqrt(0.5 * x);
    return std::erfc(root) + 2 / std::sqrt(std::acos(-1.0)) * root * std::exp(-0.5 * x);
}

/// The square beyond which that part is p.
double level_of(double p) {
    double low = 0, high = 1500;
    for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (low + high);
        (beyond(middle) > p ? low : high) = middle;
    }
    return high;
}

/// Lower bound of the expected number of events where n occurred, wrong in one case in ten
/// thousand: Poisson's distribution by Wilson and Hilferty, or its first terms.
double at_least(double n) {
    static constexpr double few[] = {0, 1e-4, 0.014, 0.086, 0.23};
    if (n < 5) return few[static_cast<int>(n)];
    constexpr double deviations = 3.72;
    const double root = 1 - 1 / (9 * n) - deviations / (3 * std::sqrt(n));
    return n * root * root * root;
}

/// Number of events that counts where chance may widen lists: all, unless there are fewer than
/// five.
double likely(double n) { return n < 5 ? at_least(n) : n; }

/// The least factor of variances for which at least surely(n) particles are expected beyond each
/// level that n have passed.
template <class Surely>
double needed_excess(const std::int64_t* counts, double particles, Surely&& surely) {
    double needed = 0, n = 0;
    for (int k = n_motion_levels - 1; k > 0; --k) {
        n += static_cast<double>(counts[k]);
        const double certain = surely(n);
        if (certain <= 0) continue;
        needed = std::max(needed, motion_level(k) / level_of(std::min(1.0, certain / particles)));
    }
    return needed;
}

/// Needed excess of a class or, if it is larger, of both classes with these masses: together they
/// have more particles.
template <class Surely>
double needed_excess(const ListWatch::State& state, const MotionCounts& all, std::size_t of_class,
                     Surely&& surely) {
    const auto other = (of_class + mass_classes) % motion_classes;
    const auto n = [&](std::size_t c) { return static_cast<double>(state.moving[c]); };
    const double own = needed_excess(all.at[of_class], n(of_class), surely);
    if (state.moving[other] == 0) return own;
    std::int64_t both[n_motion_levels];
    for (int k = 0; k < n_motion_levels; ++k) both[k] = all.at[of_class][k] + all.at[other][k];
    return std::max(own, needed_excess(both, n(of_class) + n(other), surely));
}

/// Few values, since widths are computed anew for each.
double rounded_up(double excess) {
    constexpr double steps = 4;  // to a factor of two
    return std::exp2(std::ceil(steps * std::log2(excess) - 1e-9) / steps);
}

constexpr double most_excess = 1e100;

}  // namespace

void ListWatch::forget() {
    state_ = {};
    state_.excess.fill(1), state_.seen.fill(0), state_.moving.fill(0);
}

double ListWatch::fastest() const {
    double variance = 0;
    for (std::size_t c = 0; c < motion_classes; ++c)
        if (state_.moving[c] > 0)
            variance = std::max(variance, state_.excess[c] / std::ldexp(state_.whole.lightest,
                                                                        int(c) % mass_classes));
    return std::sqrt(variance);
}

double ListWatch::excess(double least, double most, bool charged) const {
    if (!anything_moves()) return 1;
    const auto of = [&](double mass) {
        return static_cast<std::size_t>(motion_class(mass, state_.whole.lightest, charged));
    };
    const auto from = state_.excess.begin() + static_cast<std::ptrdiff_t>(of(least));
    return *std::max_element(from,
                             state_.excess.begin() + static_cast<std::ptrdiff_t>(of(most)) + 1);
}

MotionScale ListWatch::scale(double kT, double time, bool assumed) const {
    MotionScale scale{time * state_.whole.drift, {}, 0};
    for (std::size_t c = 0; c < motion_classes; ++c) {
        scale.inverse[c] = 1 / (kT * time * time * (assumed ? state_.excess[c] : 1));
        scale.largest_inverse = std::max(scale.largest_inverse, scale.inverse[c]);
    }
    return scale;
}

void ListWatch::begin(double lightest) {
    forget();
    state_.whole.lightest = lightest;
}

void ListWatch::count(const MotionCounts& particles) {
    for (std::size_t c = 0; c < motion_classes; ++c)
        for (const auto n : particles.at[c]) state_.moving[c] += n;
}

void ListWatch::begin_list(const core::Vec3d& drift) {
    constexpr double forgotten = 0.5;  // of what is assumed, with each list
    state_.whole.drift = drift;
    if (!is_calm()) return;
    for (std::size_t c = 0; c < motion_classes; ++c) {
        auto& excess = state_.excess[c];
        const double wanted = std::max({1.0, forgotten * excess, 1.1 * state_.seen[c]});
        excess = std::min(excess, rounded_up(wanted));
        state_.seen[c] = 0;
    }
}

void ListWatch::heated(double before) {
    for (auto& excess : state_.excess) excess = std::max(1.0, before * excess);
    state_.whole.steps_kept = 0;
}

bool ListWatch::raise(std::size_t of_class, double needed) {
    // Widths are upper bounds by more than this.
    constexpr double negligible = 1.05;
    auto& excess = state_.excess[of_class];
    if (!(needed > negligible * excess)) return false;
    excess = rounded_up(std::min(needed, most_excess));
    return true;
}

bool ListWatch::expect(const MotionCounts& speeds) {
    bool more = false;
    for (std::size_t c = 0; c < motion_classes; ++c)
        if (state_.moving[c] > 0) more |= raise(c, needed_excess(state_, speeds, c, likely));
    return more;
}

bool ListWatch::see(const MotionCounts& displacements) {
    bool more = false;
    for (std::size_t c = 0; c < motion_classes; ++c) {
        if (state_.moving[c] == 0) continue;
        const double assumed = state_.excess[c];
        state_.seen[c] =
            std::max(state_.seen[c], assumed * needed_excess(state_, displacements, c, likely));
        more |= raise(c, assumed * needed_excess(state_, displacements, c, at_least));
    }
    return more;
}

}  // namespace aureole::md
