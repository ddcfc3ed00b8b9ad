// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "comm/common.hpp"
#include "comm/world.hpp"
#include "core/box.hpp"
#include "device/launch.hpp"
#include "device/queue.hpp"
#include "halo/exchange.hpp"
#include "halo/grid.hpp"
#include "halo/links.hpp"
#include "md/neighbor/zone.hpp"
#include "md/particles/particles.hpp"
#include "md/particles/tag_map.hpp"

namespace aureole::md {

/// The part of a simulation that one rank has: the particles in its cell of the box, and ghosts of
/// those near its upper faces. On hosts.
class Domain {
  public:
    /// `grid`: has at most as many cells as there are ranks.
    Domain(comm::World& world, const halo::RankGrid& grid);

    /// Sets groups of particles that the owner of their first member owns together; `first_of_tag`:
    /// for each tag, the tag of the first member of its group. Empty: each particle is a group of
    /// its own.
    void set_groups(std::vector<Tag> first_of_tag) { first_of_tag_ = std::move(first_of_tag); }

    const std::vector<Tag>& first_of_tag() const { return first_of_tag_; }

    comm::World& world() { return world_; }
    /// Memory that the ranks have in common, for a mesh.
    comm::CommonMemory& common() { return common_; }
    const halo::RankGrid& grid() const { return grid_; }
    /// Whether this rank has a part of the box: where the grid is of fewer ranks than there are,
    /// the last ones have no particles.
    bool has_cell() const { return world_.rank() < grid_.size(); }
    const Frame& frame() const { return frame_; }
    /// Particles of all ranks.
    std::int64_t n_total() const { return n_total_; }
    /// Owned particles first, then ghosts; as of the last make_ghosts().
    const std::vector<Zone>& zones() const { return zones_; }

    /// Keeps the particles in this rank's cell, of those that all ranks hold.
    void keep_own(device::Queue& queue, const core::Box& box, Particles& particles);
    /// Keeps the particles from begin[rank] to begin[rank + 1], in their order, of those that all
    /// ranks hold.
    void keep_range(device::Queue& queue, Particles& particles,
                    std::span<const std::int64_t> begin);
    /// Sends wrapped particles to their owners, without ghosts, and brings the members of groups to
    /// the images next to their first. All ranks call it together. Throws core::RankError if the
    /// number of particles has changed.
    void migrate(device::Queue& queue, const core::Box& box, Particles& particles);
    /// How far all particles may go before ghosts of the widest halo do not suffice.
    double widest_limit(const core::Box& box, double r_cut) const {
        return std::max(0.0, 0.4999 * (widest_halo(box) - stray_ - r_cut));
    }
    /// Throws core::InputError unless widest_limit() is `least` or more.
    void require_limit(const core::Box& box, double r_cut, double least) const;
    /// How far members of groups lie outside their ranks' cells at most, as of the last migration.
    double stray() const { return stray_; }
    /// The widest halo that neighbouring ranks can fill.
    double widest_halo(const core::Box& box) const;
    /// Finds the ghosts within `width` of this cell and gives them their values. All ranks call it
    /// together. Throws core::InputError if `width` exceeds widest_halo().
    void make_ghosts(device::Queue& queue, const core::Box& box, Particles& particles,
                     double width);

    /// Adds particles of other ranks, by tag, behind the ghosts, as a zone of their own if there
    /// are any. From then on they are like ghosts. All ranks call it together.
    void link(device::Queue& queue, Particles& particles, std::span<const Tag> wanted);
    /// Ghosts without those that were linked.
    std::int64_t halo_ghosts(const Particles& particles) const {
        return particles.ghosts - links_.size();
    }
    /// The rank that owns the particles of a zone.
    int owner_of(const Zone& zone) const;

    /// Values of all particles, in the order of their tags, on every rank; `local`: those of the
    /// owned ones, `size` bytes each. All ranks call it together.
    comm::Bytes in_tag_order(std::span<const std::byte> local, std::span<const Tag> tags,
                             std::size_t size);
    template <class T>
    std::vector<T> in_tag_order(const std::vector<T>& local, std::span<const Tag> tags) {
        const auto bytes = in_tag_order(std::as_bytes(std::span(local)), tags, sizeof(T));
        std::vector<T> all(bytes.size() / sizeof(T));
        if (!all.empty()) std::memcpy(all.data(), bytes.data(), bytes.size());
        return all;
    }
    /// Adds the values of ghosts [n + ghosts] to those of the owned particles [n], which are left.
    /// All ranks call it together.
    template <class T>
    void return_to_owners(device::Queue& queue, const Particles& particles, std::vector<T>& values);
    /// Gives every rank all particles, in the order of their tags, without ghosts.
    void gather(device::Queue& queue, Particles& particles);

    /// Brings the present positions of ghosts and linked particles, and calls arrived(i, r) for
    /// each.
    template <class Arrived>
    void update_ghosts(device::Queue& queue, Particles& particles, std::int64_t step,
                       const Arrived& arrived) {
        device::host_task(
            queue, "positions of ghosts",
            [this, step, arrived, position = particles.position.all()](device::ThreadPool&) {
                const auto read = [&](std::int64_t i) { return position[i]; };
                const auto store = [&](std::int64_t i, const core::Vec3d& r) {
                    position[i] = r;
                    arrived(i, r);
                };
                exchange_.forward<core::Vec3d>(step, read, store);
                links_.forward<core::Vec3d>(read, [&](std::int64_t k, const core::Vec3d& r) {
                    store(first_linked_ + k, r);
                });
            });
        queue.synchronize();
    }
    /// Gives values to the ghosts, but not to linked particles; see halo::Exchange::forward().
    template <class Value, class Read, class Arrived>
    void forward(device::Queue& queue, std::int64_t step, const Read& read,
                 const Arrived& arrived) {
        device::host_task(queue, "values of ghosts",
                          [this, step, read, arrived](device::ThreadPool&) {
                              exchange_.forward<Value>(step, read, arrived);
                          });
        queue.synchronize();
    }
    /// See halo::Exchange::forces().
    template <class ForceAccess>
    void return_forces(device::Queue& queue, const ForceAccess& access, std::int64_t step) {
        device::host_task(queue, "forces on ghosts", [this, access, step](device::ThreadPool&) {
            exchange_.forces(access, step);
            links_.back<core::Vec3d>(
                [&](std::int64_t k) {
                    const auto f = access.take_force(first_linked_ + k);
                    return core::Vec3d{double(f.x), double(f.y), double(f.z)};
                },
                [&](std::int32_t i, const core::Vec3d& f) { access.add_force(i, f); });
        });
        queue.synchronize();
    }
    template <class Value, class Op>
    Value combine(const Value& mine, const Op& op) {
        return world_.combine(mine, op);
    }

  private:
    std::vector<comm::Parcel> to_all_ranks(const comm::Parcel& mine) const;
    void keep(device::Queue& queue, Particles& particles, const std::vector<std::int32_t>& own);
    void find_columns_in_use(Particles& particles);
    template <class F>
    void for_each_in_use(Particles& particles, F&& f);
    const std::vector<int>& owners(device::Queue& queue, const core::Box& box, Particles& particles,
                                   bool wrapped);
    comm::Bytes packed(device::Queue& queue, Particles& particles,
                       const std::vector<std::int32_t>& those);
    void replace(device::Queue& queue, Particles& particles, const std::vector<std::int32_t>& gone,
                 const std::vector<comm::Parcel>& in);
    void make_whole(device::Queue& queue, const core::Box& box, Particles& particles);
    void add_pulse(device::Queue& queue, const core::Box& box, Particles& particles, int axis,
                   double width);

    comm::World& world_;
    comm::CommonMemory common_{world_};
    halo::RankGrid grid_;
    Frame frame_;
    halo::Exchange exchange_;
    halo::Links links_;
    std::int64_t first_linked_ = 0;
    std::vector<Zone> zones_;
    std::vector<Tag> first_of_tag_;
    std::vector<int> owner_;  ///< working memory
    TagMap tags_;             ///< of the owned particles, where there are groups
    std::int64_t n_total_ = 0;
    double stray_ = 0;
};

template <class T>
void Domain::return_to_owners(device::Queue& queue, const Particles& particles,
                              std::vector<T>& values) {
    world_.enter(comm::Phase::gathering);
    const auto tags = download(queue, particles.tag.all());
    const auto n = static_cast<std::size_t>(particles.n);
    const comm::Parcel mine{
        0, comm::bytes_of(std::span(tags).subspan(n), std::span<const T>(values).subspan(n))};
    values.resize(n);
    std::vector<T*> of_tag(static_cast<std::size_t>(n_total_), nullptr);
    for (std::size_t i = 0; i < n; ++i) of_tag[static_cast<std::size_t>(tags[i])] = &values[i];
    for (const auto& parcel : world_.exchange(to_all_ranks(mine))) {
        comm::ParcelReader reader(parcel);
        const auto count = parcel.bytes.size() / (sizeof(Tag) + sizeof(T));
        const auto of = reader.values<Tag>(count);
        const auto from = reader.values<T>(count);
        for (std::size_t k = 0; k < count; ++k)
            if (auto* const to = of_tag[static_cast<std::size_t>(of[k])]) *to += from[k];
    }
}

}  // namespace aureole::md
