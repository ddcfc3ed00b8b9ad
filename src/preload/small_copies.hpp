// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "preload/where.hpp"

namespace aureole::preload {

/// A copy of few bytes from (`is_load`) or to device memory, which the processor can make itself
/// where that memory is mapped for it.
struct SmallCopy {
    std::byte* device;
    std::byte* host;
    std::size_t bytes;
    bool is_load;
};

/// Makes the copy and returns true, or leaves it to the driver: the memory is not mapped (yet),
/// work is pending in the default stream, it is too large, or AUREOLE_MPI_SMALL_MAPPED says so.
bool copy_by_processor(const SmallCopy& copy, const Allocation& at);

/// The way to memory of this device, for the log; empty if there is none.
std::string processors_way(const Allocation& at);

/// How many copies of each kind this process has made so.
struct SmallCopies {
    long loads = 0, stores = 0;
};
SmallCopies small_copies();
/// Says their number, if the settings want it.
void tell_small_copies();

}  // namespace aureole::preload
