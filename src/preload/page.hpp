// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "drivers/driver.hpp"

namespace aureole::preload {

/// What a message in device memory goes through, as both sides see it. The receiver takes the
/// payload from where the program has it (`open`), unless the sender has moved it to memory of its
/// own before (`moved`), so that its call can return.
enum class Phase : std::uint32_t { free, open, fetching, moving, moved, taken };

/// Where a payload lies: in an allocation of the sender's device, or behind a descriptor of the
/// sender's.
struct Location {
    drivers::MemoryHandle handle;
    std::uint64_t offset = 0;
    std::int32_t descriptor = -1;  ///< negative: on the device
};

/// A message whose envelope MPI carries and whose payload the receiver fetches.
struct alignas(64) Slot {
    std::atomic<Phase> phase = Phase::free;
    // Looked at by receivers of earlier messages too, whose sender has withdrawn them.
    std::atomic<std::uint32_t> serial = 0;
    std::atomic<std::int32_t> to = -1;  ///< rank in MPI_COMM_WORLD
    std::atomic<std::int32_t> tag = 0;
    std::atomic<std::uint64_t> size = 0;  ///< [bytes]
    Location location;                    ///< valid in phases `open` and `fetching`
    Location moved;                       ///< valid in phase `moved`
};

/// A process asks another one whether that can map its memory of one device.
struct Offer {
    enum class Answer : std::uint32_t { none, asked, yes, no };
    std::atomic<Answer> answer = Answer::none;
    std::int32_t from = -1;  ///< rank in MPI_COMM_WORLD
    std::int32_t device = 0;
};

/// What a rank tells rank 0, which counts those that are ready (Agreement), and what rank 0
/// answers.
enum class Vote : std::uint32_t { none, ready, counted, gave_up };
enum class Result : std::uint32_t { none, all, not_all };

/// Differs between any two processes.
using Token = std::array<std::uint64_t, 2>;

/// What a process shows to the others of its job on the node: shared memory of its own, which they
/// map. Zeros are its beginning.
struct Page {
    static constexpr std::uint32_t layout = 2;  ///< changes with this struct
    static constexpr int slots_n = 64, devices_n = 16, offers_n = 512, freed_n = 256;

    std::uint32_t version = 0;
    std::int32_t rank = -1;
    Token token{};
    /// Others have sent envelopes here, so that what is received has to be looked at.
    std::atomic<std::uint32_t> is_sent_to = 0;
    std::atomic<std::uint32_t> is_ending = 0;
    /// No more envelopes may be sent here.
    std::atomic<std::uint32_t> is_closed = 0;

    std::atomic<Vote> vote = Vote::none;
    std::atomic<Result> result = Result::none;  ///< of rank 0
    std::int64_t collectives_from = -1;         ///< [bytes]; of rank 0, set before its result

    std::atomic<std::uint32_t> offers_made = 0;
    std::array<Offer, offers_n> offers;
    /// Memory by which others try whether they can map that of a device; set before an offer.
    std::array<drivers::MemoryHandle, devices_n> trials;

    /// Ids of allocations that were freed after others had mapped them: the last ones in a ring.
    std::atomic<std::uint64_t> freed = 0;
    std::array<std::atomic<std::uint64_t>, freed_n> freed_ids;

    std::array<Slot, slots_n> slots;
};

/// Lengths of messages [bytes] that tell one of a page's slots, for who probes.
struct SlotLengths {
    std::int64_t least, step;
    constexpr std::int64_t most() const { return at(Page::slots_n - 1); }
    constexpr std::int64_t at(int place) const { return least + step * place; }
    /// Where a length stands among them; -1 if it is none.
    constexpr int place(std::int64_t bytes) const {
        const bool is_one = bytes >= least && bytes <= most() && (bytes - least) % step == 0;
        return is_one ? static_cast<int>((bytes - least) / step) : -1;
    }
};

/// What MPI carries in place of a payload. Its length tells the slot.
struct Header {
    Token token;  ///< the sender's
    std::int32_t rank;
    std::int32_t slot;
    std::uint32_t serial;
    enum class Kind : std::uint32_t { mapped, chunked } kind = Kind::mapped;
    std::uint64_t size = 0;  ///< of the payload [bytes], if it comes in chunks

    /// [bytes]; whole basic types, as MPICH ends where it receives parts of one: 11, 13, ... of the
    /// largest, then 12, 14, ... Few messages of programs have these, which a probe may take for
    /// headers.
    static constexpr SlotLengths lengths{.least = 32 * 11, .step = 32};
    static constexpr std::int64_t least = lengths.least, most = lengths.most();
    static constexpr int half = Page::slots_n / 2;
    static constexpr std::int64_t length(int slot) {
        return lengths.at(slot % half * 2 + slot / half);
    }
    /// The slot of a message of some length; -1 if it is no header's.
    static constexpr int slot_of(std::int64_t bytes) {
        const int place = lengths.place(bytes);
        return place < 0 ? -1 : place / 2 + place % 2 * half;
    }
};
static_assert(sizeof(Header) == 40, "no padding: headers are compared as bytes");
static_assert([] {
    for (int slot = 0; slot < Page::slots_n; ++slot)
        if (Header::slot_of(Header::length(slot)) != slot) return false;
    return Header::slot_of(Header::least - 32) == -1 && Header::slot_of(Header::most + 32) == -1;
}());

}  // namespace aureole::preload
