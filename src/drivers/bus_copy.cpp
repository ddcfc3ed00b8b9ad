// SPDX-License-Identifier: Apache-2.0
#include "drivers/bus_copy.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "core/uncached.hpp"

namespace aureole::drivers {

void copy_from_bus(void* to, const std::byte* from, std::size_t bytes) {
    constexpr std::size_t line = core::uncached_line;
    auto* target = static_cast<std::byte*>(to);
    core::fence_uncached();  // lines that were taken before may be old
    if (!core::takes_uncached_lines()) {
        std::memcpy(target, from, bytes);
        return;
    }
    alignas(line) std::byte whole[line];
    while (bytes > 0) {
        const std::size_t before = reinterpret_cast<std::uintptr_t>(from) % line;
        const std::size_t n = std::min(bytes, line - before);
        if (n == line) {
            core::take_uncached_line(target, from);
        } else {  // a page has whole lines, so that this reads nothing that is not mapped
            core::take_uncached_line(whole, from - before);
            std::memcpy(target, whole + before, n);
        }
        target += n, from += n, bytes -= n;
    }
}

void copy_to_bus(std::byte* to, const void* from, std::size_t bytes) {
    const auto* source = static_cast<const std::byte*>(from);
    const auto store = [&]<class Word>(Word word) {
        std::memcpy(&word, source, sizeof word);
        *reinterpret_cast<volatile Word*>(to) = word;
        to += sizeof word, source += sizeof word, bytes -= sizeof word;
    };
    while (bytes > 0 && reinterpret_cast<std::uintptr_t>(to) % sizeof(std::uint64_t) != 0)
        store(std::uint8_t{});
    while (bytes >= sizeof(std::uint64_t)) store(std::uint64_t{});
    while (bytes > 0) store(std::uint8_t{});
    core::fence_uncached();
}

}  // namespace aureole::drivers
