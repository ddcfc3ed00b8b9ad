// SPDX-License-Identifier: Apache-2.0
#include "python/defaults.hpp"

#include "md/longrange/pme.hpp"
#include "md/simulation/check_particles.hpp"
#include "md/simulation/simulation.hpp"

namespace aureole::python {

/// Defaults of the engine's settings, by the spec in Python that has them: their initialisers are
/// the only place where these numbers stand.
nb::dict spec_defaults() {
    const md::ConstraintSpec constraints;
    const md::NonbondedSpec nonbonded;
    const md::CouplingSpec coupling;
    const md::FireSpec fire;
    const md::DescentSpec descent;
    const md::DeviceSpec device;
    nb::dict d;
    const auto add = [&d](const char* spec, const char* field, const auto& value) {
        if (!d.contains(spec)) d[spec] = nb::dict();
        d[spec][field] = value;
    };
    add("LINCS", "order", constraints.order);
    add("LINCS", "iterations", constraints.iterations);
    add("PME", "order", md::MeshSpec{}.order);
    add("PME", "both_signs", md::MeshSpec{}.both_signs);
    for (const char* charges : {"PME", "Coulomb"}) add(charges, "shifted", nonbonded.shift_coulomb);
    for (const char* charges : {"PME", "Coulomb", "ReactionField"})
        add(charges, "epsilon_r", nonbonded.epsilon_r);
    add("ReactionField", "epsilon_rf", nonbonded.epsilon_rf);
    add("ReactionField", "excluded_pairs", nonbonded.field_of_excluded);
    for (const char* thermostat : {"VRescale", "Berendsen", "NoseHoover"})
        add(thermostat, "every", coupling.every);
    add("NoseHoover", "length", coupling.chain);
    for (const char* barostat : {"CRescale", "ParrinelloRahman", "BerendsenBarostat"})
        add(barostat, "every", coupling.barostat.every);
    add("Bussi", "every", md::MotionSpec{}.thermostat_every);
    add("NeighborList", "tolerance", md::ListSpec{}.tolerance);
    add("FIRE", "force_tolerance", fire.force_tolerance);
    add("FIRE", "max_steps", fire.max_steps);
    add("FIRE", "dt_start", fire.dt_start);
    add("SteepestDescent", "force_tolerance", descent.force_tolerance);
    add("SteepestDescent", "step", descent.step);
    add("Device", "threads", device.threads);
    add("Device", "pin", device.pin);
    add("Device", "hostile", device.hostile);
    add("Device", "algorithm", device.algorithm);
    return d;
}

nb::dict limits() {
    nb::dict d;
    d["mass"] = md::heaviest_mass;
    d["mesh_edge"] = md::longest_mesh_edge;
    d["mesh_points"] = md::mesh_points_always, d["mesh_points_each"] = md::mesh_points_each;
    return d;
}

}  // namespace aureole::python
