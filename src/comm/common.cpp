// SPDX-License-Identifier: Apache-2.0
#include "comm/common.hpp"

#include "core/error.hpp"

namespace aureole::comm {

void CommonMemory::require() const {
    if (world_.one_memory()) return;
    throw core::InputError(
        "PME cannot run on these ranks",
        "so far it needs ranks that share the memory of one machine, and these exchange messages",
        "Run all ranks on one machine without AUREOLE_TRANSPORT, use one rank with more threads, "
        "or use a reaction field.");
}

Span<std::byte> CommonMemory::own_bytes(int number, std::int64_t bytes) {
    const std::scoped_lock lock(mutex_);
    auto& room = own_[number];
    if (room.rank < 0 || room.n < bytes) room = world_.heap().reserve<std::byte>(bytes + bytes / 4);
    return room;
}

std::byte* CommonMemory::block_bytes(int number, std::int64_t bytes) {
    require();
    auto& room = blocks_[number];
    if (room.rank < 0 || room.n < bytes) {
        const auto mine =
            world_.rank() == 0 ? world_.heap().reserve<std::byte>(bytes) : Span<std::byte>{};
        room = world_.combine(
            mine, [](const Span<std::byte>& first, const Span<std::byte>&) { return first; });
    }
    return world_.heap(0).at(room);
}

}  // namespace aureole::comm
