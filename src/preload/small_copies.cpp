// SPDX-License-Identifier: Apache-2.0
#include "preload/small_copies.hpp"

#include <atomic>

#include "drivers/host_mappings.hpp"
#include "preload/node.hpp"
#include "preload/report.hpp"
#include "preload/settings.hpp"

namespace aureole::preload {

namespace {

/// Stores go through the bus at 9.6 GB/s, loads at 0.5 GB/s (GDRCopy's page, H100): of fewer bytes.
constexpr long stores_for_a_load = 16;

long most_bytes(bool is_load) {
    const long most = settings().small_mapped;
    return is_load ? most / stores_for_a_load : most;
}

/// Those that wait for the device are the driver's.
bool are_wanted(const Allocation& at) {
    return settings().small_mapped > 0 && !settings().waits_for_device &&
           at.kind == drivers::MemoryKind::device;
}

drivers::HostMappings& mappings() {
    static auto* const all = new drivers::HostMappings;  // outlives MPI's threads
    return *all;
}

std::atomic<long> loads = 0, stores = 0;

}  // namespace

bool copy_by_processor(const SmallCopy& copy, const Allocation& at) {
    if (!are_wanted(at)) return false;
    if (copy.bytes > static_cast<std::size_t>(most_bytes(copy.is_load))) {
        if (stores + loads > 0) mappings().look_after();
        return false;
    }
    const auto mapping = mappings().find(copy.device, copy.bytes, at);
    if (mapping == nullptr) return false;
    if (copy.is_load)
        mapping->load(copy.host, copy.device, copy.bytes);
    else
        mapping->store(copy.device, copy.host, copy.bytes);
    (copy.is_load ? loads : stores).fetch_add(1, std::memory_order_relaxed);
    return true;
}

std::string processors_way(const Allocation& at) {
    if (!are_wanted(at)) return "";
    const drivers::HostWay* const way = mappings().way(at);
    if (way == nullptr) return "";
    return ", up to " + std::to_string(most_bytes(true)) + " bytes from there and " +
           std::to_string(most_bytes(false)) + " bytes to there by the processor (" + way->name() +
           ")";
}

SmallCopies small_copies() { return {loads, stores}; }

void tell_small_copies() {
    if (!settings().tells || loads + stores == 0) return;
    say("rank " + std::to_string(node().rank()) + " has copied " + std::to_string(loads) +
        " small messages from its device and " + std::to_string(stores) +
        " to it by the processor");
}

}  // namespace aureole::preload
