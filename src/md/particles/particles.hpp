// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "core/box.hpp"
#include "device/buffer.hpp"
#include "device/copy.hpp"
#include "md/particles/columns.hpp"

namespace aureole::md {

inline constexpr double heaviest_mass = 1e100;  ///< products of masses must be finite

using core::Vec3d;
using core::Vec3i;

/// Particles as a user gives and gets them, in the order of their tags.
struct ParticleData {
    std::vector<Vec3d> position;     ///< [n] length, inside the box
    std::vector<Vec3d> velocity;     ///< [n] length/time
    std::vector<double> mass;        ///< [n]
    std::vector<std::int32_t> type;  ///< [n]
    std::vector<Vec3i> image;        ///< [n] whole boxes travelled
    std::vector<double> charge;      ///< [n], or empty: none is charged
};

/// The particles of one rank in device memory: dense columns in local order, without holes, first
/// those that it owns, then ghosts: copies of others' particles, in columns that are read of them.
/// The columns of the core have names here; forces, stages and users add more.
struct Particles {
    Column<Vec3d> position{{.name = "position", .unit = "length", .on_ghosts = true}};
    Column<Vec3d> velocity{{.name = "velocity", .unit = "length/time"}};
    Column<double> mass{{.name = "mass", .unit = "mass"}};
    Column<Vec3i> image{{.name = "image"}};
    Column<std::int32_t> type{{.name = "type", .on_ghosts = true}};
    Column<Tag> tag{{.name = "tag", .on_ghosts = true}};
    /// None is charged where it is empty.
    Column<double> charge{
        {.name = "charge", .unit = "charge", .optional = true, .on_ghosts = true}};
    /// Bits of the axes along which a particle moves; all do where it is empty.
    Column<std::uint8_t> moves{{.name = "moves", .in_checkpoints = false}};
    /// Group of the coupling; there are none where it is empty.
    Column<std::uint8_t> thermostat_group{{.name = "bath", .optional = true}};
    std::vector<std::unique_ptr<AnyColumn>> more;
    std::int64_t n = 0;            ///< owned
    std::int64_t ghosts = 0;       ///< behind them
    std::uint64_t generation = 0;  ///< changes with the local order
    double uniform_mass = 0;       ///< 0 if masses differ

    template <class F>
    void for_each_column(F&& f) {
        for (AnyColumn* column :
             std::initializer_list<AnyColumn*>{&position, &velocity, &mass, &image, &type, &tag,
                                               &charge, &moves, &thermostat_group})
            f(*column);
        for (auto& column : more) f(*column);
    }
    /// The column of that name, or null.
    AnyColumn* find_column(const std::string& name);
    const AnyColumn* find_column(const std::string& name) const {
        return const_cast<Particles*>(this)->find_column(name);
    }
    /// The column of that name and type, which is added, empty, if there is none.
    template <class T>
    Column<T>& column(ColumnSpec spec);

    /// Brings all columns into a new order in few launches; see AnyColumn::permute(). `room` then
    /// has the size of all columns.
    void permute(device::Queue& queue, const std::int32_t* order, device::Buffer<std::byte>& room);

    /// Owned particles and ghosts.
    std::int64_t all() const { return n + ghosts; }
    /// Rows that the columns of ghosts have memory for.
    std::int64_t capacity();
    /// Makes room for ghosts, whose values are then what unpack_ghosts() gives them.
    void set_ghosts(device::Queue& queue, std::int64_t count);
    /// Bytes of a parcel of so many particles: of all columns in use that are read of ghosts.
    std::int64_t parcel_bytes(std::int64_t count);
    /// A parcel in device memory: column by column the rows `index`, which may be those
    /// of ghosts.
    device::Buffer<std::byte> pack_ghosts(device::Queue& queue,
                                          device::View<const std::int32_t> index);
    /// Gives ghosts [first, first + count) the values of a parcel of so many.
    void unpack_ghosts(device::Queue& queue, device::View<const std::byte> parcel,
                       std::int64_t first, std::int64_t count);
};

template <class T>
Column<T>& Particles::column(ColumnSpec spec) {
    if (auto* known = dynamic_cast<Column<T>*>(find_column(spec.name))) return *known;
    more.push_back(std::make_unique<Column<T>>(std::move(spec)));
    return static_cast<Column<T>&>(*more.back());
}

/// Copies host columns to the device; local order is then tag order.
Particles upload(device::Queue& queue, const ParticleData& data);

/// A column in device memory.
template <class T>
device::Buffer<T> to_device(device::Queue& queue, const std::vector<T>& from) {
    device::Buffer<T> to(queue, static_cast<std::int64_t>(from.size()));
    device::copy_from_host(queue, to.view(), from.data());
    return to;
}

/// Brings a column to the host, local order; `to_tag_order` sorts it.
template <class T>
std::vector<std::remove_const_t<T>> download(device::Queue& queue, device::View<T> column) {
    std::vector<std::remove_const_t<T>> out(static_cast<std::size_t>(column.size));
    device::copy_to_host(queue, out.data(), column);
    return out;
}
template <class T>
std::vector<T> download(device::Queue& queue, const device::Buffer<T>& column) {
    return download(queue, column.view());
}
inline std::vector<Tag> download_tags(device::Queue& queue, const Particles& particles) {
    return download(queue, particles.tag);
}

template <class T>
std::vector<T> to_tag_order(const std::vector<T>& local, const std::vector<Tag>& tags) {
    std::vector<T> out(local.size());
    for (std::size_t i = 0; i < local.size(); ++i)
        out[static_cast<std::size_t>(tags[i])] = local[i];
    return out;
}
template <class T>
std::vector<T> to_local_order(const std::vector<T>& by_tag, const std::vector<Tag>& tags) {
    std::vector<T> out(tags.size());
    for (std::size_t i = 0; i < tags.size(); ++i)
        out[i] = by_tag[static_cast<std::size_t>(tags[i])];
    return out;
}

}  // namespace aureole::md
