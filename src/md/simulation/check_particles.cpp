// SPDX-License-Identifier: Apache-2.0
#include "md/simulation/check_particles.hpp"

#include <cmath>
#include <string>

#include "core/error.hpp"
#include "md/neighbor/cluster_layout.hpp"

namespace aureole::md {

void check(const core::Box& box) {
    for (const double v : {box.lx, box.ly, box.lz, box.xy, box.xz, box.yz})
        if (!std::isfinite(v))
            throw core::InputError("the box is not finite", "a length or tilt is not a number",
                                   "Give finite lengths and tilts.");
    if (!(box.lx > 0 && box.ly > 0 && box.lz > 0))
        throw core::InputError("the box has no volume", "every length must be positive",
                               "Give positive lengths.");
    // Kernels take coordinates beyond filler_threshold for fillers; half a box must stay below.
    constexpr double longest = filler_threshold;
    for (const double v :
         {box.lx, box.ly, box.lz, box.ly * box.xy, box.lz * box.xz, box.lz * box.yz})
        if (std::abs(v) > longest)
            throw core::InputError("the box is longer than 1e11", "the system is too dilute",
                                   "Raise the density or choose a larger unit of length.");
}

void check(const ParticleData& data, int n_types) {
    const auto n = data.position.size();
    if (data.velocity.size() != n || data.mass.size() != n || data.type.size() != n ||
        data.image.size() != n || (!data.charge.empty() && data.charge.size() != n))
        throw core::InputError("particle arrays differ in length",
                               std::to_string(n) + " positions were given",
                               "Give every array one row per particle.");
    if (n > 0x7FFFFF00)
        throw core::InputError("there are too many particles", "the limit is 2,147,483,392",
                               "Simulate fewer particles.");
    const auto finite = [](const Vec3d& v) {
        return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
    };
    for (std::size_t i = 0; i < n; ++i) {
        const auto who = "particle " + std::to_string(i);
        if (!finite(data.position[i]) || !finite(data.velocity[i]))
            throw core::InputError(who + " has a position or velocity that is not finite",
                                   "the input holds NaN or infinity", "Correct this particle.");
        if (!data.charge.empty() && !std::isfinite(data.charge[i]))
            throw core::InputError(who + " has a charge that is not finite",
                                   "it is " + std::to_string(data.charge[i]),
                                   "Give a finite number.");
        if (data.mass[i] > heaviest_mass && std::isfinite(data.mass[i]))
            throw core::InputError(who + " has a mass above 1e100",
                                   "products of masses must be finite",
                                   "To fix a particle, freeze it.");
        if (!(data.mass[i] >= 0) || !std::isfinite(data.mass[i]))
            throw core::InputError(
                who + " has a negative or non-finite mass", "it is " + std::to_string(data.mass[i]),
                "Give a positive mass. To fix a particle, leave it out of the integrated group.");
        if (data.type[i] < 0 || data.type[i] >= n_types)
            throw core::InputError(who + " has the unknown type " + std::to_string(data.type[i]),
                                   "there are " + std::to_string(n_types) + " types",
                                   "Add its name to the types.");
    }
}

}  // namespace aureole::md
