// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "md/integrate/molecules.kernel.hpp"
#include "md/molecules_state.hpp"
#include "md/simulation.hpp"

// What only simulations of molecules have: constraints, virtual sites, baths, steepest descent.
namespace aureole::md {

void Simulation::set_constraints(ConstraintSpec spec) {
    constexpr int most = 64;  // terms and corrections; each more gains less than rounding takes
    if (spec.order < 1 || spec.order > most || spec.iterations < 0 || spec.iterations > most)
        throw core::InputError("LINCS cannot work with order " + std::to_string(spec.order) +
                                   " and " + std::to_string(spec.iterations) + " iterations",
                               "it knows orders from 1 and iterations from 0, both to 64",
                               "Use order 4 to 8, and 1 or 2 iterations.");
    system_.constraints = std::move(spec);
    engine_.reset();
    dirty_ = true;
}

void Simulation::set_sites(SiteSpec spec) {
    system_.sites = std::move(spec);
    engine_.reset();
    dirty_ = true;
    std::vector<std::uint8_t> moves(static_cast<std::size_t>(system_.particles.n), moves_freely);
    for (const auto& site : plan_sites(system_.sites))
        moves[static_cast<std::size_t>(site.tag)] = 0;
    set_free_axes(moves);
}

void Simulation::set_free_axes(const std::vector<std::uint8_t>& axes) {
    auto& p = system_.particles;
    if (static_cast<std::int64_t>(axes.size()) != p.n)
        throw core::InputError("the frozen axes do not fit the particles",
                               "one entry per particle is needed", "Give them all.");
    const auto local = to_local_order(axes, download_tags(*queue_, p));
    p.moves = device::Buffer<std::uint8_t>(*queue_, p.n);
    device::copy_from_host(*queue_, p.moves.view(), local.data());
    engine_.reset();
    dirty_ = true;
}

void Simulation::set_coupling(CouplingSpec spec, const std::vector<std::uint8_t>& group_of_tag) {
    check(spec);
    auto& p = system_.particles;
    if (!spec.groups.empty()) {
        if (static_cast<std::int64_t>(group_of_tag.size()) != p.n)
            throw core::InputError("the groups do not fit the particles", "each particle has one",
                                   "Give one entry per particle.");
        for (const auto g : group_of_tag)
            if (g >= spec.groups.size())
                throw core::InputError("a particle is of group " + std::to_string(g),
                                       "there are " + std::to_string(spec.groups.size()),
                                       "Count them from 0.");
        const auto local = to_local_order(group_of_tag, download_tags(*queue_, p));
        p.bath = device::Buffer<std::uint8_t>(*queue_, p.n);
        device::copy_from_host(*queue_, p.bath.view(), local.data());
    }
    system_.coupling = std::move(spec);
    system_.coupled = {};
    system_.first_volume = system_.box.volume();
    engine_.reset();
    dirty_ = true;
}

void Simulation::set_drift_groups(std::vector<std::uint8_t> group_of_tag) {
    if (static_cast<std::int64_t>(group_of_tag.size()) != system_.particles.n)
        throw core::InputError("the groups of drift do not fit the particles",
                               "each particle has one", "Give one entry per particle.");
    system_.drift_group = std::move(group_of_tag);
    system_.drift_groups = count_drift_groups(system_.drift_group);
    engine_.reset();
    dirty_ = true;
}

void Simulation::set_electric_field(const ElectricField& field) {
    system_.field = field;
    engine_.reset();
    dirty_ = true;
}

void Simulation::set_dispersion(TailCorrection wanted) {
    system_.dispersion = make_tail(*queue_, system_, wanted);
}

/// Masses and frozen particles as constraints see them, and whether all this can be run.
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
                                   "forces would throw it out",
                                   "Give it a mass, make it a virtual site, or freeze it.");
    const bool rigid = !s.constraints.empty();
    if ((rigid || s.sites.n > 0) && s.motion.bath != Bath::none)
        throw core::InputError("this integrator moves free particles only",
                               "there are constraints or virtual sites",
                               "Couple the molecules to a bath instead.");
    if (!rigid) return;
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

LargestTurn Simulation::take_largest_turn() {
    return engine_ ? engine_->take_largest_turn() : LargestTurn{};
}

void Simulation::constrain_start() {
    ready();
    engine_->meet_constraints();
    dirty_ = true;
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
            "two particles may lie on each other, " + std::to_string(largest.tag) + " among them",
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

void Simulation::set_mesh(const PmeSpec& mesh) {
    const auto& box = system_.box;
    if (!(box.periodic_x && box.periodic_y && box.periodic_z))
        throw core::InputError("the mesh needs a box that repeats along all axes",
                               "it sums over the waves of the box", "Use a plain cut-off.");
    if (system_.particles.charge.size() == 0)
        throw core::InputError("the mesh has nothing to do", "no particle has a charge",
                               "Give charges.");
    check_mesh_size(mesh.grid, system_.particles.n);
    system_.mesh = mesh;
    engine_.reset();
    dirty_ = true;
}

}  // namespace aureole::md
