// SPDX-License-Identifier: Apache-2.0
#include "md/checkpoint/restored_state.hpp"

#include <array>
#include <cstdio>
#include <vector>

namespace aureole::md {

namespace {

constexpr double most = 1e300;

bool between(double x, double low, double high) { return x >= low && x <= high; }  // false for NaN

}  // namespace

void require_box(const core::Box& box) {
    for (const double length : {box.lx, box.ly, box.lz})
        require(between(length, 1e-12, 1e11), "header", "a box length is invalid");
    for (const double tilt : {box.xy, box.xz, box.yz})
        require(between(tilt, -1e6, 1e6), "header", "a box tilt is invalid");
}

const char* problem_of(const MotionSpec& motion) {
    const auto within = [](auto value, auto last) {
        return value >= decltype(value){} && value <= last;
    };
    if (!within(motion.thermostat, GlobalThermostat::bussi)) return "the thermostat is unknown";
    if (!within(motion.scheme, Scheme::fire)) return "the integration scheme is unknown";
    for (const double x : {motion.dt, motion.kT, motion.gamma, motion.tau, motion.longest_move})
        if (!between(x, 0, most)) return "a setting of the integrator is negative or not finite";
    if (!between(motion.dof, 0, most)) return "the number of degrees of freedom is invalid";
    if (motion.thermostat_every < 1 || motion.remove_com_every < 0)
        return "an interval of the integrator is invalid";
    return nullptr;
}

const char* problem_of(const ListSpec& list) {
    if (!between(list.tolerance, 0, most) || !between(list.buffer, 0, most))
        return "the tolerance or the buffer of the pair list is negative or not finite";
    if (list.inner_lifetime < 0 || list.outer_lifetime < 0)
        return "a pair-list lifetime is negative";
    return nullptr;
}

void require_particles(const RestoredColumns& columns) {
    const auto n = columns.position.size();
    const auto finite = [](const Vec3d& a) { return std::isfinite(a.x + a.y + a.z); };
    std::vector<bool> seen(static_cast<std::size_t>(columns.n_total), false);
    for (std::size_t i = 0; i < n; ++i) {
        require(finite(columns.position[i]), "position", "a position is not finite");
        require(finite(columns.velocity[i]), "velocity", "a velocity is not finite");
        require(between(columns.mass[i], 0, heaviest_mass), "mass",
                "a mass is negative or too large");
        require(columns.type[i] >= 0, "type", "a type is negative");
        require(columns.n_types == 0 || columns.type[i] < columns.n_types, "type",
                "a type has no force parameters");
        const Tag tag = columns.tag[i];
        require(tag >= 0 && tag < columns.n_total, "tag", "a tag is out of range");
        const auto name = static_cast<std::size_t>(tag);
        require(!seen[name], "tag", "two particles have the same tag");
        seen[name] = true;
    }
}

void require_masses(std::span<const double> mass, std::span<const Tag> tag,
                    std::span<const std::uint8_t> moves) {
    std::size_t worst = mass.size();  // the one with the lowest tag
    for (std::size_t i = 0; i < mass.size(); ++i) {
        const bool moved = moves.empty() || moves[i] != 0;
        const bool good = mass[i] <= heaviest_mass && (mass[i] > 0 || (mass[i] == 0 && !moved));
        if (!good && (worst == mass.size() || tag[i] < tag[worst])) worst = i;
    }
    if (worst == mass.size()) return;
    std::array<char, 32> value{};
    std::snprintf(value.data(), value.size(), "%g", mass[worst]);
    throw ParticleError("mass",
                        "that of particle " + std::to_string(tag[worst]) + " is " + value.data(),
                        tag[worst]);
}

void require_columns(std::int32_t columns_x, std::int32_t columns_y,
                     std::span<const std::int32_t> particle_start, std::int64_t n) {
    const std::int64_t columns = static_cast<std::int64_t>(columns_x) * columns_y;
    const bool fits = columns_x > 0 && columns_y > 0 &&
                      columns + 1 == static_cast<std::int64_t>(particle_start.size());
    require(fits, "list", "its columns do not form a grid");
    require(particle_start.front() == 0 && particle_start.back() == n, "list.columns",
            "the columns do not hold all particles");
    for (std::size_t c = 1; c < particle_start.size(); ++c)
        require(particle_start[c - 1] <= particle_start[c], "list.columns",
                "the columns are out of order");
}

void require_drift(const DriftBuffer::Conditions& at, const char* name) {
    require(between(at.kT, 0, 1e100) && between(at.volume, 0, 1e36), name,
            "the temperature or volume of its buffer is invalid");
}

void require_tuning(const ListTuning& tuning, std::int64_t step, std::int64_t pruned_at,
                    std::int64_t searched_at) {
    require(between(tuning.inner_floor, 0, 1e6) && between(tuning.outer_floor, 0, 1e6), "list",
            "a displacement limit is not a number");
    require(tuning.inner_lifetime >= 0 && tuning.outer_lifetime >= 0, "list",
            "a pair-list lifetime is negative");
    require(pruned_at <= step && searched_at <= step, "list", "a pair list is from a later step");
}

}  // namespace aureole::md
