// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/box.hpp"
#include "device/buffer.hpp"
#include "device/copy.hpp"

namespace aureole::md {

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

/// The particles of one rank in device memory: dense columns in local order, without holes.
struct Particles {
    device::Buffer<Vec3d> position;      ///< [n] unwrapped since the last search
    device::Buffer<Vec3d> velocity;      ///< [n]
    device::Buffer<double> mass;         ///< [n]
    device::Buffer<Vec3i> image;         ///< [n]
    device::Buffer<std::int32_t> type;   ///< [n]
    device::Buffer<std::uint32_t> tag;   ///< [n]
    device::Buffer<double> charge;       ///< [n], or empty: none is charged
    device::Buffer<std::uint8_t> moves;  ///< [n] bits of the axes along which it moves; empty: all
    device::Buffer<std::uint8_t> bath;   ///< [n] group of the coupling; empty: there are none
    std::int64_t n = 0;
    std::uint64_t generation = 0;  ///< changes with the local order
    double uniform_mass = 0;       ///< 0 if masses differ
};

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
inline std::vector<std::uint32_t> download_tags(device::Queue& queue, const Particles& particles) {
    return download(queue, particles.tag);
}

template <class T>
std::vector<T> to_tag_order(const std::vector<T>& local, const std::vector<std::uint32_t>& tags) {
    std::vector<T> out(local.size());
    for (std::size_t i = 0; i < local.size(); ++i) out[tags[i]] = local[i];
    return out;
}
template <class T>
std::vector<T> to_local_order(const std::vector<T>& by_tag,
                              const std::vector<std::uint32_t>& tags) {
    std::vector<T> out(by_tag.size());
    for (std::size_t i = 0; i < by_tag.size(); ++i) out[i] = by_tag[tags[i]];
    return out;
}

}  // namespace aureole::md
