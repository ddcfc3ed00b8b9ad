// SPDX-License-Identifier: Apache-2.0
#include "preload/envelope.hpp"

#include <sched.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "preload/host_piece.hpp"
#include "preload/mpi.hpp"
#include "preload/pause.hpp"
#include "preload/report.hpp"
#include "preload/settings.hpp"
#include "preload/shared_memory.hpp"
#include "preload/thresholds.hpp"
#include "preload/world.hpp"

namespace aureole::preload {

namespace {

using Clock = std::chrono::steady_clock;

Slot& slot_at(int k) { return node().page()->slots[static_cast<std::size_t>(k)]; }

/// What this process keeps for its slots, and for those that it asked.
class Outbox {
  public:
    /// A free slot; -1 if there is none.
    int take() {
        const std::lock_guard guard(lock_);
        int found = -1;
        for (int k = 0; k < Page::slots_n; ++k) {
            Local& own = local_[static_cast<std::size_t>(k)];
            Slot& slot = slot_at(k);
            if (own.is_used && !own.has_envelope &&
                slot.phase.load(std::memory_order_acquire) == Phase::taken)
                clear(own, slot);
            if (!own.is_used && found < 0) found = k;
        }
        if (found >= 0) {
            Local& own = local_[static_cast<std::size_t>(found)];
            own.is_used = own.has_envelope = true;
        }
        return found;
    }
    /// The payload was moved to a piece of ours.
    void keep(int k, Bounce::Piece piece) {
        const std::lock_guard guard(lock_);
        local_[static_cast<std::size_t>(k)].on_device = std::move(piece);
    }
    void keep(int k, HostPiece piece) {
        const std::lock_guard guard(lock_);
        local_[static_cast<std::size_t>(k)].on_host = std::move(piece);
    }
    /// The envelope has done its work: the slot is free when its payload is fetched.
    void leave(int k) {
        const std::lock_guard guard(lock_);
        local_[static_cast<std::size_t>(k)].has_envelope = false;
    }
    void give_back(int k) {
        const std::lock_guard guard(lock_);
        clear(local_[static_cast<std::size_t>(k)], slot_at(k));
    }
    /// Whether a rank has told that it can map memory of a device; asks it before.
    bool may_send(int rank, const Allocation& at, Page& receiver);
    bool is_refused(int rank, int device) {
        const std::lock_guard guard(lock_);
        const auto known = offers_.find({rank, device});
        return known != offers_.end() && known->second != nullptr &&
               known->second->answer.load(std::memory_order_acquire) == Offer::Answer::no;
    }
    /// Whether an allocation is sent again. One that is sent for the first time may be gone soon.
    bool is_known(std::uint64_t id) {
        const std::lock_guard guard(lock_);
        for (const auto seen : seen_)
            if (seen == id) return true;
        seen_[next_seen_++ % seen_.size()] = id;
        return false;
    }

  private:
    struct Local {
        bool is_used = false, has_envelope = false;
        Bounce::Piece on_device;
        HostPiece on_host;
    };
    static void clear(Local& own, Slot& slot) {
        own.on_device = {};
        own.on_host = {};
        own.is_used = own.has_envelope = false;
        slot.phase.store(Phase::free, std::memory_order_release);
    }

    std::mutex lock_;
    std::array<Local, Page::slots_n> local_;
    std::map<std::pair<int, int>, Offer*> offers_;  // by rank and device; null: there is no room
    std::array<bool, Page::devices_n> has_trial_{};
    std::array<std::uint64_t, 64> seen_{};
    std::size_t next_seen_ = 0;
};

bool Outbox::may_send(int rank, const Allocation& at, Page& receiver) {
    const std::lock_guard guard(lock_);
    const auto [known, is_new] = offers_.try_emplace({rank, at.device}, nullptr);
    if (!is_new)
        return known->second != nullptr &&
               known->second->answer.load(std::memory_order_acquire) == Offer::Answer::yes;
    if (at.device < 0 || at.device >= Page::devices_n) return false;
    const auto device = static_cast<std::size_t>(at.device);
    try {
        if (!has_trial_[device]) node().page()->trials[device] = bounce().trial(at);
        has_trial_[device] = true;  // others read it from now on
    } catch (const core::DeviceError&) {
        return false;
    }
    const auto k = receiver.offers_made.fetch_add(1);
    if (k >= Page::offers_n) return false;
    Offer& offer = receiver.offers[k];
    offer.from = node().rank(), offer.device = at.device;
    offer.answer.store(Offer::Answer::asked, std::memory_order_release);
    known->second = &offer;
    return false;
}

Outbox& outbox() {
    static auto* const only = new Outbox;  // outlives MPI's threads
    return *only;
}

std::atomic<long> sent = 0, moved = 0;

/// Tells the others which allocations that they have mapped were freed.
void tell_freed() {
    static std::mutex lock;
    const std::lock_guard guard(lock);
    Page& page = *node().page();
    for (const std::uint64_t id : exports().take_freed()) {
        const auto k = page.freed.load(std::memory_order_relaxed);
        // Who reads it in an earlier one's place sees all that are told before it.
        page.freed_ids[k % Page::freed_n].store(id, std::memory_order_release);
        page.freed.store(k + 1, std::memory_order_release);
    }
}

/// Where a payload lies that others can map and that is one run of bytes; nothing otherwise.
std::optional<Location> location_of(const Staged& payload) {
    const std::byte* const run = payload.run();
    if (run == nullptr) return {};
    Allocation at = payload.at();
    try {
        at.driver->identify(at, run);
        if (!at.has_handle) return {};
        const bool is_new = !exports().has(at.id);
        constexpr std::int64_t large = std::int64_t{32} << 20;  // one copy more costs too much
        if (is_new && payload.size() < large && !outbox().is_known(at.id)) return {};
        if (is_new) tell_freed();
        return Location{exports().handle(at, run), reinterpret_cast<std::uintptr_t>(run) - at.base,
                        -1};
    } catch (const core::DeviceError&) {
        return {};  // of a kind without handles
    }
}

}  // namespace

bool Envelope::suits(std::int64_t bytes, const Allocation& at) {
    if (bytes <= Header::most || node().page() == nullptr) return false;
    const long from = threshold(at).bytes;
    return from >= 0 && bytes >= from;
}

std::unique_ptr<Envelope> Envelope::make(std::unique_ptr<Staged> payload, const Destination& to) {
    const int rank = world_rank(to.comm, to.rank);
    if (rank < 0) return nullptr;
    auto receiver = node().neighbour(rank);
    if (receiver == nullptr || (*receiver)->is_closed.load(std::memory_order_acquire) != 0 ||
        !outbox().may_send(rank, payload->at(), **receiver))
        return nullptr;
    const int slot = outbox().take();
    if (slot < 0) return nullptr;
    constexpr long often = 64;  // it costs a call of the driver for each allocation
    if (sent % often == 0 || bounce().has_released()) tell_freed();
    std::unique_ptr<Envelope> made(new Envelope(slot, std::move(receiver), std::move(payload)));
    return made->offer(to.tag) ? std::move(made) : nullptr;
}

Envelope::Envelope(int slot, std::shared_ptr<MappedPage> receiver, std::unique_ptr<Staged> payload)
    : slot_(slot), receiver_(std::move(receiver)), payload_(std::move(payload)) {}

int Envelope::length() const { return static_cast<int>(Header::length(slot_)); }

bool Envelope::offer(int tag) {
    Slot& slot = slot_at(slot_);
    constexpr auto relaxed = std::memory_order_relaxed;  // the phase tells when they are there
    slot.serial.store(slot.serial.load(relaxed) + 1, relaxed);
    slot.to.store((*receiver_)->rank, relaxed), slot.tag.store(tag, relaxed);
    slot.size.store(static_cast<std::uint64_t>(payload_->size()), relaxed);
    const Allocation& at = payload_->at();
    if (settings().waits_for_device) at.driver->finish_device(at);
    if (const auto location = location_of(*payload_)) {
        slot.location = *location;
        at.driver->finish(at);  // all work that a copy of ours would come after
        slot.phase.store(Phase::open, std::memory_order_release);
    } else {
        slot.phase.store(Phase::moving, std::memory_order_release);
        if (!move()) return false;
    }
    const Header header{node().page()->token, node().rank(), slot_, slot.serial};
    std::memcpy(header_.data(), &header, sizeof header);
    (*receiver_)->is_sent_to.store(1, std::memory_order_release);
    ++sent;
    return true;
}

bool Envelope::move() {
    Slot& slot = slot_at(slot_);
    if (auto piece = bounce().take(slot.size, payload_->at()); piece.exists()) {
        payload_->pack(piece.data());
        slot.moved = piece.location();
        outbox().keep(slot_, std::move(piece));
    } else if (auto host = HostPiece::make(slot.size); host.exists()) {
        payload_->pack_to_host(host.data());
        slot.moved = {{}, 0, host.descriptor()};
        outbox().keep(slot_, std::move(host));
    } else {
        return false;
    }
    ++moved;
    slot.phase.store(Phase::moved, std::memory_order_release);
    return true;
}

bool Envelope::is_fetched_soon() const {
    const Slot& slot = slot_at(slot_);
    // As long as moving it would take, at least; the receiver may be just about to look.
    const auto patience = std::chrono::nanoseconds(20'000 + slot.size / 100);
    const auto end = Clock::now() + patience;
    for (Pause pause;; pause()) {
        const Phase phase = slot.phase.load(std::memory_order_acquire);
        if (phase == Phase::taken || phase == Phase::moved) return true;
        if (phase == Phase::open && Clock::now() > end) return false;
        if (phase == Phase::fetching && !receiver_->is_there()) return true;
    }
}

void Envelope::finish() {
    settle();
    is_finished_ = true;
    outbox().leave(slot_);
}

void Envelope::settle() {
    Slot& slot = slot_at(slot_);
    while (!is_fetched_soon()) {
        Phase open = Phase::open;
        if (!slot.phase.compare_exchange_strong(open, Phase::moving)) continue;
        bool is_moved = false;
        try {
            is_moved = move();
        } catch (...) {
            slot.phase.store(Phase::open, std::memory_order_release);
            throw;
        }
        if (is_moved) return;
        slot.phase.store(Phase::open, std::memory_order_release);  // until it is fetched
        if (!receiver_->is_there()) return;
    }
}

Envelope::~Envelope() {
    if (is_finished_) return;
    drop(slot_at(slot_), Phase::fetching, *receiver_);
    outbox().give_back(slot_);
}

bool is_refused(int rank, const Allocation& at) { return outbox().is_refused(rank, at.device); }

long messages_sent_straight() { return sent; }

void finish_envelopes() {
    Page* const page = node().page();
    if (page == nullptr) return;
    page->is_ending.store(1, std::memory_order_release);
    for (const Slot& slot : page->slots) {
        while (slot.phase.load(std::memory_order_acquire) == Phase::moved) {
            const auto receiver = node().neighbour(slot.to);
            if (receiver == nullptr || (*receiver)->is_ending != 0 || !receiver->is_there()) break;
            let_mpi_work();
            sched_yield();
        }
    }
    if (sent > 0 && settings().tells)
        say("rank " + std::to_string(node().rank()) + " has sent " + std::to_string(sent) +
            " messages straight from its device to another's, " + std::to_string(moved) +
            " of them by way of a buffer");
}

}  // namespace aureole::preload
