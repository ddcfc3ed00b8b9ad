// SPDX-License-Identifier: Apache-2.0
#include "md/system/system.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "md/stages/registry.hpp"

namespace aureole::md {

MotionColumns motion_columns(Particles& particles) {
    auto& p = particles;
    return {p.position.data(),
            p.velocity.data(),
            p.mass.data(),
            p.tag.data(),
            p.moves.size() > 0 ? p.moves.data() : nullptr,
            p.uniform_mass > 0 ? 1 / p.uniform_mass : 0};
}

double largest_cut_off(const System& system) {
    double r = system.nonbonded ? system.nonbonded->r_cut() : 0;
    for (const auto& force : system.forces) r = std::max(r, force.r_cut_max());
    return r;
}

std::vector<std::string> term_names(const System& system) {
    std::vector<std::string> names;
    for (const auto& force : system.forces) names.push_back(force.name());
    if (system.nonbonded) names.insert(names.end(), {"vdw", "coulomb"});
    if (system.mesh) names.emplace_back("mesh");
    for (std::size_t k = 0; k < system.bonded.lists().size(); ++k)
        names.push_back(system.bonded.name(k));
    for (const auto& external : system.externals) names.push_back(external.name);
    if (system.dispersion.wanted()) names.emplace_back("dispersion_correction");
    return names;
}

std::string describe_forces(System& system) {
    std::string forces, columns;
    for (const auto& name : term_names(system)) forces += (forces.empty() ? "" : ", ") + name;
    system.particles.for_each_column([&](const AnyColumn& column) {
        const auto& spec = column.spec();
        if (!spec.of_user) return;
        columns += (columns.empty() ? "" : ", ") + spec.name;
        if (!spec.unit.empty()) columns += " [" + spec.unit + "]";
    });
    std::string text;
    if (!forces.empty()) text += "Forces: " + forces + ".\n";
    if (!columns.empty()) text += "Added columns: " + columns + ".\n";
    return text;
}

PmeSpec System::pme() const {
    if (!nonbonded || nonbonded->spec().coulomb != Coulomb::ewald)
        throw core::InputError("PME needs Ewald electrostatics",
                               "the non-bonded forces are missing or use a reaction field",
                               "Choose Coulomb::ewald.");
    const auto& charges = nonbonded->spec();
    return {mesh->grid,    mesh->order,   charges.beta,    charges.unit_charge_energy(),
            mesh->kernels, mesh->library, mesh->both_signs};
}

PairSettings System::pairs() const {
    std::vector<std::string> changing{"velocity"};
    for (const auto& stage : stages)
        for (const auto& column : stage_kind(stage.name).columns)
            if (column.written) changing.emplace_back(column.name);
    return {forces, nonbonded, std::move(changing)};
}

namespace {

/// Constraints that bind particles that move.
double constraint_count(const ConstraintSpec& spec) {
    const auto fixed = [&](std::int32_t tag) {
        const auto i = static_cast<std::size_t>(tag);
        return i < spec.mass.size() && std::isinf(spec.mass[i]);
    };
    double count = 0;
    const auto& waters = spec.settle.particles;
    for (std::size_t k = 0; k + 2 < waters.size(); k += 3) count += fixed(waters[k]) ? 0 : 3;
    const auto& ends = spec.constraint.particles;
    for (std::size_t k = 0; k + 1 < ends.size(); k += 2)
        count += fixed(ends[k]) && fixed(ends[k + 1]) ? 0 : 1;
    return count;
}

}  // namespace

double degrees_of_freedom(const System& system, const MotionSums& sums) {
    if (system.motion.dof > 0) return system.motion.dof;
    const bool all = !system.particles.moves.in_use();
    const bool keeps_momentum = all && system.motion.thermostat != GlobalThermostat::langevin &&
                                system.externals.empty() && system.stages.empty();
    const double bound = constraint_count(system.constraints);
    return std::max(0.0, sums.axes - bound - (keeps_momentum ? 3 : 0));
}

}  // namespace aureole::md
