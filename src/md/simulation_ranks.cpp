// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "core/error.hpp"
#include "md/simulation.hpp"

// One simulation on several ranks: all of them make the same calls. Until there are steps or forces
// each rank has all particles, so that whatever sets a simulation up works as on one; then they are
// dealt out, and taken back where something is changed.
namespace aureole::md {

/// What works on several ranks so far: potentials of pairs, in lists of clusters.
void Simulation::check_ranks() const {
    const auto& s = system_;
    const auto refuse = [](bool there, const std::string& what) {
        if (there)
            throw core::InputError(what + " cannot be divided among ranks yet",
                                   "only pair potentials of free particles can",
                                   "Run on one rank, with more threads.");
    };
    refuse(uses_flat_lists(device_spec_), "flat lists");
    refuse(s.nonbonded.has_value() || s.mesh.has_value(), "charges and molecules");
    refuse(!s.bonded.empty(), "bonded terms");
    refuse(!s.exclusions.empty(), "exclusions");
    refuse(!s.constraints.empty(), "constraints");
    refuse(s.sites.n > 0, "virtual sites");
    refuse(!s.externals.empty(), "external forces");
    refuse(!s.stages.empty(), "stages");
    refuse(s.motion.coupled, "thermostats of groups and barostats");
    refuse(s.motion.scheme != Scheme::plain, "this integrator");
    for (const auto& force : s.forces)
        refuse(force.potential().numbers_read() > 0, "potentials that read columns");
}

void Simulation::divide() {
    check_ranks();
    // How wide halos are follows from the motion; in narrow cells they are renewed more often.
    constexpr double usual_halo = 1.6, narrowest_cell = 1.2;
    const double r_cut = largest_cut_off(system_), width = narrowest_cell * r_cut;
    const auto grid = halo::choose_grid(world_->size(), system_.box, usual_halo * r_cut, width);
    if (grid.size() == 0)
        throw core::InputError(
            "the box is too small for " + std::to_string(world_->size()) + " ranks",
            "each needs a part that is wider than " + std::to_string(width),
            "Use fewer ranks, with more threads each.");
    if (!domain_) domain_.emplace(*world_, grid);
    domain_->keep_own(*queue_, system_.box, system_.particles);
    system_.domain = &*domain_;
    dirty_ = true;
}

void Simulation::unite() {
    if (!divided()) return;
    domain_->gather(*queue_, system_.particles);
    system_.domain = nullptr;
    engine_.reset();
    dirty_ = true;
}

}  // namespace aureole::md
