// SPDX-License-Identifier: Apache-2.0
#include "preload/reserved_room.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <mutex>
#include <utility>
#include <vector>

namespace aureole::preload {

namespace {

constexpr int least_bin = 16;
constexpr std::size_t most_kept = 32;  ///< of each size

struct Pool {
    std::mutex lock;
    std::array<std::vector<std::byte*>, 64> free;
};

Pool& pool() {
    static auto* const all = new Pool;  // outlives MPI's threads
    return *all;
}

}  // namespace

ReservedRoom::ReservedRoom(std::size_t bytes)
    : bin_(std::max(least_bin, static_cast<int>(std::bit_width(bytes)))) {
    {
        const std::lock_guard guard(pool().lock);
        auto& free = pool().free[static_cast<std::size_t>(bin_)];
        if (!free.empty()) {
            data_ = free.back();
            free.pop_back();
            return;
        }
    }
    void* const made = mmap(nullptr, std::size_t{1} << bin_, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made != MAP_FAILED) data_ = static_cast<std::byte*>(made);
}

void ReservedRoom::swap(ReservedRoom& other) noexcept {
    std::swap(data_, other.data_), std::swap(bin_, other.bin_);
    std::swap(is_written_, other.is_written_);
}

ReservedRoom::~ReservedRoom() {
    if (data_ == nullptr) return;
    const std::size_t bytes = std::size_t{1} << bin_;
    if (is_written_) madvise(data_, bytes, MADV_DONTNEED);
    {
        const std::lock_guard guard(pool().lock);
        auto& free = pool().free[static_cast<std::size_t>(bin_)];
        if (free.size() < most_kept) {
            free.push_back(data_);
            return;
        }
    }
    munmap(data_, bytes);
}

}  // namespace aureole::preload
