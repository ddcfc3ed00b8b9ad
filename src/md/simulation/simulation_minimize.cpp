// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "md/simulation/simulation.hpp"

// FIRE and steepest descent.
namespace aureole::md {

/// Tolerance lists are sized for thermal motion; a minimisation goes as far as it likes.
template <class Work>
FireResult Simulation::with_exact_lists(Work&& work) {
    const auto take = [&](const ListSpec& list) {
        if (!list.exact || !system_.list.exact) engine_.reset();
        return std::exchange(system_.list, list);
    };
    const ListSpec own = take({});
    try {
        const auto result = work();
        take(own);
        return result;
    } catch (...) {
        take(own);
        throw;
    }
}

FireResult Simulation::minimize(const FireSpec& spec, const std::function<void()>& interrupted) {
    if (!system_.constraints.empty())
        throw core::InputError(
            "FIRE cannot minimise with constraints",
            "its velocities follow the full force, including its part along the constraints",
            "Use SteepestDescent, or remove the constraints.");
    unite();
    constexpr std::int64_t steps_at_once = 100;
    const MotionSpec motion = system_.motion;
    const StepCounts counts = system_.counts;
    const auto stages = std::exchange(system_.stages, {});  // they are for dynamics only
    const auto step = system_.step;
    const auto velocity = download(*queue_, system_.particles.velocity);
    const auto tags = download_tags(*queue_, system_.particles);
    const auto by_tag = to_tag_order(velocity, tags);
    const auto put_back = [&] {
        system_.motion = motion;
        system_.stages = stages;
        system_.step = step;
        system_.counts = counts;
        const auto back = to_local_order(by_tag, download_tags(*queue_, system_.particles));
        device::copy_from_host(*queue_, system_.particles.velocity.view(), back.data());
        dirty_ = true;
    };
    FireResult result;
    try {
        const double r_cut = largest_cut_off(system_);
        system_.motion = {};
        system_.motion.dt = spec.dt_start;
        system_.motion.longest_move = r_cut > 0 ? 0.05 * r_cut : 0.1;
        system_.motion.scheme = Scheme::fire;
        device::fill(*queue_, system_.particles.velocity.view(), Vec3d{});
        dirty_ = true;
        result = with_exact_lists([&] {
            ready();
            engine_->begin_fire(spec);
            auto found = engine_->fire();
            while (!found.converged && found.steps < spec.max_steps) {
                make_steps([&] {
                    engine_->advance(std::min(steps_at_once, spec.max_steps - found.steps));
                });
                interrupted();
                found = engine_->fire();
            }
            return FireResult{found.converged, found.steps, found.max_force, thermo().potential};
        });
    } catch (...) {
        put_back();
        throw;
    }
    put_back();
    return result;
}

FireResult Simulation::descend(const DescentSpec& spec,
                               const std::function<void(const DescentState&)>& tell) {
    unite();
    return with_exact_lists([&] { return follow_forces(spec, tell); });
}

FireResult Simulation::follow_forces(const DescentSpec& spec,
                                     const std::function<void(const DescentState&)>& tell) {
    ready();
    FireResult result;
    const double tail =
        system_.dispersion.wanted() ? system_.dispersion.at(system_.box.volume()).energy : 0;
    auto now = engine_->begin_descent(spec.step, tail);
    if (!std::isfinite(now.energy + now.largest.square))
        throw core::Error("the initial energy is not finite",
                          "two particles may coincide, one of which is particle " +
                              std::to_string(now.largest.tag),
                          "Move them apart.");
    for (;; ++result.steps) {
        result.max_force = std::sqrt(now.largest.square), result.energy = now.energy;
        result.converged = result.max_force < spec.force_tolerance;
        tell({result.steps, now.step, now.energy, result.max_force, now.largest.tag});
        if (result.converged || result.steps >= spec.max_steps || now.step < spec.least_step) break;
        make_steps([&] { now = engine_->descend(); });
    }
    return result;
}

}  // namespace aureole::md
