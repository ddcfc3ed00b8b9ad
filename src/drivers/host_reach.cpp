// SPDX-License-Identifier: Apache-2.0
#include "drivers/host_reach.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace aureole::drivers {

namespace {

bool goes_through_a_pipe(const std::byte* from, std::byte* to) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    const bool is_read = write(ends[1], from, 1) == 1;
    const bool is_written = is_read && to != nullptr && read(ends[0], to, 1) == 1;
    close(ends[0]), close(ends[1]);
    return to != nullptr ? is_written : is_read;
}

}  // namespace

bool host_reads(const std::byte* at) { return goes_through_a_pipe(at, nullptr); }
bool host_writes(std::byte* at) { return goes_through_a_pipe(at, at); }

}  // namespace aureole::drivers
