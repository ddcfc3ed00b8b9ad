// SPDX-License-Identifier: Apache-2.0
#include "preload/chunked_arrival.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "preload/abi.hpp"
#include "preload/announcements.hpp"
#include "preload/chunked_send.hpp"
#include "preload/chunks.hpp"
#include "preload/mpi.hpp"

namespace aureole::preload {

namespace {

/// Chunks that are received or copied at a time.
constexpr std::int64_t depth = 4;

/// Into pinned memory, and from there to the device while the next ones come.
class ToDevice {
  public:
    ToDevice(Staged& into, std::int64_t room) : into_(into), room_(room) {}
    ToDevice(const ToDevice&) = delete;
    ToDevice& operator=(const ToDevice&) = delete;
    ~ToDevice() {
        for (Piece& piece : pieces_) try {
                free(piece);
            } catch (const core::DeviceError&) {  // then nothing is copied any more
            }
    }

    /// Where chunk k is received to.
    std::byte* memory(std::int64_t k, std::int64_t bytes) {
        Piece& piece = at(k);
        if (piece.memory.data() == nullptr)
            piece.memory = Pinned(static_cast<std::size_t>(bytes - 1), into_.at());
        free(piece);
        return piece.memory.data();
    }
    /// Chunk k has come, whose first byte is the `first` one of the payload.
    void take(std::int64_t k, std::int64_t first, std::int64_t bytes) {
        bytes = std::min(bytes, room_ - first);
        if (bytes <= 0) return;
        Piece& piece = at(k);
        const drivers::Aside aside(into_.at());
        piece.is_copied = true;
        piece.lists = into_.queue_store(first, bytes, piece.memory.data());
        piece.mark = driver().mark(into_.at());
    }
    void finish() {
        for (Piece& piece : pieces_) free(piece);
    }

  private:
    struct Piece {
        Pinned memory;
        Staged::Lists lists;
        drivers::Mark mark;
        bool is_copied = false;
    };
    Piece& at(std::int64_t k) { return pieces_[static_cast<std::size_t>(k % depth)]; }
    drivers::Driver& driver() { return *into_.at().driver; }
    void free(Piece& piece) {
        if (!std::exchange(piece.is_copied, false)) return;
        const drivers::Mark mark = std::exchange(piece.mark, {});
        if (mark.event == nullptr) return driver().finish_device(into_.at());
        driver().wait_for(mark, into_.at());
        driver().drop(mark);
        piece.lists.clear();
    }

    Staged& into_;
    std::int64_t room_;
    std::array<Piece, depth> pieces_;
};

/// Straight to where it belongs; what there is no room for goes to memory that is given back.
class ToHost {
  public:
    ToHost(std::byte* into, std::int64_t room) : into_(into), room_(room) {}

    std::byte* memory(std::int64_t k, std::int64_t bytes) {
        const std::int64_t first = k * chunks().chunk();
        if (first + bytes <= room_) return into_ + first;
        auto& piece = beyond_[static_cast<std::size_t>(k % depth)];
        piece.resize(static_cast<std::size_t>(bytes));
        return piece.data();
    }
    void take(std::int64_t k, std::int64_t first, std::int64_t bytes) {
        if (first + bytes <= room_ || first >= room_) return;
        std::memcpy(into_ + first, beyond_[static_cast<std::size_t>(k % depth)].data(),
                    static_cast<std::size_t>(room_ - first));
    }
    void finish() {}

  private:
    std::byte* into_;
    std::int64_t room_;
    std::array<std::vector<std::byte>, depth> beyond_;
};

}  // namespace

std::optional<ChunkedArrival> ChunkedArrival::in(const std::byte* message, std::int64_t n) {
    if (!chunks().are_possible() || (n >= 0 && Chunks::slot_of(n) < 0)) return {};
    Header header;
    std::memcpy(&header, message, sizeof header);
    if (header.kind != Header::Kind::chunked || header.token != chunks().token()) return {};
    if (header.slot < 0 || header.slot >= Page::slots_n || header.rank < 0 ||
        header.rank >= chunks().size() || (n >= 0 && Chunks::length(header.slot) != n))
        return {};
    if (announcements().is_served(header.rank, header.slot, header.serial)) return {};
    return ChunkedArrival(header);
}

template <class Target>
void ChunkedArrival::receive(Target& target) {
    announcements().consume(header_.rank, header_.slot, header_.serial);
    const std::int64_t chunk = chunks().chunk(), n = (size() + chunk - 1) / chunk;
    std::array<Handle, depth> requests{};
    std::exception_ptr problem;
    std::vector<std::byte> room;  // for chunks that there is no other memory for
    const auto request = [&](std::int64_t k) {
        return &requests[static_cast<std::size_t>(k % depth)];
    };
    const auto bytes_of = [&](std::int64_t k) { return std::min(chunk, size() - k * chunk); };
    const auto guarded = [&](auto&& act) {
        try {
            if (!problem) act();
        } catch (const core::Error&) {
            problem = std::current_exception();  // told when all chunks have come
        }
    };
    const auto post = [&](std::int64_t k) {
        std::byte* to = nullptr;
        guarded([&] { to = target.memory(k, bytes_of(k)); });
        if (to == nullptr) room.resize(static_cast<std::size_t>(chunk)), to = room.data();
        mpi.irecv(to, static_cast<int>(bytes_of(k)), abi().byte, header_.rank,
                  Chunks::payload_tag(header_.slot), chunks().comm(), request(k));
    };
    for (std::int64_t k = 0; k < std::min(n, depth - 1); ++k) post(k);
    for (std::int64_t k = 0; k < n; ++k) {
        OwnStatus status;
        Count came = 0;
        wait_meanwhile(request(k), status.data());
        mpi.get_elements(status.data(), abi().byte, &came);
        guarded([&] {
            if (came != bytes_of(k))
                throw core::RankError("a message is lost",
                                      "rank " + std::to_string(header_.rank) +
                                          " could not go on with it after it had sent its header",
                                      "See what that rank has reported.");
            target.take(k, k * chunk, came);
        });
        if (k + depth - 1 < n) post(k + depth - 1);  // into the memory of the chunk before this one
    }
    guarded([&] { target.finish(); });
    if (problem) std::rethrow_exception(problem);
}

void ChunkedArrival::fetch(Staged& into, std::int64_t room) {
    ToDevice target(into, room);
    receive(target);
}

void ChunkedArrival::fetch(std::byte* into, std::int64_t room) {
    ToHost target(into, room);
    receive(target);
}

void ChunkedArrival::discard() { fetch(nullptr, 0); }

}  // namespace aureole::preload
