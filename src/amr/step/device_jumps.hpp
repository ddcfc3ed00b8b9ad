// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "amr/tree/jumps.hpp"
#include "device/buffer.hpp"
#include "device/copy.hpp"

namespace aureole::amr {

template <class T>
device::Buffer<T> copied(device::Queue& queue, const std::vector<T>& data) {
    device::Buffer<T> buffer(queue, static_cast<std::int64_t>(data.size()));
    device::copy_from_host(queue, buffer.view(), data.data());
    return buffer;
}

/// The tables of the jumps of a mesh on the device, and memory for halo cells and fluxes at them.
struct DeviceJumps {
    DeviceJumps(device::Queue& queue, const Tree& tree, const Jumps& jumps, int halo)
        : faces(copied(queue, jumps.faces)),
          places(copied(queue, jumps.places)),
          of_block(copied(queue, jumps.of_block)),
          to_finer(copied(queue, jumps.to_finer)),
          refined(copied(queue, refinements(tree))),
          beyond(copied(queue, states_beyond(tree.mesh()))),
          halos(queue, faces.size() * HalosAtJumps::values(tree.mesh().shape(), halo)),
          fluxes(queue, faces.size() * CorrectFluxes::values(tree.mesh().shape())) {}

    HalosAtJumps find_halos(BlockShape shape, int halo, const double* input) {
        return {shape, halo, faces.data(), places.data(), beyond.data(), input, halos.data()};
    }
    CorrectFluxes correct_fluxes(BlockShape shape, double* output, double change,
                                 const std::array<double, 3>& inverse_spacing) {
        return {shape,  of_block.data(), faces.data(),    fluxes.data(),
                output, change,          inverse_spacing, refined.data()};
    }

    device::Buffer<JumpFace> faces;
    device::Buffer<CellSource> places;
    device::Buffer<std::int64_t> of_block, to_finer;
    device::Buffer<double> refined, beyond, halos, fluxes;
};

}  // namespace aureole::amr
