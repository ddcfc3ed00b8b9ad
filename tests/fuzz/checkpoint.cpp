// SPDX-License-Identifier: Apache-2.0
// libFuzzer target of the checkpoint reader. Its mutator starts from sound files and mends the
// checksums after most mutations: otherwise nothing would get past them. Whatever is accepted must
// be byte for byte what the writer makes of the same blocks.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "io/checkpoint.hpp"
#include "io/checkpoint_format.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max);

namespace {

namespace format = aureole::io::format;
using Bytes = std::vector<std::byte>;

void append_blocks(Bytes& file, const std::vector<format::Entry>& entries,
                   const std::vector<std::span<const std::byte>>& blocks) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
        file.resize(static_cast<std::size_t>(entries[i].offset));
        file.insert(file.end(), blocks[i].begin(), blocks[i].end());
    }
}

Bytes sound_file(std::mt19937& random) {
    std::vector<Bytes> contents(random() % 5);
    std::vector<format::Entry> entries;
    std::vector<std::span<const std::byte>> blocks;
    for (std::size_t i = 0; i < contents.size(); ++i) {
        contents[i].resize(random() % 150, static_cast<std::byte>(random()));
        blocks.emplace_back(contents[i]);
        const std::string name(1 + random() % 8, static_cast<char>('a' + i));
        entries.push_back({name, 0, contents[i].size(), format::digest(contents[i])});
    }
    Bytes file = format::encode_front(entries);
    append_blocks(file, entries, blocks);
    return file;
}

std::uint64_t number(std::span<const std::byte> bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) {
        value = value << 8 | std::to_integer<std::uint64_t>(bytes[i]);
    }
    return value;
}

void put_digest(std::span<std::byte> file, std::size_t at, std::span<const std::byte> of) {
    const format::Digest digest = format::digest(of);
    std::copy(digest.begin(), digest.end(), file.begin() + static_cast<std::ptrdiff_t>(at));
}

/// Makes every checksum match again that can be found; the rest of the file stays as it is.
void mend(std::span<std::byte> file) {
    if (file.size() < format::header_bytes) return;
    const std::uint64_t table_bytes = number(file.subspan(32, 8));
    if (table_bytes <= file.size() - format::header_bytes) {
        std::size_t at = format::header_bytes;
        const std::size_t end = at + static_cast<std::size_t>(table_bytes);
        while (end - at >= format::entry_fixed_bytes) {
            const std::uint64_t name = number(file.subspan(at, 4));
            if (name > end - at - format::entry_fixed_bytes) break;
            at += 4 + static_cast<std::size_t>(name);
            const std::uint64_t offset = number(file.subspan(at, 8));
            const std::uint64_t bytes = number(file.subspan(at + 8, 8));
            if (offset <= file.size() && bytes <= file.size() - offset) {
                put_digest(file, at + 16,
                           file.subspan(static_cast<std::size_t>(offset),
                                        static_cast<std::size_t>(bytes)));
            }
            at += 32;
        }
        put_digest(file, format::table_digest_offset,
                   file.subspan(format::header_bytes, static_cast<std::size_t>(table_bytes)));
    }
    put_digest(file, format::header_digest_offset, file.first(format::header_digest_offset));
}

void require(bool holds) {
    if (!holds) std::abort();
}

void require_canonical(const aureole::io::Checkpoint& checkpoint, std::span<const std::byte> file) {
    std::vector<format::Entry> entries;
    std::vector<std::span<const std::byte>> blocks;
    for (const std::string& name : checkpoint.names()) {
        blocks.push_back(checkpoint.block(name));
        entries.push_back({name, 0, blocks.back().size(), format::digest(blocks.back())});
    }
    Bytes again = format::encode_front(entries);
    append_blocks(again, entries, blocks);
    require(std::ranges::equal(again, file));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto file = std::as_bytes(std::span(data, size));
    try {
        require_canonical(aureole::io::Checkpoint::from_bytes(file, "fuzzed"), file);
    } catch (const aureole::core::FileError& error) {
        require(std::strlen(error.what()) > 20);
    }
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max, unsigned seed) {
    std::mt19937 random(seed);
    if (size < format::header_bytes || random() % 64 == 0) {
        const Bytes file = sound_file(random);
        if (file.size() > max) return size;
        std::memcpy(data, file.data(), file.size());
        size = file.size();
    }
    size = LLVMFuzzerMutate(data, size, max);
    // The length is in the header: mended now and then too, so that longer files get past it.
    if (size >= format::header_bytes && random() % 2 == 0) {
        for (std::size_t i = 0; i < 8; ++i) {
            data[16 + i] = static_cast<std::uint8_t>(std::uint64_t{size} >> (8 * i));
        }
    }
    if (random() % 4 != 0) mend(std::as_writable_bytes(std::span(data, size)));
    return size;
}
