// SPDX-License-Identifier: Apache-2.0
#include "io/checkpoint_format.hpp"

#include <xxhash.h>  // header-only: the build defines XXH_INLINE_ALL

#include <algorithm>
#include <cstring>
#include <set>

namespace aureole::io::format {
namespace {

// As PNG does: a high first byte, and line ends and an end-of-file mark that text transfers change.
constexpr std::array<unsigned char, 8> magic = {0x89, 'A', 'U', 'R', '\r', '\n', 0x1a, '\n'};

Digest canonical(XXH128_hash_t hash) {
    XXH128_canonical_t bytes;
    XXH128_canonicalFromHash(&bytes, hash);
    Digest result;
    std::memcpy(result.data(), bytes.digest, result.size());
    return result;
}

void put(std::vector<std::byte>& to, std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) to.push_back(static_cast<std::byte>(value >> (8 * i)));
}

void put(std::vector<std::byte>& to, std::span<const std::byte> bytes) {
    to.insert(to.end(), bytes.begin(), bytes.end());
}

/// Takes values off the front of a span whose end is respected.
class Cursor {
  public:
    Cursor(std::span<const std::byte> bytes, const char* part) : rest_(bytes), part_(part) {}

    std::span<const std::byte> take(std::size_t bytes) {
        if (bytes > rest_.size()) throw Damage{part_, "it ends too early"};
        const auto head = rest_.first(bytes);
        rest_ = rest_.subspan(bytes);
        return head;
    }
    std::uint64_t number(std::size_t bytes) {
        std::uint64_t value = 0;
        const auto from = take(bytes);
        for (std::size_t i = bytes; i-- > 0;) {
            value = value << 8 | std::to_integer<std::uint64_t>(from[i]);
        }
        return value;
    }
    Digest digest() {
        Digest result;
        const auto from = take(result.size());
        std::copy(from.begin(), from.end(), result.begin());
        return result;
    }
    bool empty() const { return rest_.empty(); }

  private:
    std::span<const std::byte> rest_;
    const char* part_;
};

Entry decode_entry(Cursor& cursor) {
    Entry entry;
    const std::uint64_t name_bytes = cursor.number(4);
    if (name_bytes == 0 || name_bytes > max_name_bytes) {
        throw Damage{"table", "a block's name has " + std::to_string(name_bytes) + " bytes"};
    }
    const auto name = cursor.take(static_cast<std::size_t>(name_bytes));
    entry.name.assign(reinterpret_cast<const char*>(name.data()), name.size());
    entry.offset = cursor.number(8);
    entry.bytes = cursor.number(8);
    entry.digest = cursor.digest();
    return entry;
}

}  // namespace

Digest digest(std::span<const std::byte> bytes) {
    return canonical(XXH3_128bits(bytes.data(), bytes.size()));
}

struct RunningDigest::State {
    XXH3_state_t xxh;
};

RunningDigest::RunningDigest() : state_(std::make_unique<State>()) {
    XXH3_128bits_reset(&state_->xxh);
}
RunningDigest::~RunningDigest() = default;

void RunningDigest::add(std::span<const std::byte> bytes) {
    XXH3_128bits_update(&state_->xxh, bytes.data(), bytes.size());
}

Digest RunningDigest::result() const { return canonical(XXH3_128bits_digest(&state_->xxh)); }

std::vector<std::byte> encode_front(std::vector<Entry>& entries) {
    std::uint64_t table_bytes = 0;
    for (const Entry& entry : entries) table_bytes += entry_fixed_bytes + entry.name.size();
    std::uint64_t end = header_bytes + table_bytes;
    for (Entry& entry : entries) {
        entry.offset = aligned(end);
        end = entry.offset + entry.bytes;
    }
    std::vector<std::byte> table;
    for (const Entry& entry : entries) {
        put(table, entry.name.size(), 4);
        put(table, std::as_bytes(std::span(entry.name)));
        put(table, entry.offset, 8);
        put(table, entry.bytes, 8);
        put(table, entry.digest);
    }
    std::vector<std::byte> front;
    put(front, std::as_bytes(std::span(magic)));
    put(front, version, 8);
    put(front, end, 8);
    put(front, entries.size(), 8);
    put(front, table.size(), 8);
    put(front, digest(table));
    put(front, digest(front));
    put(front, table);
    return front;
}

Header decode_header(std::span<const std::byte> bytes, std::uint64_t file_bytes) {
    if (file_bytes < header_bytes || bytes.size() < header_bytes) {
        throw Damage{"header", "the file has only " + std::to_string(file_bytes) + " bytes"};
    }
    Cursor cursor(bytes.first(header_bytes), "header");
    const auto start = cursor.take(magic.size());
    if (!std::ranges::equal(start, std::as_bytes(std::span(magic)))) {
        throw Damage{"header", "it does not start with the signature of a checkpoint"};
    }
    const std::uint64_t written_by = cursor.number(8);
    Header header;
    header.file_bytes = cursor.number(8);
    header.blocks = cursor.number(8);
    header.table_bytes = cursor.number(8);
    header.table_digest = cursor.digest();
    if (cursor.digest() != digest(bytes.first(header_digest_offset))) {
        throw Damage{"header", "its checksum does not match"};
    }
    if (written_by != version) {
        throw Damage{"header", "its format version is " + std::to_string(written_by) +
                                   ", and this program reads " + std::to_string(version)};
    }
    if (header.file_bytes != file_bytes) {
        throw Damage{"length", "the file has " + std::to_string(file_bytes) + " bytes instead of " +
                                   std::to_string(header.file_bytes)};
    }
    if (header.table_bytes > file_bytes - header_bytes ||
        header.blocks > header.table_bytes / entry_fixed_bytes) {
        throw Damage{"header", "its table does not fit into the file"};
    }
    return header;
}

std::vector<Entry> decode_table(const Header& header, std::span<const std::byte> bytes) {
    if (bytes.size() != header.table_bytes || digest(bytes) != header.table_digest) {
        throw Damage{"table", "its checksum does not match"};
    }
    Cursor cursor(bytes, "table");
    std::vector<Entry> entries;
    entries.reserve(static_cast<std::size_t>(header.blocks));
    std::set<std::string> names;
    std::uint64_t end = header_bytes + header.table_bytes;
    for (std::uint64_t i = 0; i < header.blocks; ++i) {
        Entry entry = decode_entry(cursor);
        if (!names.insert(entry.name).second) {
            throw Damage{"table", "block '" + entry.name + "' is listed twice"};
        }
        // Subtractions are arranged so that no hostile number can wrap around.
        if (entry.offset != aligned(end) || entry.offset > header.file_bytes ||
            entry.bytes > header.file_bytes - entry.offset) {
            throw Damage{"table", "block '" + entry.name + "' is not where it belongs"};
        }
        end = entry.offset + entry.bytes;
        entries.push_back(std::move(entry));
    }
    if (!cursor.empty()) throw Damage{"table", "it is longer than its entries"};
    if (end != header.file_bytes) throw Damage{"length", "the blocks do not fill the file"};
    return entries;
}

}  // namespace aureole::io::format
