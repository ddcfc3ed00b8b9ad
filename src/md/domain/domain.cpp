// SPDX-License-Identifier: Apache-2.0
#include "md/domain/domain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "core/error.hpp"
#include "device/copy.hpp"

namespace aureole::md {

namespace {

using core::component;

/// Runs of ghosts in a parcel: the zones of the sender that they were chosen from.
struct Part {
    std::int64_t count;
    std::int32_t axes;
    core::Vec3i shift;
};

device::Buffer<std::int32_t> indices(device::Queue& queue, const std::vector<std::int32_t>& of) {
    return to_device(queue, of);
}

}  // namespace

Domain::Domain(comm::World& world, const halo::RankGrid& grid)
    : world_(world), grid_(grid), exchange_(world), links_(world) {
    const auto at = grid.place(world.rank() % grid.size());
    double low[3], high[3];
    for (int axis = 0; axis < 3; ++axis) {
        const int n = component(grid.n, axis), here = component(at, axis);
        low[axis] = -0.5 + static_cast<double>(here) / n;
        high[axis] = -0.5 + static_cast<double>(here + 1) / n;
        if (n > 1) frame_.divided |= static_cast<std::uint8_t>(1 << axis);
    }
    frame_.low = {low[0], low[1], low[2]}, frame_.high = {high[0], high[1], high[2]};
}

/// Columns in which some rank has values are in use on all of them.
void Domain::find_columns_in_use(Particles& particles) {
    std::uint64_t mine = 0, bit = 1;
    particles.for_each_column([&](const AnyColumn& column) {
        if (column.rows() > 0) mine |= bit;
        bit <<= 1;
    });
    const auto used = combine(mine, [](std::uint64_t a, std::uint64_t b) { return a | b; });
    bit = 1;
    particles.for_each_column([&](AnyColumn& column) {
        column.set_in_use_elsewhere((used & bit) != 0);
        bit <<= 1;
    });
}

template <class F>
void Domain::for_each_in_use(Particles& particles, F&& f) {
    particles.for_each_column([&](AnyColumn& column) {
        if (column.in_use()) f(column);
    });
}

/// The rank that owns each particle, all of whose group must be here. `wrapped` positions are taken
/// as they are: rounding may leave one on the upper face, which wrapped again is on the lower.
const std::vector<int>& Domain::owners(device::Queue& queue, const core::Box& box,
                                       Particles& particles, bool wrapped) {
    owner_.resize(static_cast<std::size_t>(particles.n));
    if (!first_of_tag_.empty()) tags_.make(queue, particles.tag.view(), n_total_);
    device::host_task(queue, "owners",
                      [&, position = particles.position.data(), tag = particles.tag.data(),
                       n = particles.n](device::ThreadPool& pool) {
                          const auto index = first_of_tag_.empty() ? IndexOfTag{} : tags_.indices();
                          const auto rank_at = [&](std::int64_t i) {
                              core::Vec3d r = position[i];
                              core::Vec3i image{};
                              if (!wrapped) box.wrap(r, image);
                              return grid_.owner(box.fractional(r));
                          };
                          pool.run([&](int thread) {
                              const auto part = device::part_of(n, thread, pool.size());
                              for (auto i = part.begin; i < part.end; ++i)
                                  owner_[static_cast<std::size_t>(i)] = rank_at(
                                      first_of_tag_.empty()
                                          ? i
                                          : index(first_of_tag_[static_cast<std::size_t>(tag[i])]));
                          });
                      });
    queue.synchronize();
    return owner_;
}

void Domain::keep_own(device::Queue& queue, const core::Box& box, Particles& particles) {
    n_total_ = particles.n;
    const auto& owner = owners(queue, box, particles, false);
    std::vector<std::int32_t> own;
    for (std::size_t i = 0; i < owner.size(); ++i)
        if (owner[i] == world_.rank()) own.push_back(static_cast<std::int32_t>(i));
    keep(queue, particles, own);
}

void Domain::keep_range(device::Queue& queue, Particles& particles,
                        std::span<const std::int64_t> begin) {
    n_total_ = particles.n;
    const auto rank = static_cast<std::size_t>(world_.rank());
    std::vector<std::int32_t> own;
    if (has_cell()) {
        own.resize(static_cast<std::size_t>(begin[rank + 1] - begin[rank]));
        std::iota(own.begin(), own.end(), static_cast<std::int32_t>(begin[rank]));
    }
    keep(queue, particles, own);
}

void Domain::keep(device::Queue& queue, Particles& particles,
                  const std::vector<std::int32_t>& own) {
    find_columns_in_use(particles);
    const auto index = indices(queue, own);
    for_each_in_use(particles, [&](AnyColumn& column) {
        comm::Bytes kept(own.size() * column.element_size());
        column.pack(queue, index.view(), kept.data());
        queue.synchronize();
        column.set_bytes(queue, kept);
    });
    particles.n = static_cast<std::int64_t>(own.size()), particles.ghosts = 0;
    ++particles.generation;
}

void Domain::migrate(device::Queue& queue, const core::Box& box, Particles& particles) {
    world_.enter(comm::Phase::renewal);
    particles.set_ghosts(queue, 0);
    find_columns_in_use(particles);
    std::vector<std::vector<std::int32_t>> to(static_cast<std::size_t>(world_.size()));
    std::vector<std::int32_t> gone;
    const auto& owner = owners(queue, box, particles, true);
    for (std::size_t i = 0; i < owner.size(); ++i) {
        if (owner[i] == world_.rank()) continue;
        to[static_cast<std::size_t>(owner[i])].push_back(static_cast<std::int32_t>(i));
        gone.push_back(static_cast<std::int32_t>(i));
    }
    std::vector<comm::Parcel> out;
    for (int r = 0; r < world_.size(); ++r) {
        const auto& those = to[static_cast<std::size_t>(r)];
        if (!those.empty()) out.push_back({r, packed(queue, particles, those)});
    }
    replace(queue, particles, gone, world_.exchange(out));
    const auto n = particles.n;
    const auto total = combine(n, [](std::int64_t a, std::int64_t b) { return a + b; });
    if (total != n_total_)
        world_.fail("particles were lost between ranks (" + std::to_string(total) + " of " +
                    std::to_string(n_total_) + " are left). Please report this.");
    if (!first_of_tag_.empty()) make_whole(queue, box, particles);
}

/// A parcel with these particles: their number, then column by column their values.
comm::Bytes Domain::packed(device::Queue& queue, Particles& particles,
                           const std::vector<std::int32_t>& those) {
    const auto n = static_cast<std::int64_t>(those.size());
    comm::Bytes parcel = comm::bytes_of(n);
    const auto index = indices(queue, those);
    for_each_in_use(particles, [&](AnyColumn& column) {
        const auto at = parcel.size();
        parcel.resize(at + those.size() * column.element_size());
        column.pack(queue, index.view(), parcel.data() + at);
        queue.synchronize();
    });
    return parcel;
}

/// Takes the particles `gone` out, in ascending order, and those of the parcels in: into the
/// places of the former as far as there are such, and of the last particles into the rest of them.
void Domain::replace(device::Queue& queue, Particles& particles,
                     const std::vector<std::int32_t>& gone, const std::vector<comm::Parcel>& in) {
    std::vector<comm::ParcelReader> readers(in.begin(), in.end());
    std::vector<std::int64_t> arrived;
    for (auto& reader : readers) arrived.push_back(reader.value<std::int64_t>());
    const auto arrivals = std::accumulate(arrived.begin(), arrived.end(), std::int64_t(0));
    if (arrivals == 0 && gone.empty()) return;
    const auto before = particles.n, n_gone = static_cast<std::int64_t>(gone.size());
    const auto after = before - n_gone + arrivals;
    std::vector<std::int32_t> from, to;  // of the last particles that stay; of arrivals, then these
    for (std::int64_t k = 0; k < arrivals; ++k)
        to.push_back(k < n_gone ? gone[static_cast<std::size_t>(k)]
                                : static_cast<std::int32_t>(before + k - n_gone));
    auto hole = gone.begin() + std::min(arrivals, n_gone);
    auto skipped = std::lower_bound(hole, gone.end(), after);
    for (auto last = after; last < before; ++last) {
        if (skipped != gone.end() && *skipped == last) {
            ++skipped;
            continue;
        }
        from.push_back(static_cast<std::int32_t>(last)), to.push_back(*hole++);
    }
    const auto index_from = indices(queue, from), index_to = indices(queue, to);
    for_each_in_use(particles, [&](AnyColumn& column) {
        comm::Bytes values;
        for (std::size_t k = 0; k < in.size(); ++k)
            comm::append(values, readers[k].bytes(static_cast<std::size_t>(arrived[k]) *
                                                  column.element_size()));
        const auto moved = values.size();
        values.resize(moved + from.size() * column.element_size());
        column.pack(queue, index_from.view(), values.data() + moved);
        column.set_rows(queue, std::max(before, after));
        column.scatter(queue, index_to.view(), values.data());
        queue.synchronize();
        column.set_rows(queue, after);
    });
    particles.n = after;
}

/// Along the axes that are divided; finds how far members lie outside the cell.
void Domain::make_whole(device::Queue& queue, const core::Box& box, Particles& particles) {
    tags_.make(queue, particles.tag.view(), n_total_);
    double stray = 0;
    device::host_task(
        queue, "make groups whole",
        [&, r = particles.position.data(), image = particles.image.data(),
         tag = particles.tag.data(), n = particles.n](device::ThreadPool&) {
            const auto index = tags_.indices();
            const auto faces = box.face_distances();
            for (std::int64_t i = 0; i < n; ++i) {
                const auto first = index(first_of_tag_[static_cast<std::size_t>(tag[i])]);
                if (first == i) continue;
                const auto from_first = box.fractional(r[i] - r[first]);
                core::Vec3i turns{};
                const auto along = [&](int axis, double f, int& by) {
                    if (frame_.divides(axis) && box.periodic(axis))
                        by = -static_cast<int>(std::rint(f));
                };
                along(0, from_first.x, turns.x), along(1, from_first.y, turns.y);
                along(2, from_first.z, turns.z);
                r[i] += box.lattice(turns.x, turns.y, turns.z);
                image[i] = image[i] - turns;
                const auto f = box.fractional(r[i]);
                for (int axis = 0; axis < 3; ++axis) {
                    if (!frame_.divides(axis)) continue;
                    const double below = component(frame_.low, axis) - component(f, axis);
                    const double above = component(f, axis) - component(frame_.high, axis);
                    stray = std::max(stray, component(faces, axis) * std::max(below, above));
                }
            }
        });
    queue.synchronize();
    stray_ = combine(stray, [](double a, double b) { return std::max(a, b); });
}

std::vector<comm::Parcel> Domain::to_all_ranks(const comm::Parcel& mine) const {
    std::vector<comm::Parcel> out(static_cast<std::size_t>(world_.size()), mine);
    for (int r = 0; r < world_.size(); ++r) out[static_cast<std::size_t>(r)].rank = r;
    return out;
}

comm::Bytes Domain::in_tag_order(std::span<const std::byte> local, std::span<const Tag> tags,
                                 std::size_t size) {
    world_.enter(comm::Phase::gathering);
    const comm::Parcel mine{0, comm::bytes_of(tags, local)};
    comm::Bytes all(static_cast<std::size_t>(n_total_) * size);
    for (const auto& parcel : world_.exchange(to_all_ranks(mine))) {
        comm::ParcelReader reader(parcel);
        for (const Tag tag : reader.values<Tag>(parcel.bytes.size() / (sizeof(Tag) + size)))
            std::ranges::copy(
                reader.bytes(size),
                all.begin() + static_cast<std::ptrdiff_t>(tag) * static_cast<std::ptrdiff_t>(size));
    }
    return all;
}

void Domain::gather(device::Queue& queue, Particles& particles) {
    particles.set_ghosts(queue, 0);
    find_columns_in_use(particles);
    const auto tags = download_tags(queue, particles);
    for_each_in_use(particles, [&](AnyColumn& column) {
        column.set_bytes(queue, in_tag_order(column.bytes(queue), tags, column.element_size()));
    });
    particles.for_each_column([](AnyColumn& column) { column.set_in_use_elsewhere(false); });
    particles.n = n_total_;
    ++particles.generation;
}

double Domain::widest_halo(const core::Box& box) const {
    double least = std::numeric_limits<double>::infinity();
    for (int axis = 0; axis < 3; ++axis)
        if (frame_.divides(axis))
            least =
                std::min(least, component(box.face_distances(), axis) / component(grid_.n, axis));
    return least - stray_;
}

void Domain::require_limit(const core::Box& box, double r_cut, double least) const {
    if (widest_limit(box, r_cut) >= least) return;
    throw core::InputError(
        "the box is too small for " + std::to_string(grid_.size()) + " ranks",
        "each rank needs the particles of its neighbours up to a depth of " +
            std::to_string(r_cut) +
            " plus their motion between two pair searches, and a domain is only " +
            std::to_string(widest_halo(box)) + " wide",
        "Use fewer ranks, with more threads each.");
}

void Domain::make_ghosts(device::Queue& queue, const core::Box& box, Particles& particles,
                         double width) {
    world_.enter(comm::Phase::renewal);
    if (width > widest_halo(box))
        throw core::InputError(
            "the box is too small for " + std::to_string(grid_.size()) + " ranks",
            "a domain is " + std::to_string(widest_halo(box)) +
                " wide and needs all particles within " + std::to_string(width),
            "Use fewer ranks, with more threads each.");
    zones_.assign(1, Zone{0, particles.n});
    particles.set_ghosts(queue, 0);
    exchange_.begin();
    links_.clear();
    for (int axis = 2; axis >= 0; --axis)
        if (frame_.divides(axis)) add_pulse(queue, box, particles, axis, width);
    exchange_.connect();
}

/// Sends the particles and ghosts near the lower face of an axis down, and takes those from above.
void Domain::add_pulse(device::Queue& queue, const core::Box& box, Particles& particles, int axis,
                       double width) {
    if (!has_cell()) {
        world_.exchange({});
        return;
    }
    const int ranks = component(grid_.n, axis);
    const int here = component(grid_.place(world_.rank()), axis);
    const double face = component(box.face_distances(), axis), fraction = width / face;
    const double below = component(frame_.low, axis) + fraction;
    const bool sends = here > 0 || box.periodic(axis);
    std::vector<std::int32_t> index;
    std::vector<Part> parts;
    device::host_task(queue, "choose ghosts",
                      [&, position = particles.position.data()](device::ThreadPool&) {
                          for (const Zone& zone : zones_) {
                              const auto before = index.size();
                              for (auto i = zone.begin; sends && i < zone.end; ++i)
                                  if (component(box.fractional(position[i]), axis) < below)
                                      index.push_back(static_cast<std::int32_t>(i));
                              const auto count = static_cast<std::int64_t>(index.size() - before);
                              if (count > 0) parts.push_back({count, zone.axes, zone.shift});
                          }
                      });
    queue.synchronize();
    const int to = grid_.neighbour(world_.rank(), axis, -1);
    const int from = grid_.neighbour(world_.rank(), axis, +1);
    comm::Parcel out{to, comm::bytes_of(static_cast<std::int64_t>(parts.size()), parts)};
    {
        const auto on_device = indices(queue, index);
        comm::append(out.bytes, download(queue, particles.pack_ghosts(queue, on_device.view())));
    }
    const auto in = world_.exchange({&out, 1});

    comm::ParcelReader reader(in.front());
    const auto n_got = reader.value<std::int64_t>();
    const auto arrived = reader.values<Part>(static_cast<std::size_t>(n_got));
    const auto first = particles.all();
    std::int64_t ghosts = 0;
    for (const Part& part : arrived) {
        Zone zone{first + ghosts, first + ghosts + part.count,
                  static_cast<std::uint8_t>(part.axes | 1 << axis), part.shift};
        // The last rank's upper neighbour is the first, one box further up.
        const int crossed = here == ranks - 1 ? 1 : 0;
        core::component(zone.shift, axis) = crossed;
        zones_.push_back(zone);
        ghosts += part.count;
    }
    const auto before = particles.ghosts;
    particles.set_ghosts(queue, before + ghosts);
    const auto parcel = to_device(queue, reader.rest<std::byte>());
    particles.unpack_ghosts(queue, parcel.view(), before, ghosts);
    queue.synchronize();
    exchange_.add(to, from, std::move(index), first, ghosts);
}

}  // namespace aureole::md
