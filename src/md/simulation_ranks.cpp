// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "core/error.hpp"
#include "md/integrate/constraints/groups.hpp"
#include "md/integrate/update_groups.hpp"
#include "md/simulation.hpp"

// One simulation on several ranks: all of them make the same calls. Until there are steps or forces
// each rank has all particles, so that whatever sets a simulation up works as on one; then they are
// dealt out, and taken back where something is changed.
namespace aureole::md {

namespace {

/// The first member of each tag's group; empty where each particle is one.
std::vector<Tag> groups_with_one_owner(const System& system, const std::vector<Vec3d>& position) {
    if (system.constraints.empty() && system.sites.n == 0) return {};
    auto sites = system.sites;
    sites.n = system.particles.n;
    auto constraints = system.constraints;
    constraints.mass.resize(static_cast<std::size_t>(sites.n), 1.0);
    constraints.settle = {};
    constraints.constraint = without_fixed(constraints).constraint;
    constraints.settle = system.constraints.settle;
    // Halos are wider by how far members lie outside their rank's part of the box.
    const double near = 0.4 * largest_cut_off(system);
    return owner_groups(constraints, sites, [&](Tag a, Tag b) {
        const auto d = system.box.minimum_image(position[static_cast<std::size_t>(a)] -
                                                position[static_cast<std::size_t>(b)]);
        return dot(d, d) < near * near;
    });
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
    const auto position = to_tag_order(download(*queue_, system_.particles.position),
                                       download_tags(*queue_, system_.particles));
    domain_->set_groups(groups_with_one_owner(system_, position));
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
