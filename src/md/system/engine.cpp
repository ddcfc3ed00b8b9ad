// SPDX-License-Identifier: Apache-2.0
#include "md/system/engine.hpp"

#include "device/copy.hpp"

namespace aureole::md {

std::vector<Vec3d> download_forces(device::Queue& queue, Engine& engine, std::int64_t n) {
    device::Buffer<Vec3d> forces(queue, n);
    engine.read_forces(forces.view());
    return download(queue, forces);
}

}  // namespace aureole::md
