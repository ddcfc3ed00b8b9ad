// SPDX-License-Identifier: Apache-2.0
#include "preload/pause.hpp"

#include "preload/abi.hpp"
#include "preload/mpi.hpp"
#include "preload/node.hpp"

namespace aureole::preload {

void let_mpi_work() {
    int flag = 0;
    OwnStatus status;
    mpi.iprobe(node().rank(), 0, abi().comm_world, &flag, status.data());
}

}  // namespace aureole::preload
