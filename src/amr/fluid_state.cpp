// SPDX-License-Identifier: Apache-2.0
#include "amr/fluid_state.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "amr/node_key.hpp"
#include "io/packed_core.hpp"

namespace aureole::amr {

/// The plain numbers of a state.
struct FluidHeader {
    std::int32_t version, dims, fields;
    Vec3i roots;
    std::int64_t step;
    double time, rest, rate, dt;
};

}  // namespace aureole::amr

namespace aureole::io {

template <>
struct PackedMembers<amr::FluidHeader> {
    using H = amr::FluidHeader;
    static constexpr std::tuple list{&H::version, &H::dims, &H::fields, &H::roots, &H::step,
                                     &H::time,    &H::rest, &H::rate,   &H::dt};
};

}  // namespace aureole::io

namespace aureole::amr {

namespace {

constexpr std::int32_t format_version = 1;
const std::string header_name = "fluid", keys_name = "keys", cells_name = "cells";

/// The keys of all sub-grids in Morton order, and the number of each in the mesh.
std::vector<std::pair<std::uint64_t, std::int64_t>> keys_of(const Mesh& mesh) {
    const int depth = depth_of(mesh.roots);
    std::vector<std::pair<std::uint64_t, std::int64_t>> keys;
    keys.reserve(static_cast<std::size_t>(mesh.blocks()));
    for (std::int64_t block = 0; block < mesh.blocks(); ++block)
        keys.emplace_back(NodeKey(mesh.place(block), depth).bits(), block);
    std::ranges::sort(keys);
    return keys;
}

FluidHeader get_header(const io::StateBlocks& from, const Mesh& mesh) {
    if (!from.contains(header_name))
        throw core::FileError("the file is no checkpoint of a fluid",
                              "it has no block '" + header_name + "'",
                              "Give a checkpoint that amr.Simulation has written.");
    const auto header = io::get<FluidHeader>(from, header_name, 1)[0];
    if (header.version != format_version)
        throw core::FileError("the checkpoint has format " + std::to_string(header.version),
                              "this version reads format " + std::to_string(format_version),
                              "Use the version of Aureole that wrote it.");
    io::require(header.dims == mesh.dims && header.fields == fields && header.roots == mesh.roots,
                header_name, "it is of another mesh");
    const double nearest =
        std::nextafter(std::abs(header.time), std::numeric_limits<double>::infinity()) -
        std::abs(header.time);
    io::require(header.step >= 0 && std::isfinite(header.time) && std::isfinite(header.rest) &&
                    std::abs(header.rest) <= nearest,
                header_name, "its step or time is out of range");
    io::require(
        std::isfinite(header.rate) && header.rate > 0 && std::isfinite(header.dt) && header.dt >= 0,
        header_name, "its time step is out of range");
    return header;
}

}  // namespace

void put_state(io::StateBlocks& to, const Mesh& mesh, const FluidState& state) {
    const auto& clock = state.clock;
    const FluidHeader header{format_version, mesh.dims,  fields,     mesh.roots, clock.step,
                             clock.time,     clock.rest, clock.rate, clock.dt};
    io::put(to, header_name, std::span(&header, 1));
    const auto each = static_cast<std::size_t>(fields * mesh.shape().cells());
    std::vector<std::uint64_t> keys;
    std::vector<double> cells;
    cells.reserve(state.conserved.size());
    for (const auto& [key, block] : keys_of(mesh)) {
        keys.push_back(key);
        const auto begin = state.conserved.begin() +
                           static_cast<std::ptrdiff_t>(static_cast<std::size_t>(block) * each);
        cells.insert(cells.end(), begin, begin + static_cast<std::ptrdiff_t>(each));
    }
    io::put(to, keys_name, keys);
    io::put(to, cells_name, cells);
}

FluidState get_state(const io::StateBlocks& from, const Mesh& mesh) {
    const auto header = get_header(from, mesh);
    FluidState state;
    state.clock.step = header.step, state.clock.time = header.time;
    state.clock.rest = header.rest, state.clock.rate = header.rate, state.clock.dt = header.dt;
    const auto blocks = static_cast<std::size_t>(mesh.blocks());
    const auto each = static_cast<std::size_t>(fields * mesh.shape().cells());
    const auto keys = io::get<std::uint64_t>(from, keys_name, blocks);
    const auto cells = io::get<double>(from, cells_name, blocks * each);
    io::require(io::all_finite(std::span(cells)), cells_name, "a number is not finite");
    state.conserved.resize(cells.size());
    std::size_t k = 0;
    for (const auto& [key, block] : keys_of(mesh)) {
        io::require(keys[k] == key, keys_name, "the sub-grids are not those of the mesh");
        std::copy_n(cells.begin() + static_cast<std::ptrdiff_t>(k * each), each,
                    state.conserved.begin() +
                        static_cast<std::ptrdiff_t>(static_cast<std::size_t>(block) * each));
        ++k;
    }
    return state;
}

}  // namespace aureole::amr
