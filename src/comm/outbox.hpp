// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "comm/parcel.hpp"

// What a rank leaves in its heap for others to fetch: first where the parcels for each rank begin
// and their digest, [ranks + 1], then the parcels, each behind the number of its bytes.
namespace aureole::comm {

/// Where bytes are that others fetch, as all are told.
struct LeftBytes {
    std::int64_t offset, bytes;
    std::uint64_t digest;  ///< of a text, or of an outbox's table
};

std::uint64_t digest_of(std::span<const std::byte> bytes);
std::uint64_t digest_of_table(std::span<const std::byte> outbox, int ranks);

[[noreturn]] void refuse_altered(int from, int to);

/// Bytes of the table at the beginning of an outbox.
std::size_t table_bytes(int ranks);
/// The parcels for rank `to`.
std::span<const std::byte> part_of_outbox(std::span<const std::byte> outbox, int ranks, int to);

Bytes outbox_of(std::span<const Parcel> out, int ranks);

/// Adds the parcels for rank `to` in the outbox of rank `from`. Throws core::RankError if they are
/// not what was put there.
void take_parcels(std::span<const std::byte> outbox, std::uint64_t table_digest, int from, int to,
                  int ranks, std::vector<Parcel>& in);

}  // namespace aureole::comm
