// SPDX-License-Identifier: Apache-2.0
#include "md/particles/particles.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "device/copy.hpp"
#include "device/launch.hpp"
#include "md/particles/columns.kernel.hpp"

namespace aureole::md {

AnyColumn* Particles::find_column(const std::string& name) {
    AnyColumn* found = nullptr;
    for_each_column([&](AnyColumn& column) {
        if (column.spec().name == name) found = &column;
    });
    return found;
}

namespace {

/// Calls f(column) for the columns of ghosts.
template <class F>
void for_each_of_ghosts(Particles& particles, F&& f) {
    particles.for_each_column([&](AnyColumn& column) {
        if (column.spec().on_ghosts && column.in_use()) f(column);
    });
}

/// Bytes of so many rows of a column beside those of others, with all numbers aligned.
std::int64_t part_bytes(const AnyColumn& column, std::int64_t count) {
    return (count * static_cast<std::int64_t>(column.element_size()) + 7) / 8 * 8;
}

}  // namespace

void Particles::permute(device::Queue& queue, const std::int32_t* order,
                        device::Buffer<std::byte>& room) {
    std::int64_t bytes = 0;  // also of columns that are not in use yet
    for_each_column([&](AnyColumn& column) { bytes += part_bytes(column, n); });
    room.resize(queue, bytes);
    ManyColumns columns;
    std::byte* to = room.data();
    const auto move = [&] {
        device::parallel_for(queue, "sort columns", n, MoveRows{columns, order});
        device::parallel_for(queue, "return columns", n, MoveRows{columns, nullptr});
        columns.count = 0, to = room.data();
    };
    for_each_column([&](AnyColumn& column) {
        if (column.rows() == 0) return;
        columns.column[columns.count++] = {column.memory(), to,
                                           static_cast<std::int32_t>(column.element_size())};
        to += part_bytes(column, n);
        if (columns.count == columns.most) move();
    });
    if (columns.count > 0) move();
}

void Particles::set_ghosts(device::Queue& queue, std::int64_t count) {
    for_each_of_ghosts(*this, [&](AnyColumn& column) { column.set_ghosts(queue, count); });
    ghosts = count;
}

std::int64_t Particles::capacity() {
    std::int64_t least = position.room();
    for_each_of_ghosts(*this, [&](AnyColumn& column) { least = std::min(least, column.room()); });
    return least;
}

std::int64_t Particles::parcel_bytes(std::int64_t count) {
    std::int64_t bytes = 0;
    for_each_of_ghosts(*this, [&](AnyColumn& column) { bytes += part_bytes(column, count); });
    return bytes;
}

device::Buffer<std::byte> Particles::pack_ghosts(device::Queue& queue,
                                                 device::View<const std::int32_t> index) {
    device::Buffer<std::byte> parcel(queue, parcel_bytes(index.size));
    std::byte* to = parcel.data();
    for_each_of_ghosts(*this, [&](AnyColumn& column) {
        column.pack(queue, index, to);
        to += part_bytes(column, index.size);
    });
    return parcel;
}

void Particles::unpack_ghosts(device::Queue& queue, device::View<const std::byte> parcel,
                              std::int64_t first, std::int64_t count) {
    assert(first + count <= ghosts && parcel.size == parcel_bytes(count));
    const std::byte* from = parcel.data;
    for_each_of_ghosts(*this, [&](AnyColumn& column) {
        column.unpack(queue, from, first, count);
        from += part_bytes(column, count);
    });
}

Particles upload(device::Queue& queue, const ParticleData& data) {
    Particles p;
    p.n = static_cast<std::int64_t>(data.position.size());
    p.position = to_device(queue, data.position);
    p.velocity = to_device(queue, data.velocity);
    p.mass = to_device(queue, data.mass);
    p.image = to_device(queue, data.image);
    p.type = to_device(queue, data.type);
    p.charge = to_device(queue, data.charge);
    std::vector<Tag> tags(data.position.size());
    std::iota(tags.begin(), tags.end(), Tag(0));
    p.tag = to_device(queue, tags);
    const bool uniform = !data.mass.empty() && std::ranges::all_of(data.mass, [&](double m) {
        return m == data.mass[0];
    });
    p.uniform_mass = uniform ? data.mass[0] : 0;
    p.generation = 1;
    return p;
}

}  // namespace aureole::md
