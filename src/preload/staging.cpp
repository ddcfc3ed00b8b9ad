// SPDX-License-Identifier: Apache-2.0
#include "preload/staging.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>

#include "preload/run_list.hpp"
#include "preload/settings.hpp"
#include "preload/small_copies.hpp"

namespace aureole::preload {

namespace {

/// From so many copies on, one kernel is used instead. A copy takes its driver some 3 us to begin,
/// a kernel 5 us; the first use of a list, which goes to the device, some 50 us.
constexpr std::int64_t least_copies = 16;
/// Copies of this size in the mean keep the bus busy (25 GB/s) while the next one begins.
constexpr std::int64_t most_bytes_of_copy = 64 << 10;

constexpr int least_bin = 8, bins = 64;
/// Kept for the next message; more is given back.
constexpr std::size_t most_kept = std::size_t{256} << 20;

struct Pool {
    std::mutex lock;
    std::map<const drivers::Driver*, std::array<std::vector<std::byte*>, bins>> free;
    std::size_t kept = 0;

    std::vector<std::byte*>& of(const drivers::Driver* driver, int bin) {
        return free[driver][static_cast<std::size_t>(bin)];
    }
};

Pool& pool() {
    static auto* const all = new Pool;  // outlives MPI's threads
    return *all;
}

}  // namespace

Pinned::Pinned(std::size_t bytes, const Allocation& at)
    : driver_(at.driver), bin_(std::max<int>(least_bin, std::bit_width(bytes))) {
    {
        const std::lock_guard guard(pool().lock);
        auto& free = pool().of(driver_, bin_);
        if (!free.empty()) {
            data_ = free.back();
            free.pop_back();
            pool().kept -= std::size_t{1} << bin_;
            return;
        }
    }
    data_ = static_cast<std::byte*>(driver_->pin(std::size_t{1} << bin_, at));
}

Pinned::Pinned(Pinned&& other) noexcept
    : driver_(other.driver_), bin_(other.bin_), data_(std::exchange(other.data_, nullptr)) {}

Pinned& Pinned::operator=(Pinned&& other) noexcept {
    std::swap(driver_, other.driver_), std::swap(bin_, other.bin_), std::swap(data_, other.data_);
    return *this;
}

Pinned::~Pinned() {
    if (data_ == nullptr) return;
    {
        const std::lock_guard guard(pool().lock);
        if (pool().kept + (std::size_t{1} << bin_) <= most_kept) {
            pool().of(driver_, bin_).push_back(data_);
            pool().kept += std::size_t{1} << bin_;
            return;
        }
    }
    driver_->unpin(data_);
}

Staged::Staged(void* buffer, const Allocation& at, std::vector<Block> blocks, Form form)
    : buffer_(static_cast<std::byte*>(buffer)), at_(at), blocks_(std::move(blocks)), form_(form) {
    if (form_ == Form::apart) return;
    std::int64_t low = 0, high = 0;
    bool is_first = true;
    for (const Block& block : blocks_) {
        std::int64_t from = block.host, to = from + block.count * block.type->size;
        if (form_ == Form::mirrored) {
            from = block.offset + block.type->low(block.count);
            to = block.offset + block.type->high(block.count);
        }
        low = is_first ? from : std::min(low, from);
        high = is_first ? to : std::max(high, to);
        is_first = false;
    }
    if (form_ != Form::mirrored) low = 0;
    room_ = static_cast<std::size_t>(high - low) + 1;
    if (form_ == Form::reserved) reserved_ = ReservedRoom(room_);
    if (reserved_.exists()) {
        host_ = reserved_.data();
        return;
    }
    memory_ = Pinned(room_, at_);
    host_ = memory_.data() - low;
}

std::int64_t Staged::size() const {
    std::int64_t all = 0;
    for (const Block& block : blocks_) all += block.count * block.type->size;
    return all;
}

void Staged::copy_by_pinned(std::byte* host, std::int64_t bytes, bool is_load) {
    // A kernel reaches pinned memory alone, and copies to other memory are slow: in parts.
    constexpr std::int64_t part = std::int64_t{4} << 20;
    const Pinned pinned(static_cast<std::size_t>(std::min(part, bytes)) + 1, at_);
    for (std::int64_t first = 0; first < bytes; first += part) {
        const std::int64_t n = std::min(part, bytes - first);
        if (!is_load) std::memcpy(pinned.data(), host + first, static_cast<std::size_t>(n));
        copy_blocks({first, n, pinned.data() - first, is_load});
        if (is_load) std::memcpy(host + first, pinned.data(), static_cast<std::size_t>(n));
    }
}

void Staged::store(std::int64_t bytes) {
    if (!reserved_.exists()) return store_blocks(0, bytes);
    reserved_.note_written();
    unpack_from_host(host_, bytes);
}

template <class Visit>
void Staged::each_block(const Range& range, Visit&& visit) const {
    const auto [first, bytes, copy, is_load] = range;
    std::int64_t before = 0;  // bytes of the blocks so far
    const std::int64_t last = bytes > everything - first ? everything : first + bytes;
    for (const Block& block : blocks_) {
        const std::int64_t size = block.count * block.type->size;
        const std::int64_t begin = std::max<std::int64_t>(first - before, 0);
        const std::int64_t end = std::min(size, last - before);
        if (begin < end) visit(block, begin, end);
        before += size;
    }
}

void Staged::copy_blocks(const Range& range) {
    if (settings().waits_for_device && range.bytes > 0) at_.driver->finish_device(at_);
    if (copy_small(range)) return;
    const Lists lists = queue(range);  // until the kernels have ended
    if (!lists.empty()) at_.driver->finish(at_);
}

Staged::Lists Staged::queue(const Range& range) {
    Lists lists;  // null for a block that is copied without one
    each_block(range, [&](const Block& block, std::int64_t begin, std::int64_t end) {
        lists.push_back(copy_list(block, begin, end, range));
        if (lists.back() == nullptr) copy_block(block, begin, end, range);
    });
    return lists;
}

/// Whether the processor has copied a part of one run, from or to the copy that MPI sees.
bool Staged::copy_small(const Range& range) {
    if (run() == nullptr || range.copy != host_) return false;
    const Block& block = blocks_[0];
    const std::int64_t bytes = std::min(range.bytes, block.count * block.type->size - range.first);
    if (bytes <= 0) return false;
    const std::int64_t low = form_ == Form::mirrored ? block.offset : block.host;
    return copy_by_processor({buffer_ + block.offset + range.first, host_ + low + range.first,
                              static_cast<std::size_t>(bytes), range.is_load},
                             at_);
}

std::shared_ptr<const RunList> Staged::copy_list(const Block& block, std::int64_t begin,
                                                 std::int64_t end, const Range& range) {
    const Datatype& type = *block.type;
    const std::int64_t least = std::max(least_copies, (end - begin) / most_bytes_of_copy);
    if (type.layout.copies(block.count, type.extent, least) < least) return nullptr;
    const auto list = run_lists().of(type, at_);
    if (list == nullptr) return nullptr;
    const bool is_mirrored = form_ == Form::mirrored;
    drivers::RunCopy copy =
        list->copy(buffer_ + block.offset, range.copy + (is_mirrored ? block.offset : block.host),
                   begin, end - begin);
    copy.is_gather = range.is_load, copy.is_mirrored = is_mirrored;
    at_.driver->copy_runs(copy, at_);
    return list;
}

template <class Visit>
void Staged::each_box(const Block& block, std::int64_t begin, std::int64_t end, std::byte* copy,
                      Visit&& visit) const {
    block.type->boxes(block.count, begin, end, [&](const Box& box) {
        std::byte* const user = buffer_ + block.offset + box.offset;
        const bool is_dense = form_ != Form::mirrored;
        std::byte* const host =
            is_dense ? copy + block.host + box.dense : copy + block.offset + box.offset;
        const auto row = is_dense ? box.width : box.row_stride;
        const auto slice = is_dense ? box.width * box.rows : box.slice_stride;
        visit(user, host, box, row, slice);
    });
}

void Staged::copy_block(const Block& block, std::int64_t begin, std::int64_t end,
                        const Range& range) {
    each_box(block, begin, end, range.copy,
             [&](std::byte* user, std::byte* host, const Box& box, auto row, auto slice) {
                 if (range.is_load)
                     copy_box({host, user, box.width, box.rows, box.slices, row, slice,
                               box.row_stride, box.slice_stride});
                 else
                     copy_box({user, host, box.width, box.rows, box.slices, box.row_stride,
                               box.slice_stride, row, slice});
             });
}

std::int64_t Staged::first_difference(std::int64_t first, std::int64_t bytes) {
    const Pinned memory(room_, at_);
    std::byte* const now = memory.data() + (host_ - memory_.data());
    const Range range{first, bytes, now};
    copy_blocks(range);
    std::int64_t found = everything;
    const auto compare = [&](std::byte* user, std::byte* host, const Box& box, auto row,
                             auto slice) {
        for (std::int64_t k = 0; k < box.rows * box.slices && found == everything; ++k) {
            const auto r = k % box.rows, s = k / box.rows;
            const std::byte* const is = host + r * row + s * slice;
            const std::byte* const was = host_ + (is - now);
            if (std::memcmp(is, was, static_cast<std::size_t>(box.width)) == 0) continue;
            found = user - buffer_ + r * box.row_stride + s * box.slice_stride +
                    (std::mismatch(is, is + box.width, was).first - is);
        }
    };
    each_block(range, [&](const Block& block, std::int64_t begin, std::int64_t end) {
        each_box(block, begin, end, now, compare);
    });
    return found;
}

void Staged::copy_box(const StridedCopy& c) {
    const auto driver = at_.driver;
    const auto fits = [&](std::int64_t row, std::int64_t slice) {
        return is_strided(c.width, c.rows, row, c.slices, slice);
    };
    if (c.rows == 1 && c.slices == 1)
        return driver->copy(c.to, c.from, static_cast<std::size_t>(c.width), at_);
    if (fits(c.to_row, c.to_slice) && fits(c.from_row, c.from_slice)) {
        const auto n = [](std::int64_t number) { return static_cast<std::size_t>(number); };
        return driver->copy_box({c.to, c.from, n(c.width), n(c.rows), n(c.slices), n(c.to_row),
                                 n(c.to_slice), n(c.from_row), n(c.from_slice)},
                                at_);
    }
    StridedCopy part = c;
    const bool is_deep = c.slices > 1;
    (is_deep ? part.slices : part.rows) = 1;
    for (std::int64_t k = 0; k < (is_deep ? c.slices : c.rows); ++k) {
        copy_box(part);
        part.to += is_deep ? c.to_slice : c.to_row;
        part.from += is_deep ? c.from_slice : c.from_row;
    }
}

}  // namespace aureole::preload
