// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "md/integrate/constraints/groups.hpp"
#include "md/integrate/update_groups.hpp"
#include "md/simulation/simulation.hpp"

// One simulation on several ranks: all of them make the same calls. Until there are steps or forces
// each rank has all particles, so that whatever sets a simulation up works as on one; then they are
// dealt out, and taken back where something is changed.
namespace aureole::md {

namespace {

std::string short_form(double number) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.4g", number);
    return text.data();
}
std::string short_form(const core::Vec3i& n) {
    return std::to_string(n.x) + " × " + std::to_string(n.y) + " × " + std::to_string(n.z);
}

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

/// Largest distance of a member from the first of its group, along the normals of each pair of
/// faces: no member is farther outside its owner's cell.
Vec3d extent_of_groups(const core::Box& box, const std::vector<Tag>& first_of_tag,
                       const std::vector<Vec3d>& position) {
    const auto faces = box.face_distances();
    Vec3d extent{};
    for (std::size_t tag = 0; tag < first_of_tag.size(); ++tag) {
        const auto first = static_cast<std::size_t>(first_of_tag[tag]);
        const auto d = box.minimum_image(position[tag] - position[first]);
        const auto f = box.fractional(d);
        extent = {std::max(extent.x, faces.x * std::abs(f.x)),
                  std::max(extent.y, faces.y * std::abs(f.y)),
                  std::max(extent.z, faces.z * std::abs(f.z))};
    }
    return extent;
}

}  // namespace

/// Throws core::InputError for what does not work on several ranks yet: GPUs, and meshes with flat
/// lists.
void Simulation::check_ranks() const {
    if (queue_->backend() != device::Backend::host)
        throw core::InputError("a simulation on a GPU cannot be divided among ranks yet",
                               "ranks keep their particles in host memory",
                               "Run on one rank, or choose the device \"host\".");
    if (uses_flat_lists(device_spec_) && system_.mesh)
        throw core::InputError("PME with the algorithm 'flat' cannot be divided among ranks yet",
                               "its mesh is in the memory of one rank",
                               "Choose the algorithm 'clusters', or run on one rank.");
}

/// The grid that was asked for, or that of as many ranks as the box has room for.
halo::RankGrid Simulation::chosen_grid(const Vec3d& extent) {
    // How wide halos are follows from the motion; in narrow cells they are renewed more often.
    constexpr double usual_halo = 1.6, narrowest_cell = 1.2;
    const double r_cut = largest_cut_off(system_);
    const double narrowest = narrowest_cell * r_cut;
    const auto& box = system_.box;
    const int ranks = world_->size();
    const auto most = halo::most_cells(box, narrowest);
    const auto faces = box.face_distances();
    const std::string why = "each domain must be at least 1.2 cut-offs wide, which is " +
                            short_form(narrowest) + ", and the box is " + short_form(faces.x) +
                            " × " + short_form(faces.y) + " × " + short_form(faces.z) +
                            ", so there can be at most " + short_form(most) + " domains";
    if (const auto n = device_spec_.grid; n.x > 0) {
        if (halo::RankGrid{n}.size() != ranks)
            throw core::InputError("a grid of " + short_form(n) + " ranks was requested",
                                   "there are " + std::to_string(ranks) + " ranks",
                                   "Start as many ranks as the grid has domains.");
        if (n.x > most.x || n.y > most.y || n.z > most.z)
            throw core::InputError("the box is too small for a grid of " + short_form(n) + " ranks",
                                   why, "Give a smaller grid, or none.");
        return {n};
    }
    const double usual = usual_halo * r_cut;
    for (int used = ranks;; --used) {
        auto grid = halo::choose_grid(used, box, usual, usual, extent);
        if (grid.size() == 0) grid = halo::choose_grid(used, box, usual, narrowest, extent);
        if (grid.size() == 0) continue;
        if (used < ranks)
            remark_ =
                "the box is too small for " + std::to_string(ranks) + " ranks (" + why +
                (extent != Vec3d{} ? ", or fewer, as rigid groups reach into other domains" : "") +
                "). " + std::to_string(used) + (used == 1 ? " is" : " are") +
                " used: start that many, with more threads each.";
        return grid;
    }
}

void Simulation::divide() {
    check_ranks();
    const auto position = to_tag_order(download(*queue_, system_.particles.position),
                                       download_tags(*queue_, system_.particles));
    auto groups = groups_with_one_owner(system_, position);
    if (!domain_) {
        const auto grid = chosen_grid(extent_of_groups(system_.box, groups, position));
        // The same grid may have had other proportions when the checkpoint was written.
        if (division_ && division_->grid.size() != grid.size()) division_.reset();
        domain_.emplace(*world_, division_ && device_spec_.grid.x == 0 ? division_->grid : grid);
    }
    if (division_ && division_->grid.n != domain_->grid().n) division_.reset();
    domain_->set_groups(std::move(groups));
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
