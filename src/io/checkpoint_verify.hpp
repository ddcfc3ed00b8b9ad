// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "io/checkpoint_format.hpp"

namespace aureole::io::format {

/// read(offset, bytes) gives a view of that part of the file, valid until the next call.
template <class R>
concept Source = requires(R read, std::uint64_t offset, std::size_t bytes) {
    { read(offset, bytes) } -> std::convertible_to<std::span<const std::byte>>;
};

/// Pieces in which blocks are read, so that a check needs little memory.
inline constexpr std::uint64_t piece_bytes = std::uint64_t{1} << 20;

/// The table of a file of which every byte was found as written; throws Damage otherwise.
template <Source R>
std::vector<Entry> verified(std::uint64_t file_bytes, R&& read) {
    const std::size_t front =
        static_cast<std::size_t>(std::min<std::uint64_t>(file_bytes, header_bytes));
    const Header header = decode_header(read(0, front), file_bytes);
    std::vector<Entry> entries =
        decode_table(header, read(header_bytes, static_cast<std::size_t>(header.table_bytes)));
    std::uint64_t end = header_bytes + header.table_bytes;
    for (const Entry& entry : entries) {
        const std::span<const std::byte> padding =
            read(end, static_cast<std::size_t>(entry.offset - end));
        if (std::ranges::any_of(padding, [](std::byte b) { return b != std::byte{0}; })) {
            throw Damage{"padding before block '" + entry.name + "'", "it is not zero"};
        }
        RunningDigest running;
        end = entry.offset + entry.bytes;
        for (std::uint64_t at = entry.offset; at < end; at += piece_bytes) {
            running.add(read(at, static_cast<std::size_t>(std::min(piece_bytes, end - at))));
        }
        if (running.result() != entry.digest) {
            throw Damage{"block '" + entry.name + "'", "its checksum does not match"};
        }
    }
    return entries;
}

}  // namespace aureole::io::format
