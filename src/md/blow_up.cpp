// SPDX-License-Identifier: Apache-2.0
#include "md/blow_up.hpp"

#include <cmath>
#include <limits>

namespace aureole::md {

core::BlowUp diagnose(device::Queue& queue, const System& system, std::uint32_t tag) {
    const auto tags = download_tags(queue, system.particles);
    const auto position = to_tag_order(download(queue, system.particles.position), tags);
    const auto velocity = to_tag_order(download(queue, system.particles.velocity), tags);
    const auto type = to_tag_order(download(queue, system.particles.type), tags);
    core::BlowUp what;
    what.step = system.step;
    what.tag = tag;
    const auto finite = [](const Vec3d& a) {
        return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
    };
    if (!finite(position[tag]) || !finite(velocity[tag])) {
        what.force = finite(position[tag]) ? "velocity" : "position";
        what.value = std::numeric_limits<double>::quiet_NaN();
        return what;
    }
    double worst = -1;
    const auto consider = [&](double size, std::int64_t partner, const std::string& force) {
        if (!std::isfinite(size)) size = std::numeric_limits<double>::infinity();
        if (size <= worst) return;
        worst = size;
        what.partner = partner, what.force = force, what.value = size;
    };
    const auto charge = to_tag_order(download(queue, system.particles.charge),
                                     system.particles.charge.size() > 0 ? tags : decltype(tags){});
    for (std::size_t j = 0; j < position.size(); ++j) {
        if (j == tag || !finite(position[j])) continue;
        const auto d = system.box.minimum_image(position[tag] - position[j]);
        const double r2 = dot(d, d), r = std::sqrt(r2);
        const auto partner = static_cast<std::int64_t>(j);
        const bool excluded = system.exclusions.between(tag, static_cast<std::uint32_t>(j));
        for (const auto& force : system.forces)
            if (!excluded)
                consider(std::abs(force.evaluate(type[tag], type[j], r2).force_over_r) * r, partner,
                         force.name());
        if (!system.nonbonded) continue;
        const double charges = charge.empty() ? 0 : charge[tag] * charge[j];
        const auto pair = system.nonbonded->evaluate(type[tag], type[j], charges, r2, excluded);
        consider(std::abs(pair.vdw.force_over_r) * r, partner, "vdw");
        consider(std::abs(pair.coulomb.force_over_r) * r, partner, "coulomb");
    }
    system.bonded.for_each(
        system.box, position,
        [&](std::size_t k, const std::int32_t* members, const TermResult& result) {
            const int n = system.bonded.lists()[k].kind->particles;
            for (int p = 0; p < n; ++p) {
                if (static_cast<std::uint32_t>(members[p]) != tag) continue;
                const auto& f = result.force[static_cast<std::size_t>(p)];
                consider(std::sqrt(dot(f, f)), n > 1 ? members[p > 0 ? p - 1 : 1] : -1,
                         system.bonded.name(k));
            }
        });
    const double speed = std::sqrt(dot(velocity[tag], velocity[tag]));
    const double mass = 1;
    if (speed * mass > worst * system.motion.dt) {  // it flew without being pushed
        what.force = "velocity", what.partner = -1, what.value = speed;
    }
    return what;
}

void throw_blow_up(const core::BlowUp& what) {
    const auto number = [](double v) {
        char text[32];
        std::snprintf(text, sizeof text, "%.4g", v);
        return std::string(text);
    };
    std::string why = "its " + what.force + " is " + number(what.value);
    if (what.partner >= 0)
        why = what.force + " with particle " + std::to_string(what.partner) + " gives a force of " +
              number(what.value);
    throw core::BlowUpError(
        "particle " + std::to_string(what.tag) + " was thrown out of its place at step " +
            std::to_string(what.step),
        why, "Minimise first, shorten dt, or look for overlaps and wrong parameters there.", what);
}

}  // namespace aureole::md
