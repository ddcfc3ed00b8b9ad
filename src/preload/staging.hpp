// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "preload/datatype.hpp"
#include "preload/reserved_room.hpp"
#include "preload/where.hpp"

namespace aureole::preload {

class RunList;

/// Pinned memory of the host, from a pool and back to it.
class Pinned {
  public:
    Pinned() = default;
    Pinned(std::size_t bytes, const Allocation& at);
    Pinned(Pinned&& other) noexcept;
    Pinned& operator=(Pinned&& other) noexcept;
    ~Pinned();
    std::byte* data() const { return data_; }

  private:
    drivers::Driver* driver_ = nullptr;
    int bin_ = 0;
    std::byte* data_ = nullptr;
};

/// Elements of a datatype in a buffer of the program's.
struct Block {
    std::shared_ptr<const Datatype> type;
    std::int64_t count = 0;
    std::int64_t offset = 0;  ///< [bytes] from the buffer's address
    std::int64_t host = 0;    ///< [bytes] in the staged copy
};

/// Rows and slices of bytes at distances that may be negative or overlap.
struct StridedCopy {
    std::byte* to;
    const std::byte* from;
    std::int64_t width, rows, slices, to_row, to_slice, from_row, from_slice;
};

/// A buffer in device memory and its copy in memory of the host, which MPI sees in its place. The
/// copy holds elements one after the other, or (`mirrored`) where they are in the buffer, for
/// operations of the program's that look at them.
class Staged {
  public:
    /// `reserved`: dense, in memory that is neither there nor pinned before it is written, for
    /// messages that most likely come another way. `apart`: there is no copy; `pack` and `unpack`
    /// are given memory.
    enum class Form : std::uint8_t { dense, mirrored, reserved, apart };
    static constexpr std::int64_t everything = std::numeric_limits<std::int64_t>::max();

    Staged(void* buffer, const Allocation& at, std::vector<Block> blocks, Form form);

    /// What MPI sees instead of the buffer's address.
    void* host() const { return host_; }
    /// Copies from the device, and returns when that is done.
    void load() { load_blocks(0, everything); }
    /// Copies the first bytes back to the device: no others, and none of the gaps between elements.
    void store(std::int64_t bytes = everything);
    /// The same for the bytes from `first` on, in the order in which they travel.
    void load_blocks(std::int64_t first, std::int64_t bytes) {
        copy_blocks({first, bytes, host_, true});
    }
    void store_blocks(std::int64_t first, std::int64_t bytes) {
        copy_blocks({first, bytes, host_, false});
    }

    /// Copies all elements, without gaps, to memory that the device reaches, or the first bytes
    /// from there; returns when that is done.
    void pack(std::byte* to) { copy_blocks({0, everything, to, true}); }
    void unpack(const std::byte* from, std::int64_t bytes) {
        copy_blocks({0, bytes, const_cast<std::byte*>(from), false});
    }
    /// The same to memory of the host that is not pinned.
    void pack_to_host(std::byte* to) { copy_by_pinned(to, size(), true); }
    void unpack_from_host(const std::byte* from, std::int64_t bytes) {
        copy_by_pinned(const_cast<std::byte*>(from), std::min(bytes, size()), false);
    }
    /// Queues the copy of some bytes, in the order in which they travel, to pinned memory or from
    /// there; the lists that it reads have to live until it has ended.
    using Lists = std::vector<std::shared_ptr<const RunList>>;
    Lists queue_load(std::int64_t first, std::int64_t bytes, std::byte* to) {
        return queue({first, bytes, to - first, true});
    }
    Lists queue_store(std::int64_t first, std::int64_t bytes, const std::byte* from) {
        return queue({first, bytes, const_cast<std::byte*>(from) - first, false});
    }
    const Allocation& at() const { return at_; }
    /// Where its bytes lie, if they are one run; else null.
    const std::byte* run() const {
        const bool is_run = blocks_.size() == 1 && blocks_[0].type->is_dense;
        return is_run ? buffer_ + blocks_[0].offset : nullptr;
    }

    /// Compares bytes of the device with those of the copy, as they are now: the distance of the
    /// first one that differs from the buffer's address [bytes]; `everything` if none does.
    std::int64_t first_difference(std::int64_t first, std::int64_t bytes);

    /// Waits for all work of the device.
    void finish_device() { at_.driver->finish_device(at_); }

    /// The size of all blocks, without gaps [bytes].
    std::int64_t size() const;

    bool loads = false;               ///< before the call
    bool stores = false;              ///< after it
    bool receives = false;            ///< as many bytes as the status says
    bool takes_headers = false;       ///< a header may come in place of a payload
    std::int64_t limit = everything;  ///< of bytes that are stored

  private:
    /// Bytes, in the order in which they travel, and the copy that they go to or come from.
    struct Range {
        std::int64_t first, bytes;
        std::byte* copy;
        bool is_load = true;
    };
    template <class Visit>
    void each_block(const Range& range, Visit&& visit) const;
    template <class Visit>
    void each_box(const Block& block, std::int64_t begin, std::int64_t end, std::byte* copy,
                  Visit&& visit) const;
    Lists queue(const Range& range);
    void copy_blocks(const Range& range);
    bool copy_small(const Range& range);
    void copy_by_pinned(std::byte* host, std::int64_t bytes, bool is_load);
    void copy_block(const Block& block, std::int64_t begin, std::int64_t end, const Range& range);
    /// By one kernel; the list that it reads, or null if that is not possible or not worth it.
    std::shared_ptr<const RunList> copy_list(const Block& block, std::int64_t begin,
                                             std::int64_t end, const Range& range);
    void copy_box(const StridedCopy& copy);

    std::byte* buffer_;
    Allocation at_;
    std::vector<Block> blocks_;
    Form form_;
    Pinned memory_;
    ReservedRoom reserved_;
    std::size_t room_ = 0;  // of it [bytes]
    std::byte* host_ = nullptr;
};

}  // namespace aureole::preload
