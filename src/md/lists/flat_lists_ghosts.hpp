// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "device/copy.hpp"
#include "device/launch.hpp"
#include "md/domain/halo_limits.kernel.hpp"
#include "md/lists/flat_lists.hpp"

// Flat lists on several ranks, on hosts. Ghosts have rows of their own, with the particles that
// they interact with on this rank. Owners decide how far each particle may go and watch it; ghosts
// come with these limits, so that both ranks find the same pairs, and nobody has to watch ghosts.
namespace aureole::md {

template <class T>
void FlatLists<T>::add_ghosts() {
    Domain* const domain = system().domain;
    if (domain == nullptr) return;
    auto& p = system().particles;
    const auto& box = system().box;
    // A list for a single step needs the least room.
    domain->require_limit(box, context_.r_cut,
                          system().list.exact ? smallest_limit * context_.r_cut
                                              : list_width(system(), lifetime_, conditions()) / 2);
    const double least =
        std::min(rule().usual(context_.thermal_speed), domain->widest_limit(box, context_.r_cut));
    const double width = context_.r_cut + 2 * least + domain->stray();
    limit_of_particle_->resize(queue(), p.n);
    // What is taken off covers the rounding of coordinates.
    device::parallel_for(queue(), "limits", p.n,
                         [of = HaloLimits(box, domain->frame(), {width, least}), rule = rule(),
                          watched = system().list.exact, r = p.position.data(),
                          v = p.velocity.data(), to = limit_of_particle_->data()](std::int64_t i) {
                             to[i] = rule.limit(v[i], 0);
                             if (watched)
                                 to[i] = std::max(0.0, std::min(to[i], 0.9999 * of(r[i]) - 1e-6));
                         });
    domain->make_ghosts(queue(), box, p, width);
}

/// Members of bonded terms that no rank has all of, behind the ghosts: they have rows without
/// partners.
template <class T>
void FlatLists<T>::link_particles() {
    const auto absent = topology_.claim_terms(false);
    system().domain->link(queue(), system().particles, absent);
    topology_.localise_claimed();
}

/// Particles that pairs are searched for among.
template <class T>
std::int64_t FlatLists<T>::listed() {
    const auto& p = system().particles;
    const auto* const domain = system().domain;
    return p.n + (domain != nullptr ? domain->halo_ghosts(p) : 0);
}

template <class T>
void FlatLists<T>::note_zones() {
    const Domain* const domain = system().domain;
    if (domain == nullptr) return;
    std::vector<std::uint8_t> zone;
    for (const Zone& one : std::span(domain->zones()).subspan(1)) {
        const auto& by = one.shift;
        const unsigned shift = (by.x != 0 ? 1 : 0) | (by.y != 0 ? 2 : 0) | (by.z != 0 ? 4 : 0);
        zone.insert(zone.end(), static_cast<std::size_t>(one.size()),
                    static_cast<std::uint8_t>(one.axes | shift << 3));
    }
    zone_ = to_device(queue(), zone);
}

template <class T>
FlatZones FlatLists<T>::zones() {
    FlatZones zones;
    zones.owned = system().particles.n;
    const auto* const domain = system().domain;
    if (domain == nullptr) return zones;
    const auto& n = domain->grid().n;
    zones.of_ghost = zone_.data(), zones.box = searched_;
    zones.by_two =
        static_cast<std::uint8_t>((n.x == 2 ? 1 : 0) | (n.y == 2 ? 2 : 0) | (n.z == 2 ? 4 : 0));
    return zones;
}

/// Coordinates as kernels read them, and limits, as owners decided.
template <class T>
void FlatLists<T>::store_on_ranks() {
    if (limit_of_particle_ == nullptr) return;
    auto& p = system().particles;
    device::parallel_for(queue(), "pack positions", p.all(),
                         [layout = layout(), r = p.position.data(),
                          limit = limit_of_particle_->data()](std::int64_t i) {
                             layout.store(i, r[i]);
                             layout.set_outer_limit(i, static_cast<T>(limit[i]));
                         });
}

/// The smooth part of the charges acts between excluded particles too: once.
template <class T>
void FlatLists<T>::find_excluded() {
    if (system().domain == nullptr || topology_.exclusions.empty()) return;
    const auto excluded = topology_.exclusions.partners();
    const auto n = rows();
    const auto partners = static_cast<std::int64_t>(system().exclusions.partner.size());
    excluded_here_.resize(queue(), partners);
    device::parallel_for(
        queue(), "local excluded pairs", n,
        ExcludedHere<T>{excluded, zones(), listed(), site_.data(), excluded_here_.data()});
}

/// Ghosts are watched by their owners.
template <class T>
Wish FlatLists<T>::agree(Wish mine) {
    Domain* const domain = system().domain;
    if (domain == nullptr) return mine;
    if (system().list.exact) {
        const Profile::Scope time(context_.profile, StepRegion::sums);
        mine = domain->combine(mine, device::Max{});
    }
    if (mine != Wish::none) return mine;  // others are at the same steps on all ranks
    const Profile::Scope time(context_.profile, StepRegion::halo_positions);
    domain->update_ghosts(
        queue(), system().particles, system().step,
        [layout = layout()](std::int64_t i, const core::Vec3d& r) { layout.store(i, r); });
    return Wish::none;
}

template <class T>
void FlatLists<T>::return_forces() {
    if (system().domain == nullptr) return;
    const Profile::Scope time(context_.profile, StepRegion::halo_forces);
    system().domain->return_forces(queue(), layout(), system().step);
}

}  // namespace aureole::md
