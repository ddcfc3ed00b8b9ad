// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "comm/line.hpp"

namespace aureole::comm {

/// Messages from one rank to one other, in order: lines, each of which says by its flag that it is
/// there, so that the receiver reads the first while the sender writes the next. The ring lies in
/// the receiver's heap and is all zero at first.
struct Ring {
    static constexpr std::uint64_t lines = 1024;
    /// How many lines the receiver takes before it says so.
    static constexpr std::uint64_t between_reports = 128;

    Line line[lines];
    alignas(64) std::atomic<std::uint64_t> taken;  ///< lines that may be written again

    Line& at(std::uint64_t n) { return line[n % lines]; }
};

/// The sender's end of a ring.
class RingWriter {
  public:
    explicit RingWriter(Ring& ring) : ring_(&ring) {}

    /// Starts with a message, which must stay as it is until all of it is written.
    void begin(std::span<const std::byte> message);
    /// Writes what there is room for. True when all of the message is in the ring.
    bool advance();
    bool has_room() {
        if (written_ - taken_ < Ring::lines) return true;
        taken_ = ring_->taken.load(std::memory_order_acquire);
        return written_ - taken_ < Ring::lines;
    }
    /// Lines written since the beginning.
    std::uint64_t written() const { return written_; }

  private:
    Ring* ring_;
    std::uint64_t written_ = 0;
    std::uint64_t taken_ = 0;  ///< as last seen
    std::span<const std::byte> rest_;
    std::uint64_t size_ = 0;
    bool named_ = true;  ///< the size is written
};

/// The receiver's end of a ring.
class RingReader {
  public:
    explicit RingReader(Ring& ring) : ring_(&ring) {}

    /// Makes ready for a message of as many bytes as `room` has.
    void begin(std::span<std::byte> room);
    /// Reads what has arrived. True when all of the message is there; it stops before the data if
    /// the size is another: see `size`.
    bool advance();
    bool has_line() const {
        return ring_->at(read_).flag.load(std::memory_order_acquire) == read_ + 1;
    }
    /// The bytes of the message that is being read, as its sender says; -1: it has not begun.
    std::int64_t size() const { return size_; }
    bool fits() const { return size_ < 0 || size_ == expected_; }
    /// Lines reported as read since the beginning.
    std::uint64_t reported() const { return reported_; }

  private:
    Ring* ring_;
    std::uint64_t read_ = 0;
    std::uint64_t reported_ = 0;
    std::span<std::byte> rest_;
    std::int64_t expected_ = 0;
    std::int64_t size_ = -1;
};

}  // namespace aureole::comm
