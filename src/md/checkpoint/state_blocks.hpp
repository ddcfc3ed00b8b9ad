// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <ranges>
#include <span>
#include <vector>

#include "core/error.hpp"
#include "md/checkpoint/state_members.hpp"
#include "md/system/engine.hpp"

namespace aureole::md {

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

/// Tags. Earlier versions wrote 32-bit ones, in a block of another name.
inline std::vector<Tag> get_tags(const StateBlocks& from, const std::string& name,
                                 const std::string& narrow) {
    if (from.contains(name)) return get<Tag>(from, name);
    const auto tags = get<std::int32_t>(from, narrow);
    return {tags.begin(), tags.end()};
}

}  // namespace aureole::md
