// SPDX-License-Identifier: Apache-2.0
#include "preload/announcements.hpp"

#include <sched.h>

#include <chrono>

#include "preload/abi.hpp"
#include "preload/chunks.hpp"
#include "preload/mpi.hpp"

namespace aureole::preload {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds patience{1};

/// Takes one out of MPI, if it has come.
std::optional<Announcement> take(int rank, int slot) {
    int is_there = 0;
    Handle message = 0;
    OwnStatus status;
    mpi.improbe(rank, Chunks::announcement_tag(slot), chunks().comm(), &is_there, &message,
                status.data());
    if (is_there == 0) return {};
    Announcement found{};
    mpi.mrecv(&found, sizeof found, abi().byte, &message, status.data());
    return found;
}

}  // namespace

std::optional<Announcement> Announcements::find(int rank, int slot, int tag) {
    const auto end = Clock::now() + patience;
    for (;; sched_yield()) {
        {
            const std::lock_guard guard(lock_);
            auto& open = known_[{rank, slot}].open;
            if (!open) open = take(rank, slot);
            if (open) return open->tag == tag ? open : std::nullopt;
        }
        if (Clock::now() > end) return {};
    }
}

void Announcements::consume(int rank, int slot, std::uint32_t serial) {
    const std::lock_guard guard(lock_);
    Known& known = known_[{rank, slot}];
    known.served = serial;
    if (!known.open) {
        Announcement found{};  // it was sent before the header
        OwnStatus status;
        mpi.recv(&found, sizeof found, abi().byte, rank, Chunks::announcement_tag(slot),
                 chunks().comm(), status.data());
    }
    known.open.reset();
}

bool Announcements::is_served(int rank, int slot, std::uint32_t serial) {
    const std::lock_guard guard(lock_);
    const auto found = known_.find({rank, slot});
    return found != known_.end() && serial <= found->second.served;
}

Announcements& announcements() {
    static auto* const only = new Announcements;  // outlives MPI's threads
    return *only;
}

}  // namespace aureole::preload
