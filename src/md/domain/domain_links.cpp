// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <utility>
#include <vector>

#include "device/copy.hpp"
#include "md/domain/domain.hpp"

// Particles of other ranks that are neither near nor searched for pairs.
namespace aureole::md {

int Domain::owner_of(const Zone& zone) const {
    int rank = world_.rank();
    for (int axis = 0; axis < 3; ++axis)
        if ((zone.axes >> axis & 1) != 0) rank = grid_.neighbour(rank, axis, +1);
    return rank;
}

void Domain::link(device::Queue& queue, Particles& particles, std::span<const Tag> wanted) {
    world_.enter(comm::Phase::renewal);
    TagMap owned;
    owned.make(queue, particles.tag.view(), n_total_);
    const auto map = owned.on_host(queue);
    links_.connect(wanted, [index = map.indices()](Tag tag) { return index(tag); });
    std::vector<comm::Parcel> out;
    for (const auto& to : links_.borrowers()) {
        const auto index = to_device(queue, to.index);
        out.push_back({to.rank, download(queue, particles.pack_ghosts(queue, index.view()))});
    }
    const auto in = world_.exchange(out);
    const auto before = particles.ghosts;
    first_linked_ = particles.all();
    if (links_.size() == 0) return;
    particles.set_ghosts(queue, before + links_.size());
    for (std::size_t k = 0; k < in.size(); ++k) {
        const auto& from = links_.lenders()[k];
        const auto parcel = to_device(queue, in[k].bytes);
        particles.unpack_ghosts(queue, parcel.view(), before + from.begin, from.end - from.begin);
        queue.synchronize();
    }
    Zone zone{first_linked_, particles.all(), 7, {}};
    zone.linked = true;
    zones_.push_back(zone);
}

}  // namespace aureole::md
