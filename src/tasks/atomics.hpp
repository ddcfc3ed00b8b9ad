// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace aureole::tasks {

/// Atomics of the shared parts of this layer; tests put a model checker's in their place.
struct StdAtomics {
    template <class T>
    using atomic = std::atomic<T>;
};

}  // namespace aureole::tasks
