// SPDX-License-Identifier: Apache-2.0
#include "amr/fluid_state.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "io/packed_core.hpp"

namespace aureole::amr {

/// The plain numbers of a state.
struct FluidHeader {
    std::int32_t version, dims, fields;
    Vec3i roots;
    std::int64_t step;
    double time, rest, rate, first_rate, dt;
    Repairs repairs;
};

}  // namespace aureole::amr

namespace aureole::io {

template <>
struct PackedMembers<amr::Repairs> {
    using R = amr::Repairs;
    static constexpr std::tuple list{&R::steps, &R::cells, &R::floors};
};

template <>
struct PackedMembers<amr::FluidHeader> {
    using H = amr::FluidHeader;
    static constexpr std::tuple list{&H::version,    &H::dims, &H::fields, &H::roots,
                                     &H::step,       &H::time, &H::rest,   &H::rate,
                                     &H::first_rate, &H::dt,   &H::repairs};
};

}  // namespace aureole::io

namespace aureole::amr {

namespace {

constexpr std::int32_t format_version = 2;
const std::string header_name = "fluid", keys_name = "keys", cells_name = "cells",
                  checked_name = "checked", calm_name = "calm";

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
    io::require(std::isfinite(header.rate) && header.rate > 0 && std::isfinite(header.dt) &&
                    header.dt >= 0 && std::isfinite(header.first_rate) && header.first_rate > 0,
                header_name, "its time step is out of range");
    const auto& repairs = header.repairs;
    constexpr std::int64_t most = std::int64_t{1} << 60;
    for (const auto count : {repairs.steps, repairs.cells, repairs.floors})
        io::require(count >= 0 && count <= most, header_name,
                    "its counts of repairs are out of range");
    return header;
}

}  // namespace

void put_state(io::StateBlocks& to, const Tree& tree, const FluidState& state) {
    const auto& clock = state.clock;
    const Mesh& mesh = tree.mesh();
    const FluidHeader header{format_version,   mesh.dims,  fields,       mesh.roots,
                             clock.step,       clock.time, clock.rest,   clock.rate,
                             clock.first_rate, clock.dt,   state.repairs};
    io::put(to, header_name, std::span(&header, 1));
    std::vector<std::uint64_t> keys;
    for (const auto key : tree.leaves()) keys.push_back(key.bits());
    io::put(to, keys_name, keys);
    io::put(to, cells_name, state.conserved);
    io::put(to, checked_name, std::span(&state.checked, 1));
    io::put(to, calm_name, state.calm);
}

std::pair<Tree, FluidState> get_state(const io::StateBlocks& from, const Mesh& mesh) {
    const auto header = get_header(from, mesh);
    FluidState state;
    state.clock.step = header.step, state.clock.time = header.time;
    state.clock.rest = header.rest, state.clock.rate = header.rate, state.clock.dt = header.dt;
    state.clock.first_rate = header.first_rate, state.repairs = header.repairs;
    Tree tree = Tree::read(mesh, io::get<std::uint64_t>(from, keys_name));
    state.conserved =
        io::get<double>(from, cells_name, static_cast<std::size_t>(fields * tree.cells()));
    io::require(io::all_finite(std::span(state.conserved)), cells_name, "a number is not finite");
    state.checked = io::get<std::int64_t>(from, checked_name, 1)[0];
    state.calm = io::get<std::int8_t>(from, calm_name, static_cast<std::size_t>(tree.size()));
    io::require(state.checked <= state.clock.step, checked_name, "it lies after the last step");
    io::require(std::ranges::all_of(state.calm, [](auto n) { return n >= 0 && n <= 2; }), calm_name,
                "a number is out of range");
    return {std::move(tree), std::move(state)};
}

}  // namespace aureole::amr
