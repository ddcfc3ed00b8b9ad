// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "md/domain/domain.hpp"
#include "md/simulation/tests/systems.hpp"
#include "md/system/engine.hpp"

namespace aureole::md::testing {

enum class Lists { clusters, flat };

/// A system of Lennard-Jones particles with an engine of its own, without the rest of a
/// simulation: all of it, or the part of one rank.
template <class T>
struct RankRig {
    RankRig(const Start& start, double r_cut, const MotionSpec& motion, const ListSpec& list,
            int threads, comm::World* world = nullptr, const core::Vec3i& ranks = {1, 1, 1},
            Lists lists = Lists::clusters)
        : device(device::Device::host({.threads = threads, .pin = false})), queue(device) {
        system.box = start.box;
        system.particles = upload(queue, start.particles);
        system.forces.emplace_back(lennard_jones(r_cut, EnergyMode::none, start.n_types));
        system.motion = motion;
        system.first_volume = start.box.volume();
        system.list = list;
        system.seed = 3;
        if (world != nullptr) {
            domain.emplace(*world, halo::RankGrid{ranks});
            domain->keep_own(queue, system.box, system.particles);
            system.domain = &*domain;
        }
        engine = lists == Lists::flat ? make_flat_engine<T>(queue, system)
                                      : make_cluster_engine<T>(queue, system);
    }

    device::Device device;
    device::Queue queue;
    System system;
    std::optional<Domain> domain;
    std::unique_ptr<Engine> engine;
};

/// Writes local values to their tags' places in an array that all ranks share.
template <class V, class T>
void put_by_tag(RankRig<T>& rig, const std::vector<V>& local, std::vector<V>& to) {
    const auto tag = download_tags(rig.queue, rig.system.particles);
    for (std::size_t i = 0; i < tag.size(); ++i) to[static_cast<std::size_t>(tag[i])] = local[i];
}

}  // namespace aureole::md::testing
