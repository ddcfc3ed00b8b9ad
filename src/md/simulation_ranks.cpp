// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "core/error.hpp"
#include "md/integrate/update_groups.hpp"
#include "md/simulation.hpp"

// One simulation on several ranks: all of them make the same calls. Until there are steps or forces
// each rank has all particles, so that whatever sets a simulation up works as on one; then they are
// dealt out, and taken back where something is changed.
namespace aureole::md {

namespace {

/// Particles that constraints or virtual sites bind together have one owner, if there are no more
/// of them than this.
constexpr int largest_group = 12;

bool divides(const TermColumns& terms, const std::vector<std::int64_t>& group) {
    if (terms.row.empty()) return false;
    const auto each = terms.particles.size() / terms.row.size();
    const auto of = [&](std::size_t k) {
        return group[static_cast<std::size_t>(terms.particles[k])];
    };
    for (std::size_t k = 0; k < terms.particles.size(); ++k)
        if (of(k) != of(k - k % each)) return true;
    return false;
}

/// The first member of each tag's group; empty where each particle is one.
std::vector<Tag> groups_with_one_owner(const System& system) {
    if (system.constraints.empty() && system.sites.n == 0) return {};
    auto sites = system.sites;
    sites.n = system.particles.n;
    auto constraints = system.constraints;
    constraints.mass.resize(static_cast<std::size_t>(sites.n), 1.0);
    const auto group = update_groups(constraints, sites, largest_group);
    bool divided = divides(constraints.settle, group) || divides(constraints.constraint, group);
    for (const auto kind : site_kinds) divided = divided || divides(sites.*kind, group);
    if (divided)
        throw core::InputError(
            "a molecule cannot be divided among ranks yet",
            "constraints or virtual sites bind more than " + std::to_string(largest_group) +
                " of its particles together",
            "Constrain bonds with hydrogen alone, or run on one rank with more threads.");
    std::vector<Tag> first_of_group, first(group.size());
    for (std::size_t i = 0; i < group.size(); ++i) {
        const auto g = static_cast<std::size_t>(group[i]);
        if (g == first_of_group.size()) first_of_group.push_back(static_cast<Tag>(i));
        first[i] = first_of_group[g];
    }
    return first;
}

}  // namespace

/// What works on several ranks so far: hosts.
void Simulation::check_ranks() const {
    if (queue_->backend() != device::Backend::host)
        throw core::InputError("a simulation on a GPU cannot be divided among ranks yet",
                               "ranks have particles in the memory of processors",
                               "Run on one rank, or choose a device of the host.");
    if (uses_flat_lists(device_spec_) && system_.mesh)
        throw core::InputError("the mesh of flat lists cannot be divided among ranks yet",
                               "its sums are in the memory of one rank",
                               "Choose the algorithm 'clusters', or run on one rank.");
}

void Simulation::divide() {
    check_ranks();
    // How wide halos are follows from the motion; in narrow cells they are renewed more often.
    constexpr double usual_halo = 1.6, narrowest_cell = 1.2;
    const double r_cut = largest_cut_off(system_), width = narrowest_cell * r_cut;
    // Parts of the mesh are slabs across x: cuts there leave each rank few planes.
    const auto first = system_.mesh ? halo::Axis::x : halo::Axis::z;
    auto grid = halo::choose_grid(world_->size(), system_.box, usual_halo * r_cut,
                                  usual_halo * r_cut, first);
    if (grid.size() == 0)
        grid = halo::choose_grid(world_->size(), system_.box, usual_halo * r_cut, width, first);
    if (grid.size() == 0)
        throw core::InputError(
            "the box is too small for " + std::to_string(world_->size()) + " ranks",
            "each needs a part that is wider than " + std::to_string(width),
            "Use fewer ranks, with more threads each.");
    if (division_) grid = division_->grid;
    if (!domain_) domain_.emplace(*world_, grid);
    domain_->set_groups(groups_with_one_owner(system_));
    if (division_)
        domain_->keep_range(*queue_, system_.particles, division_->begin);
    else
        domain_->keep_own(*queue_, system_.box, system_.particles);
    division_.reset();
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
