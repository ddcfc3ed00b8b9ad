// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <span>
#include <type_traits>

#include "core/error.hpp"
#include "md/engine.hpp"

namespace aureole::md {

/// Adds a block with a copy of plain data.
template <class T, std::size_t extent>
void put(StateBlocks& to, const std::string& name, std::span<T, extent> data) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto bytes = std::as_bytes(data);
    to[name].assign(bytes.begin(), bytes.end());
}

template <class T>
void put(StateBlocks& to, const std::string& name, const std::vector<T>& data) {
    put(to, name, std::span(data));
}

/// The elements of a block, `count` of them if that is given. Throws core::FileError otherwise.
template <class T>
std::vector<T> get(const StateBlocks& from, const std::string& name, std::size_t count = SIZE_MAX) {
    const auto at = from.find(name);
    const std::size_t bytes = at == from.end() ? SIZE_MAX : at->second.size();
    if (at == from.end() || bytes % sizeof(T) != 0 ||
        (count != SIZE_MAX && bytes != count * sizeof(T)))
        throw core::FileError("the checkpoint's block '" + name + "' does not fit",
                              at == from.end() ? "it is missing" : "its size is unexpected",
                              "The file is of another program version; use an earlier one.");
    std::vector<T> out(bytes / sizeof(T));
    if (bytes > 0) std::memcpy(out.data(), at->second.data(), bytes);
    return out;
}

}  // namespace aureole::md
