// SPDX-License-Identifier: Apache-2.0
#include "device/host/memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string>

#include "core/error.hpp"

namespace aureole::device::host {

namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t slab_bytes = 2 * huge_page;
constexpr std::size_t least_in_slab = std::size_t{64} << 10;

/// More than any machine has: what a negative count turns into lies above.
constexpr std::size_t address_space = std::size_t{1} << 48;

std::size_t rounded(std::size_t bytes) {
    if (bytes > address_space) return bytes;
    return (bytes + cache_line - 1) / cache_line * cache_line;
}

void* fresh(std::size_t bytes) {
    void* block = nullptr;
    const std::size_t alignment = bytes >= huge_page ? huge_page : cache_line;
    if (bytes > address_space || posix_memalign(&block, alignment, bytes) != 0)
        throw core::DeviceError("cannot allocate " + std::to_string(bytes >> 20) + " MB",
                                "the host has no more memory",
                                "Simulate a smaller system or use a larger machine.");
    // Advice only: a kernel without huge pages runs the same, slower.
    if (bytes >= huge_page) madvise(block, bytes, MADV_HUGEPAGE);
    return block;
}

}  // namespace

Memory::~Memory() {
    for (auto& [bytes, block] : free_)
        if (!in_slab(block)) std::free(block);
    for (auto& [block, bytes] : used_)
        if (!in_slab(block)) std::free(block);
    for (auto* slab : slabs_) std::free(slab);
}

/// A piece of the last slab, or of a new one.
std::byte* Memory::from_slab(std::size_t bytes) {
    if (slabs_.empty() || slab_used_ + bytes > slab_bytes) {
        slabs_.reserve(slabs_.size() + 1);  // nothing may throw between the slab and its note
        slabs_.push_back(static_cast<std::byte*>(fresh(slab_bytes)));
        slab_used_ = 0;
    }
    auto* const block = slabs_.back() + slab_used_;
    slab_used_ += bytes;
    return block;
}

bool Memory::in_slab(const void* block) const {
    const std::less<const void*> before;
    for (const auto* slab : slabs_)
        if (!before(block, slab) && before(block, slab + slab_bytes)) return true;
    return false;
}

void* Memory::allocate(std::size_t bytes) {
    const std::size_t size = rounded(bytes);
    const std::lock_guard lock(mutex_);
    const auto fit = free_.lower_bound(size);
    if (fit != free_.end() && fit->first <= size + size / 4) {
        const auto [found_size, block] = *fit;
        used_.emplace(block, found_size);
        free_.erase(fit);
        if (!in_slab(block)) kept_ -= found_size;
        return block;
    }
    const bool small = has_slabs && size >= least_in_slab && size < huge_page;
    void* block = small ? from_slab(size) : fresh(size);
    used_.emplace(block, size);
    return block;
}

void Memory::release(void* block) noexcept {
    const std::lock_guard lock(mutex_);
    const auto entry = used_.find(block);
    if (entry == used_.end()) std::abort();  // not from here, or released twice
    const std::size_t size = entry->second;
    used_.erase(entry);
    const bool of_slab = in_slab(block);
    if (of_slab || kept_ + size <= keep_at_most) {
        try {
            free_.emplace(size, block);
            if (!of_slab) kept_ += size;
            return;
        } catch (...) {
            // No memory for the note: give the block back instead.
        }
    }
    if (!of_slab) std::free(block);
}

std::size_t Memory::kept() const {
    const std::lock_guard lock(mutex_);
    return kept_;
}

}  // namespace aureole::device::host
