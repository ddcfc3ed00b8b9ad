// SPDX-License-Identifier: Apache-2.0
#include "preload/shared_memory.hpp"

namespace aureole::preload {

drivers::Exports& exports() {
    static auto* const only = new drivers::Exports;
    return *only;
}

drivers::Imports& imports() {
    static auto* const only = new drivers::Imports;
    return *only;
}

}  // namespace aureole::preload
