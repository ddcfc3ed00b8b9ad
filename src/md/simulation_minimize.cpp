// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "md/simulation.hpp"

// FIRE and steepest descent.
namespace aureole::md {

FireResult Simulation::minimize(const FireSpec& spec, const std::function<void()>& interrupted) {
    // Parameters of Bitzek et al., Phys. Rev. Lett. 97, 170201 (2006).
    constexpr double grow = 1.1, shrink = 0.5, alpha_start = 0.1, alpha_shrink = 0.99;
    constexpr int patience = 5;
    const MotionSpec motion = system_.motion;
    const ListSpec list = system_.list;
    const auto stages = std::exchange(system_.stages, {});  // they are for dynamics only
    const auto step = system_.step;
    const auto velocity = download(*queue_, system_.particles.velocity);
    const auto tags = download_tags(*queue_, system_.particles);
    const auto by_tag = to_tag_order(velocity, tags);
    // Tolerance lists are sized for thermal motion, not for a minimisation.
    const auto take_list = [&](const ListSpec& other) {
        system_.list = other;
        if (!list.exact) engine_.reset();
    };
    const auto put_back = [&] {
        take_list(list);
        system_.motion = motion;
        system_.stages = stages;
        system_.step = step;
        const auto back = to_local_order(by_tag, download_tags(*queue_, system_.particles));
        device::copy_from_host(*queue_, system_.particles.velocity.view(), back.data());
        dirty_ = true;
    };
    const auto stand_still = [&] {
        device::fill(*queue_, system_.particles.velocity.view(), Vec3d{});
    };
    FireResult result;
    try {
        const double r_cut = largest_cut_off(system_);
        system_.motion = {};
        system_.motion.dt = spec.dt_start;
        system_.motion.longest_move = r_cut > 0 ? 0.05 * r_cut : 0.1;
        stand_still();
        take_list({});
        dirty_ = true;
        ready();
        double alpha = alpha_start;
        int downhill = 0;
        for (;; ++result.steps) {
            const auto sums = engine_->fire_sums();
            result.max_force = std::sqrt(sums.largest_force2);
            result.converged = result.max_force <= spec.force_tolerance;
            if (result.converged || result.steps >= spec.max_steps) break;
            if (sums.power > 0) {
                const double along = sums.force2 > 0 ? std::sqrt(sums.speed2 / sums.force2) : 0;
                engine_->fire_mix(1 - alpha, alpha * along);
                if (++downhill > patience) {
                    system_.motion.dt = std::min(grow * system_.motion.dt, 10 * spec.dt_start);
                    alpha *= alpha_shrink;
                }
            } else if (result.steps > 0) {
                stand_still();
                downhill = 0, alpha = alpha_start;
                system_.motion.dt = std::max(shrink * system_.motion.dt, 0.02 * spec.dt_start);
            }
            engine_->advance(1);
            engine_->close_steps();
            if (result.steps % 100 == 99) interrupted();
        }
        result.energy = thermo().potential;
    } catch (...) {
        put_back();
        throw;
    }
    put_back();
    return result;
}

FireResult Simulation::descend(const DescentSpec& spec,
                               const std::function<void(const DescentState&)>& tell) {
    constexpr double grow = 1.2, shrink = 0.5;
    ready();
    FireResult result;
    const double tail =
        system_.dispersion.wanted() ? system_.dispersion.at(system_.box.volume()).energy : 0;
    const auto potential = [&] { return engine_->potential().total.energy + tail; };
    double step = spec.step, energy = potential();
    auto largest = engine_->largest_force();
    if (!std::isfinite(energy + largest.square))
        throw core::Error(
            "the energy of the start is not finite",
            "two particles may coincide, " + std::to_string(largest.tag) + " among them",
            "Move them apart.");
    for (;; ++result.steps) {
        result.max_force = std::sqrt(largest.square), result.energy = energy;
        result.converged = result.max_force < spec.force_tolerance;
        tell({result.steps, step, energy, result.max_force, largest.tag});
        if (result.converged || result.steps >= spec.max_steps || step < spec.least_step) break;
        if (!engine_->descend(step)) {
            step *= shrink;
        } else if (const double next = potential(); next < energy) {
            energy = next;
            step *= grow;
        } else {
            engine_->ascend();
            step *= shrink;
        }
        largest = engine_->largest_force();
    }
    return result;
}

}  // namespace aureole::md
