// SPDX-License-Identifier: Apache-2.0
#include "amr/step/tree_on_device.hpp"

#include "amr/step/look.kernel.hpp"
#include "device/launch.hpp"

namespace aureole::amr {

TreeOnDevice::TreeOnDevice(device::Queue& queue, const Tree& of, int with_halo)
    : tree(of),
      shape(tree.mesh().shape()),
      halo(with_halo),
      jumps(jumps_of(tree)),
      layers(layers_beyond(tree, jumps, halo)),
      layers_there(copied(queue, layers)),
      faces(copied(queue, jumps.faces)),
      places(copied(queue, jumps.places)),
      of_block(copied(queue, jumps.of_block)),
      to_finer(copied(queue, jumps.to_finer)),
      refined(copied(queue, refinements(tree))),
      beyond(copied(queue, states_beyond(tree.mesh()))),
      halos(queue, faces.size() * HalosAtJumps::values(shape, halo)),
      fluxes(queue, faces.size() * CorrectFluxes::values(shape)),
      looks(queue, tree.size()) {}

std::vector<Look> TreeOnDevice::look_at(device::Queue& queue, Ideal gas, const double* conserved) {
    device::team_for(queue, "look at cells", {looks.size(), 32},
                     LookAtCells<Ideal>{shape, gas, tree.mesh().inverse_spacings(), refined.data(),
                                        conserved, looks.data()});
    std::vector<Look> found(static_cast<std::size_t>(looks.size()));
    device::copy_to_host(queue, found.data(), looks.view());
    return found;
}

}  // namespace aureole::amr
