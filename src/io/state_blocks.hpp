// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/error.hpp"
#include "io/checkpoint.hpp"
#include "io/packed.hpp"

// What checkpoints keep of an engine, and checks of what they give back. A checkpoint's checksums
// tell that nothing was altered by accident, not that its numbers can be used: another version or
// another program may have written them. Everything that later serves as an index, a size or a
// divisor is checked once, when it is read.
namespace aureole::io {

/// Named runs of bytes: what a checkpoint keeps of an engine.
using StateBlocks = std::map<std::string, std::vector<std::byte>>;

/// The blocks as write_checkpoint() takes them, valid as long as these live.
std::vector<Block> list_of(const StateBlocks& blocks);
/// A checkpoint file of some blocks; see write_checkpoint().
void write_blocks(const std::filesystem::path& path, const StateBlocks& blocks);
/// All blocks of a checkpoint file; see Checkpoint.
StateBlocks read_blocks(const std::filesystem::path& path);

/// Adds a block with a copy of plain data, without its padding.
template <class T, std::size_t extent>
void put(StateBlocks& to, const std::string& name, std::span<T, extent> data) {
    auto& block = to[name];
    block.resize(data.size() * packed_size<std::remove_const_t<T>>());
    std::byte* at = block.data();
    for (const auto& value : data) pack(at, value);
}

template <class T>
void put(StateBlocks& to, const std::string& name, const std::vector<T>& data) {
    put(to, name, std::span(data));
}

[[noreturn]] inline void refuse_block(const std::string& name, const char* why) {
    throw core::FileError(
        "the checkpoint's block '" + name + "' cannot be used", why,
        "The file is from a different program version. Use an earlier checkpoint.");
}

/// The elements of a block, `count` of them if that is given. Throws core::FileError otherwise.
template <class T>
std::vector<T> get(const StateBlocks& from, const std::string& name, std::size_t count = SIZE_MAX) {
    constexpr std::size_t each = packed_size<T>();
    const auto found = from.find(name);
    if (found == from.end()) refuse_block(name, "it is missing");
    const std::size_t bytes = found->second.size();
    if (bytes % each != 0 || (count != SIZE_MAX && bytes / each != count))
        refuse_block(name, "its size is unexpected");
    std::vector<T> out(bytes / each);
    const std::byte* at = found->second.data();
    for (T& value : out)
        if (!unpack(at, value)) refuse_block(name, "a Boolean value is neither true nor false");
    return out;
}

/// A block of a checkpoint that cannot be continued from.
struct BlockError : core::FileError {
    BlockError(const std::string& block_, const std::string& why_)
        : FileError("the checkpoint's block '" + block_ + "' is invalid", why_,
                    "It was written by a different program or version. Use an earlier checkpoint."),
          block(block_),
          why(why_) {}

    std::string block, why;
};

/// Throws BlockError unless `holds`.
inline void require(bool holds, const std::string& block, const char* why) {
    if (!holds) throw BlockError(block, why);
}

template <class T>
bool all_finite(std::span<T> numbers) {
    for (const T x : numbers)
        if (!std::isfinite(x)) return false;
    return true;
}

}  // namespace aureole::io
