// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/streams.hpp"

namespace aureole::emulated {

/// A kernel is played by a host function of the program, `aureole_emulated_<name>`. It gets the
/// addresses of its parameters, and the numbers of blocks and of threads in a block in the first
/// direction; device memory it reaches by `aureole_double_host`. If the program has also
/// `unsigned long aureole_emulated_<name>_sizes[]`, the bytes of each parameter and then 0, the
/// parameters are copied, and launches are as late as copies; else they wait for their turn.
struct Kernel {
    void (*run)(void** parameters, unsigned grid_x, unsigned block_x) = nullptr;
    const unsigned long* sizes = nullptr;
};

/// A kernel of our own that the double plays for every program; empty if there is none of this
/// name.
const Kernel* own_kernel(const char* name);

/// The program's function, else the double's own. Empty if there is none.
const Kernel* find_kernel(const char* name);
bool kernel_exists(const Kernel* kernel);

struct Launch {
    const Kernel* kernel = nullptr;
    unsigned grid_x = 1;
    unsigned block_x = 1;
    void** parameters = nullptr;
    void** packed = nullptr;  ///< the drivers' list that gives one buffer with all parameters
};

int launch(const Launch& what, const StreamPtr& stream);

}  // namespace aureole::emulated
