// SPDX-License-Identifier: Apache-2.0
// Questions of programs that measure messages; they find these functions by dlsym.
#include <algorithm>

#include "preload/envelope.hpp"
#include "preload/small_copies.hpp"
#include "preload/thresholds.hpp"

using namespace aureole::preload;  // NOLINT: functions in C are in no namespace

extern "C" {
/// The line under which a measured threshold is kept; it stays valid. Null for memory of the host.
[[gnu::visibility("default")]] const char* aureole_mpi_machine(const void* memory) {
    const Allocation at = where(memory);
    if (!at.on_device()) return nullptr;
    static const std::string line = machine(at);
    return line.c_str();
}
/// The shortest message in this memory that goes straight to another device of the node, where it
/// can map it [bytes]; -1: none.
[[gnu::visibility("default")]] long aureole_mpi_straight_from(const void* memory) {
    const Allocation at = where(memory);
    if (!at.on_device() || threshold(at).bytes < 0) return -1;
    return std::max<long>(threshold(at).bytes, Header::most + 1);
}
/// How many messages this process has sent so.
[[gnu::visibility("default")]] long aureole_mpi_sent_straight() { return messages_sent_straight(); }
/// How many small messages its processor has copied from devices and to them.
[[gnu::visibility("default")]] long aureole_mpi_small_loads() { return small_copies().loads; }
[[gnu::visibility("default")]] long aureole_mpi_small_stores() { return small_copies().stores; }
}
