// SPDX-License-Identifier: Apache-2.0
#include "md/domain/spanning_sites.hpp"

#include <numeric>
#include <utility>

#include "device/copy.hpp"
#include "device/launch.hpp"
#include "md/particles/particles.hpp"

namespace aureole::md {

namespace {

std::size_t particles_of(const TermColumns& terms) {
    return terms.row.empty() ? 0 : terms.particles.size() / terms.row.size();
}

}  // namespace

SpanningSites::SpanningSites(device::Queue& queue, comm::World& world, SiteSpec spec)
    : queue_(queue), world_(world), links_(world), spec_(std::move(spec)) {
    is_site_.assign(static_cast<std::size_t>(spec_.n), 0);
    for (std::size_t kind = 0; kind < site_kinds.size(); ++kind) {
        const auto& terms = spec_.*site_kinds[kind];
        const auto each = particles_of(terms);
        if (each == 0) continue;
        by_site_[kind] = TermsByTag(terms.particles, each, spec_.n);
        for (std::size_t k = 0; k < terms.particles.size(); k += each)
            is_site_[static_cast<std::size_t>(terms.particles[k])] = 1;
        size_ += terms.size();
    }
}

/// The definitions of this rank's sites and of those that these are made from, by numbers of
/// particles; the tag of each number.
std::vector<Tag> SpanningSites::find_sites(std::span<const Tag> tags) {
    std::unordered_map<Tag, std::int32_t> numbers;
    std::vector<Tag> tag_of, sites;
    const auto number = [&](Tag tag) {
        const auto [at, is_new] = numbers.emplace(tag, static_cast<std::int32_t>(tag_of.size()));
        if (is_new) {
            tag_of.push_back(tag);
            if (is_site_[static_cast<std::size_t>(tag)] != 0) sites.push_back(tag);
        }
        return at->second;
    };
    for (const auto tag : tags)
        if (is_site_[static_cast<std::size_t>(tag)] != 0) number(tag);
    sites_ = static_cast<std::int64_t>(sites.size());
    here_ = {};
    counted_ = 0;
    for (std::size_t s = 0; s < sites.size(); ++s)  // grows meanwhile
        for (std::size_t kind = 0; kind < site_kinds.size(); ++kind) {
            const auto& from = spec_.*site_kinds[kind];
            auto& to = here_.*site_kinds[kind];
            const auto each = particles_of(from);
            for (const auto term : by_site_[kind].of(sites[s])) {
                const auto k = static_cast<std::size_t>(term);
                for (std::size_t p = 0; p < each; ++p)
                    to.particles.push_back(number(from.particles[k * each + p]));
                to.row.push_back(from.row[k]);
                if (static_cast<std::int64_t>(s) < sites_) ++counted_;
            }
        }
    for (const auto kind : site_kinds) (here_.*kind).parameters = (spec_.*kind).parameters;
    here_.n = static_cast<std::int64_t>(tag_of.size());
    return tag_of;
}

/// Finds which of the particles are owned, and links to the others.
void SpanningSites::find_particles(const std::vector<Tag>& tags,
                                   const halo::Links::FindOwned& owned) {
    std::unordered_map<Tag, std::int32_t> number;
    std::vector<Tag> others;
    owned_.clear(), linked_.clear();
    for (std::size_t k = 0; k < tags.size(); ++k) {
        const auto i = owned(tags[k]);
        if (i >= 0) {
            owned_.push_back({static_cast<std::int32_t>(k), i});
            continue;
        }
        number.emplace(tags[k], static_cast<std::int32_t>(k));
        others.push_back(tags[k]);
    }
    world_.enter(comm::Phase::renewal);
    links_.connect(others, owned);
    for (const auto tag : links_.tags()) linked_.push_back(number.at(tag));
}

void SpanningSites::localise(std::span<const Tag> tags, const halo::Links::FindOwned& owned) {
    find_particles(find_sites(tags), owned);
    solver_.emplace(queue_, here_);
    std::vector<Tag> numbers(static_cast<std::size_t>(here_.n));
    std::iota(numbers.begin(), numbers.end(), Tag(0));
    const auto on_device = to_device(queue_, numbers);
    TagMap map;
    map.make(queue_, on_device.view(), here_.n);
    solver_->localise(queue_, map);
    for (auto* column : {&position_, &velocity_, &force_}) column->resize(queue_, here_.n);
    queue_.synchronize();
}

void SpanningSites::take(const core::Vec3d* from_position, const core::Vec3d* from_velocity) {
    struct Motion {
        core::Vec3d position, velocity;
    };
    const auto read = [=](std::int32_t i) {
        return Motion{from_position[i],
                      from_velocity != nullptr ? from_velocity[i] : core::Vec3d{}};
    };
    device::host_task(
        queue_, "parents of sites",
        [&, position = position_.data(), velocity = velocity_.data()](device::ThreadPool&) {
            const auto put = [&](std::int32_t number, const Motion& motion) {
                position[number] = motion.position;
                velocity[number] = motion.velocity;
            };
            for (const auto& one : owned_) put(one.number, read(one.index));
            links_.forward<Motion>(read, [&](std::int64_t k, const Motion& motion) {
                put(linked_[static_cast<std::size_t>(k)], motion);
            });
        });
    queue_.synchronize();
}

void SpanningSites::construct(const SiteMove& move) {
    auto* const to_velocity = move.velocity.size > 0 ? move.velocity.data : nullptr;
    take(move.position.data, to_velocity);
    SiteMove here{move.box, position_.view()};
    if (to_velocity != nullptr) here.velocity = velocity_.view();
    solver_->construct(queue_, here);
    device::host_task(
        queue_, "constructed sites",
        [&, position = position_.data(), velocity = velocity_.data()](device::ThreadPool&) {
            for (const auto& one : owned_) {
                if (one.number >= sites_) continue;
                move.position.data[one.index] = position[one.number];
                if (to_velocity != nullptr) to_velocity[one.index] = velocity[one.number];
            }
        });
    queue_.synchronize();
}

void SpanningSites::spread(const SiteForces& forces) {
    take(forces.position.data, nullptr);
    device::host_task(queue_, "forces on sites", [&, force = force_.view()](device::ThreadPool&) {
        for (auto& f : force) f = {};
        for (const auto& one : owned_)
            if (one.number < sites_) std::swap(force[one.number], forces.force.data[one.index]);
    });
    solver_->spread(queue_, {forces.box, position_.view(), force_.view(), forces.want_virial});
    device::host_task(queue_, "forces on parents", [&, force = force_.data()](device::ThreadPool&) {
        for (const auto& one : owned_) forces.force.data[one.index] += force[one.number];
        links_.back<core::Vec3d>(
            [&](std::int64_t k) { return force[linked_[static_cast<std::size_t>(k)]]; },
            [&](std::int32_t i, const core::Vec3d& f) { forces.force.data[i] += f; });
    });
    if (forces.want_virial) device::copy_to_host(queue_, &virial_, solver_->last_virial());
    queue_.synchronize();
}

}  // namespace aureole::md
