// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

// Layout of a checkpoint, integers little-endian:
//   header  72 bytes: magic 8, version 8, file bytes 8, blocks 8, table bytes 8, digest of the
//   table
//           16, digest of the 56 bytes before 16
//   table   per block: name bytes 4, name, offset 8, bytes 8, digest 16
//   blocks  in the table's order, each starting at the next multiple of 64, zeros between
// The file ends with its last block. Digests are XXH3-128 in canonical order.
namespace aureole::io::format {

using Digest = std::array<std::byte, 16>;

inline constexpr std::size_t header_bytes = 72;
inline constexpr std::size_t header_digest_offset = 56;
inline constexpr std::size_t table_digest_offset = 40;
inline constexpr std::size_t alignment = 64;
inline constexpr std::size_t max_name_bytes = 255;
inline constexpr std::size_t entry_fixed_bytes = 4 + 8 + 8 + 16;
inline constexpr std::uint64_t version = 1;

/// Fault in a file, and where. The caller that knows the file's name makes it a core::FileError.
struct Damage {
    std::string part;  ///< "header", "table", "padding ..." or "block 'name'"
    std::string why;
};

struct Entry {
    std::string name;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
    Digest digest{};
};

struct Header {
    std::uint64_t file_bytes = 0;
    std::uint64_t blocks = 0;
    std::uint64_t table_bytes = 0;
    Digest table_digest{};
};

inline constexpr std::uint64_t aligned(std::uint64_t offset) {
    return (offset + alignment - 1) / alignment * alignment;
}

Digest digest(std::span<const std::byte> bytes);

/// Digest of bytes that arrive in pieces.
class RunningDigest {
  public:
    RunningDigest();
    ~RunningDigest();
    RunningDigest(const RunningDigest&) = delete;
    RunningDigest& operator=(const RunningDigest&) = delete;
    void add(std::span<const std::byte> bytes);
    Digest result() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Header and table of `entries`, whose offsets are filled in; the blocks follow, see layout above.
std::vector<std::byte> encode_front(std::vector<Entry>& entries);

/// Throws Damage unless the header is sound and fits a file of `file_bytes` bytes.
Header decode_header(std::span<const std::byte> bytes, std::uint64_t file_bytes);
/// Throws Damage unless the table is sound and its blocks fill the file in order.
std::vector<Entry> decode_table(const Header& header, std::span<const std::byte> bytes);

}  // namespace aureole::io::format
