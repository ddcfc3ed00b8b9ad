// SPDX-License-Identifier: Apache-2.0
#include "comm/outbox.hpp"

#include <xxhash.h>  // header-only: the build defines XXH_INLINE_ALL

#include <string>
#include <utility>

#include "core/error.hpp"

namespace aureole::comm {

namespace {

struct Entry {
    std::int64_t begin;  ///< behind the table [bytes]
    std::uint64_t digest;
};

/// The entry of rank `to`, and where its parcels end.
std::pair<Entry, std::int64_t> entry_of(std::span<const std::byte> outbox, int to) {
    Entry entry[2];
    std::memcpy(entry, outbox.data() + sizeof(Entry) * static_cast<std::size_t>(to), sizeof entry);
    return {entry[0], entry[1].begin};
}

}  // namespace

std::size_t table_bytes(int ranks) { return sizeof(Entry) * (static_cast<std::size_t>(ranks) + 1); }

std::span<const std::byte> part_of_outbox(std::span<const std::byte> outbox, int ranks, int to) {
    const auto [entry, end] = entry_of(outbox, to);
    return outbox.subspan(table_bytes(ranks) + static_cast<std::size_t>(entry.begin),
                          static_cast<std::size_t>(end - entry.begin));
}

void refuse_altered(int from, int to) {
    throw core::RankError(
        "a message from rank " + std::to_string(from) + " to rank " + std::to_string(to) +
        " arrived corrupted (its checksum does not match). The memory that the ranks share was "
        "overwritten or is faulty. Restart from the last checkpoint.");
}

std::uint64_t digest_of(std::span<const std::byte> bytes) {
    return XXH3_64bits(bytes.data(), bytes.size());
}

std::uint64_t digest_of_table(std::span<const std::byte> outbox, int ranks) {
    return digest_of(outbox.first(table_bytes(ranks)));
}

Bytes outbox_of(std::span<const Parcel> out, int ranks) {
    std::vector<Entry> table;
    Bytes text;
    for (int to = 0; to <= ranks; ++to) {
        const auto begin = text.size();
        for (const auto& parcel : out) {
            if (parcel.rank != to) continue;
            append(text, static_cast<std::int64_t>(parcel.bytes.size()));
            append(text, parcel.bytes);
        }
        table.push_back(
            {static_cast<std::int64_t>(begin), digest_of(std::span(text).subspan(begin))});
    }
    return bytes_of(table, text);
}

void take_parcels(std::span<const std::byte> outbox, std::uint64_t table_digest, int from, int to,
                  int ranks, std::vector<Parcel>& in) {
    const auto header = table_bytes(ranks);
    if (outbox.size() < header || digest_of_table(outbox, ranks) != table_digest)
        refuse_altered(from, to);
    const auto [entry, end] = entry_of(outbox, to);
    const auto most = static_cast<std::int64_t>(outbox.size() - header);
    if (entry.begin < 0 || entry.begin > end || end > most) refuse_altered(from, to);
    // Copied before they are looked at, as others can still write there.
    const auto part = part_of_outbox(outbox, ranks, to);
    const Parcel all{from, {part.begin(), part.end()}};
    if (digest_of(all.bytes) != entry.digest) refuse_altered(from, to);
    for (ParcelReader reader(all); !reader.left().empty();) {
        const auto n = reader.value<std::int64_t>();
        const auto bytes = reader.bytes(static_cast<std::size_t>(n));
        in.push_back({from, Bytes(bytes.begin(), bytes.end())});
    }
}

}  // namespace aureole::comm
