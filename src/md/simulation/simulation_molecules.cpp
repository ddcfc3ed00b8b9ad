// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "md/checkpoint/molecules_state.hpp"
#include "md/integrate/molecules.kernel.hpp"
#include "md/simulation/simulation.hpp"
#include "md/stages/registry.hpp"

// What only simulations of molecules have: constraints, virtual sites, couplings.
namespace aureole::md {

void Simulation::set_constraints(ConstraintSpec spec) {
    unite();
    constexpr int most = 64;  // terms and corrections; each more gains less than rounding takes
    if (spec.order < 1 || spec.order > most || spec.iterations < 0 || spec.iterations > most)
        throw core::InputError("LINCS cannot work with order " + std::to_string(spec.order) +
                                   " and " + std::to_string(spec.iterations) + " iterations",
                               "the order must be 1 to 64, and the number of iterations 0 to 64",
                               "Use order 4 to 8, and 1 or 2 iterations.");
    system_.constraints = std::move(spec);
    engine_.reset();
    dirty_ = true;
}

void Simulation::set_sites(SiteSpec spec) {
    unite();
    system_.sites = std::move(spec);
    derive_moves();
}

void Simulation::set_free_axes(const std::vector<std::uint8_t>& axes) {
    unite();
    if (static_cast<std::int64_t>(axes.size()) != system_.particles.n)
        throw core::InputError("the array of frozen axes has the wrong length",
                               "it needs one entry per particle", "Give all entries.");
    system_.free_axes = axes;
    derive_moves();
}

/// The axes along which a particle moves follow from three settings, in any order: those
/// that are not frozen, the integrator's group, and virtual sites.
void Simulation::derive_moves() {
    auto& p = system_.particles;
    std::vector<std::uint8_t> axes = system_.free_axes;
    const auto some = [&] { axes.resize(static_cast<std::size_t>(p.n), moves_freely); };
    if (!system_.group.empty()) some();
    for (std::size_t i = 0; i < system_.group.size(); ++i)
        if (system_.group[i] == 0) axes[i] = 0;
    if (system_.sites.n > 0) some();
    for (const auto& site : plan_sites(system_.sites)) axes[static_cast<std::size_t>(site.tag)] = 0;
    p.moves = {};
    if (!axes.empty())
        p.moves = to_device(*queue_, to_local_order(axes, download_tags(*queue_, p)));
    engine_.reset();
    dirty_ = true;
}

void Simulation::set_start(double start) {
    system_.coupling.start = start;
    dirty_ = true;
}

void Simulation::set_coupling(CouplingSpec spec, const std::vector<std::uint8_t>& group_of_tag) {
    unite();
    check(spec);
    auto& p = system_.particles;
    p.thermostat_group = {};
    if (!spec.groups.empty()) {
        if (static_cast<std::int64_t>(group_of_tag.size()) != p.n)
            throw core::InputError("the array of coupling groups has the wrong length",
                                   "it needs one entry per particle", "Give all entries.");
        for (const auto g : group_of_tag)
            if (g >= spec.groups.size())
                throw core::InputError(
                    "a particle is in coupling group " + std::to_string(g),
                    "there are " + std::to_string(spec.groups.size()) + " groups",
                    "Number groups from 0.");
        p.thermostat_group =
            to_device(*queue_, to_local_order(group_of_tag, download_tags(*queue_, p)));
    }
    system_.coupling = std::move(spec);
    system_.coupled = {};
    system_.first_volume = system_.box.volume();
    engine_.reset();
    dirty_ = true;
}

void Simulation::set_drift_groups(std::vector<std::uint8_t> group_of_tag) {
    unite();
    if (static_cast<std::int64_t>(group_of_tag.size()) != system_.particles.n)
        throw core::InputError("the array of drift groups has the wrong length",
                               "it needs one entry per particle", "Give all entries.");
    system_.drift_group = std::move(group_of_tag);
    system_.drift_groups = count_drift_groups(system_.drift_group);
    engine_.reset();
    dirty_ = true;
}

void Simulation::set_electric_field(const ElectricField& field) {
    unite();
    system_.field = field;
    engine_.reset();
    dirty_ = true;
}

void Simulation::set_dispersion(TailCorrection wanted) {
    unite();
    system_.tail = wanted;
    engine_.reset();
    dirty_ = true;
}

/// Checks the combination of settings.
void Simulation::check_motion() const {
    const auto& m = system_.motion;
    if (m.thermostat != GlobalThermostat::none && m.scheme != Scheme::plain)
        throw core::InputError("this integrator does not support that thermostat",
                               "it uses coupling groups with temperatures instead",
                               "Set the coupling, or choose velocity Verlet.");
    if (m.thermostat != GlobalThermostat::none && m.coupled)
        throw core::InputError("there are two thermostats", "they would act against each other",
                               "Use either the coupling or the integrator's own thermostat.");
    if (!system_.list.exact)
        for (const auto& stage : system_.stages)
            if (stage_kind(stage.name).changes == Changes::positions)
                throw core::InputError(stage.name + " cannot move particles with this pair list",
                                       "tolerance lists are sized for thermal motion only",
                                       "Use an exact list.");
}

namespace {

void check_stages_beside_constraints(const System& system) {
    for (const auto& stage : system.stages) {
        const char* why = stage_kind(stage.name).no_constraints;
        if (why == nullptr) continue;
        for (const auto* terms : {&system.constraints.settle, &system.constraints.constraint})
            for (const auto tag : terms->particles)
                if (stage.group.empty() || stage.group[static_cast<std::size_t>(tag)] != 0)
                    throw core::InputError(
                        stage.name + " acts on particle " + std::to_string(tag) +
                            ", which is constrained",
                        why,
                        "Give it a group without constrained particles, or use another stage.");
    }
}

}  // namespace

/// Masses and frozen particles for constraints; checks that the combination can be run.
void Simulation::check_molecules() {
    auto& s = system_;
    auto& p = s.particles;
    const auto tags = download_tags(*queue_, p);
    const auto mass = to_tag_order(download(*queue_, p.mass), tags);
    auto moves =
        to_tag_order(download(*queue_, p.moves), p.moves.size() > 0 ? tags : decltype(tags){});
    for (std::size_t i = 0; i < mass.size(); ++i)
        if (!(mass[i] > 0) && (moves.empty() || moves[i] != 0))
            throw core::InputError("particle " + std::to_string(i) + " has no mass",
                                   "any force would accelerate it without limit",
                                   "Give it a mass, make it a virtual site, or freeze it.");
    if (s.constraints.empty()) return;
    check_stages_beside_constraints(s);
    s.constraints.mass = mass;
    if (moves.empty()) return;
    const auto check = [&](const TermColumns& terms) {
        for (const auto tag : terms.particles) {
            const auto free = moves[static_cast<std::size_t>(tag)];
            if (free != 0 && free != moves_freely)
                throw core::InputError(
                    "particle " + std::to_string(tag) + " is frozen along some axes",
                    "a constraint would move it along them", "Freeze all axes, or none.");
            if (free == 0)
                s.constraints.mass[static_cast<std::size_t>(tag)] =
                    std::numeric_limits<double>::infinity();
        }
    };
    check(s.constraints.settle), check(s.constraints.constraint);
}

LargestRotation Simulation::take_largest_rotation() {
    return engine_ ? engine_->take_largest_rotation() : LargestRotation{};
}

void Simulation::set_mesh(const MeshSpec& mesh) {
    unite();
    const auto& box = system_.box;
    if (!(box.periodic_x && box.periodic_y && box.periodic_z))
        throw core::InputError("PME needs a box that is periodic along all axes",
                               "it sums over the reciprocal vectors of the box",
                               "Use a plain cut-off.");
    if (system_.particles.charge.size() == 0)
        throw core::InputError("PME needs charges", "no particle has a charge", "Give charges.");
    check_mesh_size(mesh.grid, system_.particles.n);
    system_.mesh = mesh;
    engine_.reset();
    dirty_ = true;
}

}  // namespace aureole::md
