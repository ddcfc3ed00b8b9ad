// SPDX-License-Identifier: Apache-2.0
#include "comm/mirrors.hpp"

#include <string>
#include <utility>

#include "comm/control.hpp"
#include "core/error.hpp"

namespace aureole::comm {

namespace {

/// A record of a packet: kind, destination and number of the bytes that follow.
struct Record {
    std::uint64_t kind;
    std::int64_t offset, bytes;
};

// To the heap of the receiver, or to its mirror of the sender's.
constexpr std::uint64_t to_heap = 1, to_mirror = 2, message = 3, failure = 4;

bool lies_in(const Heap& heap, const std::byte* at, std::size_t bytes) {
    return at >= heap.base() && bytes <= heap.capacity() &&
           static_cast<std::size_t>(at - heap.base()) <= heap.capacity() - bytes;
}

}  // namespace

Mirrors::Mirrors(std::unique_ptr<Transport> transport, std::span<Heap> heaps)
    : transport_(std::move(transport)),
      heaps_(heaps),
      rank_(transport_->rank()),
      leaving_(heaps.size()),
      messages_(heaps.size()) {}

void Mirrors::append(int whom, std::uint64_t kind, std::int64_t offset,
                     std::span<const std::byte> bytes) {
    Bytes& to = leaving_[index(whom)];
    comm::append(to, Record{kind, offset, static_cast<std::int64_t>(bytes.size())});
    comm::append(to, bytes);
}

void Mirrors::hand_over(const void* at, std::size_t bytes, int whom) {
    if (whom == rank_ || bytes == 0) return;
    const auto* const from = static_cast<const std::byte*>(at);
    for (const auto& [kind, of] : {std::pair(to_mirror, rank_), std::pair(to_heap, whom)}) {
        const Heap& heap = heaps_[index(of)];
        if (!lies_in(heap, from, bytes)) continue;
        return append(whom, kind, from - heap.base(), {from, bytes});
    }
    throw core::RankError("the data passed to rank " + std::to_string(whom) +
                          " are not in shared memory. Please report this.");
}

void Mirrors::tell_failure(int whom) {
    if (whom != rank_) append(whom, failure, 0, {});
}

void Mirrors::send(int to, std::span<const std::byte> bytes) { append(to, message, 0, bytes); }

Bytes Mirrors::take_message(int from) {
    auto& those = messages_[index(from)];
    Bytes first = std::move(those.front());
    those.pop_front();
    return first;
}

void Mirrors::flush(int whom) {
    Bytes& packet = leaving_[index(whom)];
    if (!packet.empty()) transport_->send(whom, std::exchange(packet, {}));
}

void Mirrors::flush() {
    for (int r = 0; r < static_cast<int>(heaps_.size()); ++r) flush(r);
}

bool Mirrors::receive() {
    bool any = false;
    while (const auto packet = transport_->receive()) take(*packet), any = true;
    return any;
}

void Mirrors::take(const Parcel& packet) {
    for (ParcelReader reader(packet); !reader.left().empty();) {
        const auto record = reader.value<Record>();
        const auto bytes = reader.bytes(static_cast<std::size_t>(record.bytes));
        if (record.kind == message) {
            messages_[index(packet.rank)].emplace_back(bytes.begin(), bytes.end());
            continue;
        }
        if (record.kind == failure) {
            auto& mine = *reinterpret_cast<Control*>(heaps_[index(rank_)].base());
            std::int32_t none = 0;
            mine.failed.compare_exchange_strong(none, 1 + packet.rank);
            continue;
        }
        const Heap& heap = heaps_[index(record.kind == to_heap ? rank_ : packet.rank)];
        const auto most = static_cast<std::int64_t>(heap.capacity()) - record.bytes;
        if ((record.kind != to_heap && record.kind != to_mirror) || record.offset < 0 ||
            record.offset > most)
            reader.refuse();
        std::memcpy(heap.base() + record.offset, bytes.data(), bytes.size());
    }
}

}  // namespace aureole::comm
