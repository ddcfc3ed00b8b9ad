// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace aureole::tasks::bench {

/// Items of five kernels and host work between them on a clocked device, where the shortest time is
/// known: polling, callbacks and waiting, by executors, items of a batch and workers. Prints rows
/// of JSON.
void print_sweep();

}  // namespace aureole::tasks::bench
