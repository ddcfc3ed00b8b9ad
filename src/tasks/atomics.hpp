// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace aureole::tasks {

/// What the shared parts of this layer are made of; tests put a model checker's in its place.
struct StdAtomics {
    template <class T>
    using atomic = std::atomic<T>;
};

}  // namespace aureole::tasks
