// SPDX-License-Identifier: Apache-2.0
#include "comm/memory/driver.hpp"

#include <array>

namespace aureole::comm {

namespace {

/// Lives until the process ends, as MPI's own threads may still ask for it in its last moments.
struct Found {
    std::array<Driver*, 3> drivers{};

    Found() {
        std::size_t n = 0;
        for (auto& driver : {open_cuda_driver, open_hip_driver})
            if (auto opened = driver()) drivers[n++] = opened.release();
    }
};

}  // namespace

Driver* const* Driver::all() {
    static const Found* const found = new Found;
    return found->drivers.data();
}

Allocation Driver::look_up(const void* address) {
    for (Driver* const* driver = all(); *driver != nullptr; ++driver) {
        const Allocation found = (*driver)->attributes(address);
        if (found.kind == MemoryKind::device || found.kind == MemoryKind::managed) return found;
    }
    return {};
}

}  // namespace aureole::comm
