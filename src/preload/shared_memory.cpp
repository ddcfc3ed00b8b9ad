// SPDX-License-Identifier: Apache-2.0
#include "preload/shared_memory.hpp"

namespace aureole::preload {

comm::Exports& exports() {
    static auto* const only = new comm::Exports;
    return *only;
}

comm::Imports& imports() {
    static auto* const only = new comm::Imports;
    return *only;
}

}  // namespace aureole::preload
