// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "amr/hydro/leaves.hpp"
#include "amr/step/look.hpp"
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

/// A tree with the tables of its sub-grids on the host and on the device, and memory for halo cells
/// and fluxes at jumps and for looks. Steps and checks of the mesh share it.
struct TreeOnDevice {
    TreeOnDevice(device::Queue& queue, const Tree& of, int with_halo);

    HalosAtJumps find_halos(const double* input) {
        return {shape, halo, faces.data(), places.data(), beyond.data(), input, halos.data()};
    }
    CorrectFluxes correct_fluxes(double* output, double change) {
        return {shape,
                of_block.data(),
                faces.data(),
                fluxes.data(),
                output,
                change,
                tree.mesh().inverse_spacings(),
                refined.data()};
    }
    /// Looks at the cells of all sub-grids, in one launch, and brings the findings to the host.
    std::vector<Look> look_at(device::Queue& queue, Ideal gas, const double* conserved);
    /// The number of a face at a jump in `jumps.faces`; −1 for others.
    std::int64_t jump(std::int64_t block, int axis, int side) const {
        return jumps.of_block[static_cast<std::size_t>((block * shape.dims + axis) * 2 + side)];
    }
    const Layer& layer(std::int64_t block, int axis, int side, int depth) const {
        return layers[static_cast<std::size_t>(
            layer_place(shape.dims, halo, block, axis, side, depth))];
    }

    const Tree tree;
    const BlockShape shape;
    const int halo;
    const Jumps jumps;
    const std::vector<Layer> layers;
    device::Buffer<Layer> layers_there;
    device::Buffer<JumpFace> faces;
    device::Buffer<CellSource> places;
    device::Buffer<std::int64_t> of_block, to_finer;
    device::Buffer<double> refined, beyond, halos, fluxes;
    device::Buffer<Look> looks;  ///< [block]
};

}  // namespace aureole::amr
