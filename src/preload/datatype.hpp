// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "preload/basic_kinds.hpp"
#include "preload/handle.hpp"
#include "preload/layout.hpp"

namespace aureole::preload {

/// A datatype, taken apart once.
struct Datatype {
    Handle handle = 0;
    Layout layout;
    std::int64_t size = 0, extent = 0;
    /// Of its basic types (basic_kinds.hpp), if it has gaps or calls are checked.
    std::uint64_t kinds = 0;
    /// Whether all its elements are numbers of one size, so that any header is whole elements.
    bool is_uniform() const { return is_one_whole_kind(kinds); }
    /// Whether elements follow each other without gaps: what travels is what lies there.
    bool is_dense = false;
    /// A datatype of the same basic types, one after the other; `handle` itself if it is dense.
    Handle dense = 0;
    /// A datatype of as many bytes; a number of MPI's own stays.
    Handle bytes = 0;

    Datatype() = default;
    Datatype(const Datatype&) = delete;
    Datatype& operator=(const Datatype&) = delete;
    ~Datatype();

    /// The lowest offset that `count` elements reach, and one behind the highest.
    std::int64_t low(std::int64_t count) const;
    std::int64_t high(std::int64_t count) const;
    /// Calls `visit` with boxes of `count` elements that hold the bytes from the `begin`-th to the
    /// one before the `end`-th.
    template <class Visit>
    void boxes(std::int64_t count, std::int64_t begin, std::int64_t end, Visit&& visit) const;
};

template <class Visit>
void Datatype::boxes(std::int64_t count, std::int64_t begin, std::int64_t end,
                     Visit&& visit) const {
    if (size == 0) return;
    if (layout.pieces().size() == 1) {  // often one box
        Layout all;
        all.add(layout, count, extent, 0);
        return all.boxes(begin, end, visit);
    }
    for (std::int64_t k = begin / size; k < count && k * size < end; ++k)
        layout.boxes(begin - k * size, end - k * size, [&](Box box) {
            box.offset += k * extent, box.dense += k * size;
            visit(box);
        });
}

/// What a handle of the program's stands for. Throws core::InputError if it cannot be taken apart.
std::shared_ptr<const Datatype> datatype(Handle handle);
/// The datatype with which a header may come into a buffer of this one as into a number of bytes;
/// 0 if that takes a copy of the buffer, or if it cannot be taken apart.
Handle header_taker(Handle handle) noexcept;
/// A datatype of one byte, which is no datatype of MPI's.
std::shared_ptr<const Datatype> one_byte();
/// One element of many elements of a datatype, for libraries whose counts have 32 bits.
class LargeType {
  public:
    LargeType(std::int64_t count, Handle of);
    LargeType(const LargeType&) = delete;
    LargeType& operator=(const LargeType&) = delete;
    ~LargeType();
    Handle handle() const { return handle_; }

  private:
    Handle handle_ = 0;
};

/// Drops what is known of a handle, before it is freed.
void forget_datatype(Handle handle);

}  // namespace aureole::preload
