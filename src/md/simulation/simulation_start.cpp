// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/random.hpp"
#include "md/integrate/motion.kernel.hpp"
#include "md/simulation/simulation.hpp"

// The start of a run: constraints are satisfied and velocities generated.
namespace aureole::md {

void Simulation::constrain_start() {
    ready();
    engine_->satisfy_constraints();
    dirty_ = true;
}

void Simulation::stop_whole() {
    if (system_.motion.remove_com_every <= 0) return;
    ready();
    engine_->stop_whole();
}

void Simulation::thermalize(double kT, std::optional<std::uint64_t> seed) {
    unite();
    if (!(kT >= 0) || !std::isfinite(kT))
        throw core::InputError("kT is invalid", "it must be finite and not negative",
                               "Give kT in units of energy.");
    std::vector<Tag> tags;
    std::vector<double> mass;
    std::vector<std::uint8_t> moves;
    MotionColumns free_axes{};
    std::vector<std::size_t> local;  // sums in tag order: the same velocities in any local order
    const auto look = [&] {
        tags = download_tags(*queue_, system_.particles);
        mass = download(*queue_, system_.particles.mass);
        moves = download(*queue_, system_.particles.moves);
        free_axes.moves = moves.empty() ? nullptr : moves.data();
        local.resize(tags.size());
        for (std::size_t i = 0; i < tags.size(); ++i) local[tags[i]] = i;
    };
    const auto free = [&](std::size_t i, const Vec3d& of) {
        return free_part(free_axes, static_cast<std::int64_t>(i), of);
    };
    look();
    std::vector<Vec3d> v(tags.size());
    Vec3d momentum{};
    double total = 0, twice_kinetic = 0, moving = 0;
    MotionSums sums;
    for (const auto i : local) {
        if (!moves.empty() && moves[i] == 0) continue;
        core::Random random(seed.value_or(system_.seed), core::Stream::velocities,
                            static_cast<std::uint64_t>(system_.step), tags[i]);
        v[i] = std::sqrt(kT / mass[i]) * random.normal3();
        v[i] = free(i, v[i]);
    }
    if (!system_.constraints.empty()) {
        device::copy_from_host(*queue_, system_.particles.velocity.view(), v.data());
        dirty_ = true;
        ready();
        engine_->satisfy_constraints();
        unite();
        look();
        v = download(*queue_, system_.particles.velocity);
    }
    for (const auto i : local) {
        if (!moves.empty() && moves[i] == 0) continue;
        momentum += mass[i] * v[i];
        total += mass[i], moving += 1;
        sums.axes += free_axes.axes(static_cast<std::int64_t>(i));
    }
    const bool remove = moving > 1;
    for (const auto i : local) {
        if (!moves.empty() && moves[i] == 0) continue;
        if (remove) v[i] = free(i, v[i] - (1 / total) * momentum);
        twice_kinetic += mass[i] * dot(v[i], v[i]);
    }
    const double dof = degrees_of_freedom(system_, sums);
    const double scale = twice_kinetic > 0 ? std::sqrt(dof * kT / twice_kinetic) : 0;
    for (auto& one : v) one *= scale;
    device::copy_from_host(*queue_, system_.particles.velocity.view(), v.data());
    dirty_ = true;
}

}  // namespace aureole::md
