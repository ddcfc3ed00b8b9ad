// SPDX-License-Identifier: Apache-2.0
#include "preload/arrival.hpp"

#include <sched.h>

#include <cstring>
#include <map>
#include <utility>

#include "core/error.hpp"
#include "preload/announcements.hpp"
#include "preload/host_piece.hpp"
#include "preload/shared_memory.hpp"
#include "preload/watch.hpp"
#include "preload/world.hpp"

namespace aureole::preload {

namespace {

/// Closes mappings of what a neighbour has freed since the last time.
void forget_freed(Page& of) {
    static std::mutex lock;
    static std::map<int, std::uint64_t> seen_of;
    const std::lock_guard guard(lock);
    const std::uint64_t freed = of.freed.load(std::memory_order_acquire);
    const std::uint64_t seen = std::exchange(seen_of[of.rank], freed);
    if (freed - seen < Page::freed_n)
        for (std::uint64_t k = seen; k < freed; ++k)
            imports().drop(of.rank, of.freed_ids[k % Page::freed_n]);
    // Some are no longer told, or others came to their places while they were read.
    if (of.freed.load(std::memory_order_acquire) - seen >= Page::freed_n)
        imports().drop_all(of.rank);
}

bool is_waiting(Phase phase) {
    return phase == Phase::open || phase == Phase::moving || phase == Phase::moved;
}

/// Ends a fetch in any case, as the sender waits for that.
class Taken {
  public:
    explicit Taken(Slot& slot) : slot_(slot) {}
    Taken(const Taken&) = delete;
    Taken& operator=(const Taken&) = delete;
    ~Taken() { slot_.phase.store(Phase::taken, std::memory_order_release); }

  private:
    Slot& slot_;
};

}  // namespace

std::optional<Arrival> Arrival::in(const std::byte* message, std::int64_t n) {
    if (n >= 0 && Header::slot_of(n) < 0) return {};
    Header header;
    std::memcpy(&header, message, sizeof header);
    if (header.slot < 0 || header.slot >= Page::slots_n || header.kind != Header::Kind::mapped)
        return {};
    if (n >= 0 && Header::length(header.slot) != n) return {};
    auto from = node().neighbour(header.rank);
    if (from == nullptr || (*from)->token != header.token) return {};
    Slot& slot = (*from)->slots[static_cast<std::size_t>(header.slot)];
    const Phase phase = slot.phase.load(std::memory_order_acquire);
    const bool is_open = (is_waiting(phase) || phase == Phase::fetching) &&
                         slot.serial == header.serial && slot.to == node().rank();
    if (is_open) return Arrival(std::move(from), slot, header.serial);
    if (n >= 0)
        throw core::RankError("a message is lost",
                              "rank " + std::to_string(header.rank) +
                                  " could not go on with it after it had sent its header",
                              "See what that rank has reported.");
    return {};  // the memory still holds a header that was served
}

Location Arrival::location() {
    for (;;) {
        Phase phase = slot_->phase.load(std::memory_order_acquire);
        bool is_ours = slot_->serial == serial_;
        if (phase == Phase::moved && is_ours) return slot_->moved;
        if (phase == Phase::open && is_ours &&
            slot_->phase.compare_exchange_strong(phase, Phase::fetching)) {
            is_ours = slot_->serial == serial_;  // nobody changes it any more
            if (is_ours) return slot_->location;
            slot_->phase.store(Phase::open, std::memory_order_release);
        }
        // In phase `fetching` one looks that had an earlier message of this slot.
        if (!is_ours || phase == Phase::free || phase == Phase::taken)
            throw core::RankError("a message was withdrawn while it was received", "", "");
        if (!from_->is_there())
            throw core::RankError("the sender of a message has ended",
                                  "rank " + std::to_string((*from_)->rank), "");
        sched_yield();
    }
}

void Arrival::discard() {
    try {
        location();
    } catch (const core::RankError&) {
        return;  // its sender does not wait
    }
    slot_->phase.store(Phase::taken, std::memory_order_release);
}

void Arrival::fetch(Staged& into, std::int64_t room) {
    forget_freed(**from_);
    const Location at = location();
    const Taken taken(*slot_);
    const std::int64_t n = std::min(size(), room);
    if (at.descriptor >= 0) {
        const auto host = HostPiece::of(from_->process(), at.descriptor, slot_->size);
        if (!host.exists())
            throw core::RankError("the payload of a message cannot be read",
                                  "it is in host memory of rank " + std::to_string((*from_)->rank),
                                  "");
        return into.unpack_from_host(host.data(), n);
    }
    if (at.offset + slot_->size > at.handle.size)
        throw core::RankError("a message lies outside its allocation",
                              "its rank has written "
                              "beyond its own memory, or this one has",
                              "");
    const auto rank = (*from_)->rank;
    const Allocation first = watch().device();
    try {
        const auto use = imports().map(rank, at.handle, into.at());
        return into.unpack(use.data() + at.offset, n);
    } catch (const core::DeviceError&) {
        if (into.at().device == first.device) throw;
    }
    // This device cannot reach the sender's; the one by which that was tried can.
    const auto use = imports().map(rank, at.handle, first);
    const Pinned pinned(static_cast<std::size_t>(n) + 1, first);
    first.driver->copy(pinned.data(), use.data() + at.offset, static_cast<std::size_t>(n), first);
    first.driver->finish(first);
    into.unpack(pinned.data(), n);
}

namespace {

/// A header of a message in chunks that a probe may have found.
std::optional<Probed> probed_chunks(int rank, int slot, int tag) {
    if (rank < 0 || rank >= chunks().size() || rank == chunks().rank()) return {};
    const auto found = announcements().find(rank, slot, tag);
    if (!found) return {};
    const Header header{chunks().token(),      rank,       slot, found->serial,
                        Header::Kind::chunked, found->size};
    return Probed{header, static_cast<std::int64_t>(found->size)};
}

}  // namespace

std::optional<Probed> probed(Handle comm, int source, int tag, std::int64_t length) {
    const int slot = Header::slot_of(length);
    if (const int other = Chunks::slot_of(length); other >= 0 && chunks().are_possible())
        return probed_chunks(world_rank(comm, source), other, tag);
    if (slot < 0) return {};
    const int rank = world_rank(comm, source);
    const auto from = rank < 0 ? nullptr : node().neighbour(rank);
    if (from == nullptr) return {};
    const Slot& of = (*from)->slots[static_cast<std::size_t>(slot)];
    if (!is_waiting(of.phase.load(std::memory_order_acquire)) || of.to != node().rank() ||
        of.tag != tag)
        return {};
    return Probed{{(*from)->token, rank, slot, of.serial}, static_cast<std::int64_t>(of.size)};
}

}  // namespace aureole::preload
