// SPDX-License-Identifier: Apache-2.0
#include "preload/check_memory.hpp"

#include <sys/mman.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace aureole::preload {

namespace {

/// Runs of bytes that are looked at before the search is given up.
constexpr std::size_t most_runs = std::size_t{1} << 18;

struct Run {
    std::uintptr_t begin, end;
};

template <class Visit>
void each_run(const CheckedBuffer& buffer, Visit&& visit) {
    for (const Block& block : buffer.blocks)
        block.type->boxes(block.count, 0, block.count * block.type->size, [&](const Box& box) {
            const auto origin = address(buffer) + static_cast<std::uintptr_t>(block.offset);
            each_row(box, [&](std::int64_t offset, std::int64_t) {
                visit(origin + static_cast<std::uintptr_t>(offset),
                      static_cast<std::size_t>(box.width));
            });
        });
}

/// Runs between two addresses, in their order; empty if there are too many.
std::vector<Run> runs_between(const CheckedBuffer& buffer, std::uintptr_t low,
                              std::uintptr_t high) {
    std::vector<Run> all;
    bool are_too_many = false;
    each_run(buffer, [&](std::uintptr_t at, std::size_t bytes) {
        if (at >= high || at + bytes <= low) return;
        are_too_many = are_too_many || all.size() >= most_runs;
        if (!are_too_many) all.push_back({at, at + bytes});
    });
    if (are_too_many) all.clear();
    std::ranges::sort(all, {}, &Run::begin);
    return all;
}

bool is_one_run(const CheckedBuffer& buffer) {
    return buffer.blocks.size() == 1 && buffer.blocks[0].type->is_dense;
}

}  // namespace

std::uintptr_t first_common(const CheckedBuffer& one, const CheckedBuffer& other) {
    const std::uintptr_t low = std::max(one.low, other.low), high = std::min(one.high, other.high);
    if (low >= high) return 0;
    if (is_one_run(one) && is_one_run(other)) return low;
    const auto ones = runs_between(one, low, high), others = runs_between(other, low, high);
    std::uintptr_t reached = 0;  // by the others' runs so far, one behind
    std::size_t k = 0;
    for (const Run& run : ones) {
        for (; k < others.size() && others[k].begin <= run.begin; ++k)
            reached = std::max(reached, others[k].end);
        if (reached > run.begin) return run.begin;
        if (k < others.size() && others[k].begin < run.end) return others[k].begin;
    }
    return 0;
}

std::uint64_t sum_of(const CheckedBuffer& buffer) {
    std::uint64_t sum = 0;
    each_run(buffer, [&](std::uintptr_t at, std::size_t bytes) {
        sum = XXH3_64bits_withSeed(reinterpret_cast<const void*>(at), bytes, sum);
    });
    return sum;
}

bool is_mapped(const CheckedBuffer& buffer) {
    constexpr std::uintptr_t page = 4096, pages = 1024;
    std::array<unsigned char, pages> present{};
    for (std::uintptr_t at = buffer.low / page * page; at < buffer.high; at += page * pages) {
        const auto bytes = std::min(page * pages, buffer.high - at);
        if (::mincore(reinterpret_cast<void*>(at), bytes, present.data()) != 0 && errno == ENOMEM)
            return false;
    }
    return true;
}

}  // namespace aureole::preload
