// SPDX-License-Identifier: Apache-2.0
#include "preload/bounce.hpp"

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "preload/shared_memory.hpp"

namespace aureole::preload {

namespace {

/// The size of a block that is kept; larger payloads have blocks of their own, which are given
/// back.
constexpr std::size_t block_bytes = std::size_t{32} << 20;
constexpr std::size_t most_blocks = 8;  ///< that are kept, of a device
constexpr std::size_t alignment = 512;

bool is_same_device(const drivers::Allocation& a, const drivers::Allocation& b) {
    return a.driver == b.driver && a.device == b.device;
}

}  // namespace

Bounce::Block::Block(std::size_t n, const drivers::Allocation& like) : at(like) {
    memory = static_cast<std::byte*>(at.driver->allocate(n, at));
    try {
        const drivers::Allocation own = at.driver->attributes(memory);
        handle = exports().handle(own, memory);
        context = at.driver->context_id(at);
    } catch (...) {
        at.driver->release(memory, at);
        throw;
    }
    free[0] = n;
}

bool Bounce::Block::is_there() const { return at.driver->context_id(at) == context; }

Bounce::Block::~Block() {
    try {
        if (is_there()) at.driver->release(memory, at);
    } catch (const core::DeviceError&) {  // the driver is about to end, and its memory with it
    }
    bounce().has_released_ = true;
}

void Bounce::Piece::swap(Piece& other) noexcept {
    std::swap(of_, other.of_), std::swap(begin_, other.begin_), std::swap(bytes_, other.bytes_);
}

std::byte* Bounce::Piece::data() const { return of_->memory + begin_; }
Location Bounce::Piece::location() const { return {of_->handle, begin_, -1}; }

Bounce::Piece::~Piece() {
    if (of_ == nullptr) return;
    const std::lock_guard guard(bounce().lock_);
    auto& free = of_->free;
    auto at = free.emplace(begin_, bytes_).first;
    if (const auto next = std::next(at);
        next != free.end() && at->first + at->second == next->first)
        at->second += next->second, free.erase(next);
    if (at != free.begin())
        if (const auto before = std::prev(at); before->first + before->second == at->first)
            before->second += at->second, free.erase(at);
    of_.reset();  // a block of its own is released here
}

bool Bounce::fits(Block& block, std::size_t bytes, Piece& piece) {
    for (auto range = block.free.begin(); range != block.free.end(); ++range) {
        const auto [begin, length] = *range;
        if (length < bytes) continue;
        block.free.erase(range);
        if (length > bytes) block.free[begin + bytes] = length - bytes;
        piece.begin_ = begin, piece.bytes_ = bytes;
        return true;
    }
    return false;
}

Bounce::Piece Bounce::take_locked(std::size_t bytes, const drivers::Allocation& at) {
    Piece piece;
    std::size_t kept = 0;
    std::erase_if(blocks_, [&](const auto& block) {
        return is_same_device(block->at, at) && !block->is_there();
    });
    for (const auto& block : blocks_) {
        if (!is_same_device(block->at, at)) continue;
        ++kept;
        if (!fits(*block, bytes, piece)) continue;
        piece.of_ = block;
        return piece;
    }
    const bool is_kept = bytes <= block_bytes;
    if (is_kept && kept == most_blocks) return piece;
    auto block = std::make_shared<Block>(std::max(bytes, block_bytes), at);
    if (is_kept) blocks_.push_back(block);
    if (fits(*block, bytes, piece)) piece.of_ = std::move(block);
    return piece;
}

Bounce::Piece Bounce::take(std::size_t bytes, const drivers::Allocation& at) {
    const std::lock_guard guard(lock_);
    try {
        return take_locked((bytes + alignment - 1) / alignment * alignment, at);
    } catch (const core::DeviceError&) {
        return {};
    }
}

drivers::MemoryHandle Bounce::trial(const drivers::Allocation& at) {
    const std::lock_guard guard(lock_);
    for (const auto& block : blocks_)
        if (is_same_device(block->at, at)) return block->handle;
    blocks_.push_back(std::make_shared<Block>(block_bytes, at));
    return blocks_.back()->handle;
}

Bounce& bounce() {
    static auto* const only = new Bounce;  // outlives MPI's threads
    return *only;
}

}  // namespace aureole::preload
