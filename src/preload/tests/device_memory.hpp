// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "preload/staging.hpp"
#include "preload/tests/shared_driver.hpp"

namespace aureole::preload {

/// Outlives all: pools and mappings of this process keep memory of it.
inline SharedDriver& driver() {
    static auto* const only = new SharedDriver;
    return *only;
}

/// Memory of the "device" that messages are sent from or received into.
struct Memory {
    static constexpr std::size_t n = 1024;  ///< numbers of 8 bytes
    static constexpr auto bytes = static_cast<std::int64_t>(n * sizeof(std::uint64_t));

    Memory() : data(static_cast<std::uint64_t*>(driver().allocate(n * 8, driver().at()))) {}
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    ~Memory() { driver().release(data, driver().at()); }
    void fill(std::uint64_t number) { std::fill_n(data, n, number); }
    std::unique_ptr<Staged> staged() {
        std::vector<Block> blocks{{one_byte(), bytes, 0, 0}};
        return std::make_unique<Staged>(data, driver().at(), std::move(blocks),
                                        Staged::Form::apart);
    }
    std::uint64_t* data;
};

}  // namespace aureole::preload
