// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "comm/line.hpp"
#include "comm/other_memory.hpp"

namespace aureole::comm {

/// Messages from one rank to one other, in order. Each begins with a line that holds its size.
/// Short messages go on in lines; the flag of a line says that the line is there, so that the
/// receiver reads the first while the sender writes the next. Longer messages lie in chunks, with a
/// line for each; long messages stay where they are, and both ranks copy pieces of them. The ring
/// lies in the receiver's heap and is all zero at first.
struct Ring {
    static constexpr std::uint64_t lines = 1024;
    static constexpr std::uint64_t chunks = 32;
    static constexpr std::size_t chunk_bytes = 2048;
    /// Bytes of a piece of a long message.
    static constexpr std::size_t least_piece = 32768, most_piece = 262144;

    enum class Answer : std::uint64_t { copy = 1, chunks = 2 };

    Line line[lines];
    // By the receiver: lines and chunks that may be written again.
    alignas(64) std::atomic<std::uint64_t> taken;
    alignas(64) std::atomic<std::uint64_t> chunks_taken;
    // By the receiver of a long message: where it goes. The answer is given last.
    alignas(64) Address destination;
    std::atomic<std::uint64_t> answer;  ///< 4 · number of its first line + Answer
    // By both: pieces that one of the ranks copies, and pieces that are there.
    alignas(64) std::atomic<std::uint64_t> claimed;
    std::atomic<std::uint64_t> copied;
    alignas(64) std::byte chunk[chunks][chunk_bytes];

    Line& at(std::uint64_t n) { return line[n % lines]; }
    std::byte* chunk_at(std::uint64_t n) { return chunk[n % chunks]; }
};

/// Which messages go which way, and how far a sender is ahead of its receiver.
struct MessageLimits {
    /// The longest messages in lines and in chunks; longer ones are copied by both.
    std::size_t most_in_lines = 1024, most_in_chunks = 32768;
    std::uint64_t lines = Ring::lines, chunks = Ring::chunks;

    /// How many lines and chunks the receiver takes before it says so.
    std::uint64_t between_lines() const { return std::max<std::uint64_t>(1, lines / 8); }
    std::uint64_t between_chunks() const { return std::max<std::uint64_t>(1, chunks / 4); }
    /// For tests: the narrowest limits, with all messages in lines, or more of them in chunks, or
    /// as long messages.
    static MessageLimits hostile(std::uint64_t seed);
};

/// A message of so many bytes is one line.
inline constexpr std::size_t most_in_first_line = Line::bytes - sizeof(std::uint64_t);

/// Head of the first line of a message: its size, which the first bytes follow; the line of a long
/// message holds the other fields in their place.
struct MessageHead {
    std::uint64_t size;
    Address source;
    std::uint64_t sender_copies;  ///< 1: any memory of the receiver
};

/// One end's part in the copying of a long message.
class Pieces {
  public:
    void begin(std::size_t bytes);
    /// Takes the next piece, from the front or the back, if any is left.
    bool claim(Ring& ring, bool from_front, std::size_t& offset, std::size_t& bytes);
    bool all_copied(const Ring& ring) const {
        return ring.copied.load(std::memory_order_acquire) == count_;
    }

  private:
    std::size_t bytes_ = 0, piece_ = 0;
    std::uint64_t count_ = 0;
    std::uint64_t mine_ = 0;  ///< pieces that this end claimed
};

/// The sender's end of a ring.
class RingWriter {
  public:
    RingWriter(Ring& ring, OtherMemory& memory) : ring_(&ring), memory_(&memory) {}

    void set_limits(const MessageLimits& limits) { limits_ = limits; }
    /// Sends a message of a single line; false: it must be sent as others.
    bool send_line(std::span<const std::byte> message) {
        if (message.size() > most_in_first_line || !has_room()) return false;
        Line& line = ring_->at(written_);
        const std::uint64_t size = message.size();
        std::memcpy(line.data, &size, sizeof size);
        copy_part(line.data + sizeof size, message.data(), message.size());
        publish(line);
        return true;
    }
    /// Starts with a message, which must stay as it is until all of it is sent.
    void begin(std::span<const std::byte> message);
    /// Does what can be done now. True when the message is sent.
    bool advance();
    /// Whether advance() would do something.
    bool may_advance();
    /// Grows with all that the receiver may be waiting for.
    std::uint64_t told() const { return told_; }
    bool failed() const { return state_ == State::failed; }

  private:
    enum class State { sent, lines, chunks, offer, offered, copying, failed };

    bool has_room() {
        if (written_ - taken_ < limits_.lines) return true;
        taken_ = ring_->taken.load(std::memory_order_acquire);
        return written_ - taken_ < limits_.lines;
    }
    bool has_chunk() {
        if (chunks_ - chunks_taken_ < limits_.chunks) return true;
        chunks_taken_ = ring_->chunks_taken.load(std::memory_order_acquire);
        return chunks_ - chunks_taken_ < limits_.chunks;
    }
    void publish(Line& line) {
        line.flag.store(++written_, std::memory_order_release);
        ++told_;
    }
    bool write_lines();
    bool write_chunks();
    void write_offer();
    void read_answer();
    bool copy();

    Ring* ring_;
    OtherMemory* memory_;
    State state_ = State::sent;
    std::span<const std::byte> rest_;
    bool named_ = true;  ///< the size is written
    MessageLimits limits_;
    std::uint64_t written_ = 0, chunks_ = 0, told_ = 0;
    std::uint64_t taken_ = 0, chunks_taken_ = 0;  ///< as last seen
    std::uint64_t offer_ = 0;                     ///< the line of the long message
    Pieces pieces_;
};

/// The receiver's end of a ring.
class RingReader {
  public:
    RingReader(Ring& ring, OtherMemory& memory) : ring_(&ring), memory_(&memory) {}

    void set_limits(const MessageLimits& limits) { limits_ = limits; }
    /// Takes a message of a single line that is there; false: it must be received as others.
    bool receive_line(std::span<std::byte> room) {
        if (room.size() > most_in_first_line || !has_line()) return false;
        const Line& line = ring_->at(read_);
        std::uint64_t size = 0;
        std::memcpy(&size, line.data, sizeof size);
        if (size != room.size()) return false;
        copy_part(room.data(), line.data + sizeof size, room.size());
        take_line();
        return true;
    }
    /// Makes ready for a message of as many bytes as `room` has.
    void begin(std::span<std::byte> room);
    /// Does what can be done now. True when all of the message is there; it stops before the data
    /// if the size is another: see `size`.
    bool advance();
    /// Whether advance() would do something.
    bool may_advance() const;
    /// The bytes of the message that is being read, as its sender says; -1: it has not begun.
    std::int64_t size() const { return size_; }
    bool fits() const { return size_ < 0 || size_ == static_cast<std::int64_t>(expected_); }
    /// Grows with all that the sender may be waiting for.
    std::uint64_t told() const { return told_; }
    bool failed() const { return state_ == State::failed; }

  private:
    enum class State { received, head, lines, chunks, copying, failed };

    bool has_line() const {
        return ring_->at(read_).flag.load(std::memory_order_acquire) == read_ + 1;
    }
    void take_line() {
        if (++read_ - reported_ < limits_.between_lines()) return;
        ring_->taken.store(reported_ = read_, std::memory_order_release);
        ++told_;
    }
    bool read_head();
    bool read_lines();
    bool read_chunks();
    void read_chunk();
    void answer(const MessageHead& head);
    bool copy();

    Ring* ring_;
    OtherMemory* memory_;
    State state_ = State::received;
    std::span<std::byte> room_, rest_;
    std::size_t expected_ = 0;
    std::int64_t size_ = -1;
    MessageLimits limits_;
    std::uint64_t read_ = 0, reported_ = 0, told_ = 0;
    std::uint64_t chunks_ = 0, chunks_reported_ = 0;
    MessageHead head_{};
    Pieces pieces_;
};

}  // namespace aureole::comm
