// SPDX-License-Identifier: Apache-2.0
#include "preload/watch.hpp"

#include <unistd.h>

#include <algorithm>

#include "core/error.hpp"
#include "preload/mpi.hpp"
#include "preload/shared_memory.hpp"

namespace aureole::preload {

void Watch::begin() {
    int threads = 0;
    mpi.query_thread(&threads);
    is_serial_ = threads < abi().thread_multiple;
    if (node().page() == nullptr) return;
    if (access("/dev/nvidiactl", F_OK) == 0 || access("/dev/kfd", F_OK) == 0) turn_on();
}

void Watch::keep(const Allocation& at) {
    const std::lock_guard guard(lock_);
    if (device_.driver == nullptr) device_ = at;
    has_device_.store(true, std::memory_order_release);
}

Allocation Watch::device() {
    const std::lock_guard guard(lock_);
    Allocation any = device_;
    any.context = nullptr;  // the program may have destroyed it; the primary one comes again
    return any;
}

bool Watch::is_answered(int rank) {
    const std::lock_guard guard(lock_);
    return senders_.contains(rank);
}

void Watch::answer(Page& page) {
    const std::lock_guard guard(lock_);
    const std::uint32_t made =
        std::min<std::uint32_t>(page.offers_made.load(std::memory_order_acquire), Page::offers_n);
    for (auto k = answered_.load(); k < made; ++k) {
        Offer& offer = page.offers[k];
        if (offer.answer.load(std::memory_order_acquire) != Offer::Answer::asked) return;
        const bool is_mapped = can_map(offer);
        if (is_mapped) senders_.insert(offer.from);
        offer.answer.store(is_mapped ? Offer::Answer::yes : Offer::Answer::no,
                           std::memory_order_release);
        answered_ = k + 1;
    }
}

bool Watch::can_map(const Offer& offer) const {
    const auto from = node().neighbour(offer.from);
    if (from == nullptr || offer.device < 0 || offer.device >= Page::devices_n) return false;
    try {
        const auto& trial = (*from)->trials[static_cast<std::size_t>(offer.device)];
        imports().map(offer.from, trial, device_);
        return true;
    } catch (const core::DeviceError&) {
        return false;  // its messages go through the host
    }
}

Watch& watch() {
    static auto* const only = new Watch;  // outlives MPI's threads
    return *only;
}

bool Receive::may_take_header(std::int64_t count, Handle type) {
    if (abi().own(type) == abi().datatype_null) return false;
    Count size = 0;
    mpi.type_size(type, &size);
    return count * size >= Header::least;
}

}  // namespace aureole::preload
