// SPDX-License-Identifier: Apache-2.0
#include "comm/ring.hpp"

#include <algorithm>
#include <cstring>

namespace aureole::comm {

namespace {

constexpr std::size_t size_bytes = sizeof(std::uint64_t);  // at the head of the first line
static_assert(sizeof(MessageHead) <= Line::bytes);

}  // namespace

MessageLimits MessageLimits::hostile(std::uint64_t seed) {
    constexpr std::size_t all = std::size_t{1} << 40, short_ones = 64;
    switch (seed % 3) {
        case 0:
            return {all, all, 1, 1};
        case 1:
            return {short_ones, all, 1, 1};
        default:
            return {short_ones, short_ones, 1, 1};
    }
}

void Pieces::begin(std::size_t bytes) {
    constexpr std::size_t pieces = 4, page = 4096;
    bytes_ = bytes;
    piece_ =
        std::clamp((bytes / pieces + page - 1) / page * page, Ring::least_piece, Ring::most_piece);
    count_ = (bytes + piece_ - 1) / piece_;
    mine_ = 0;
}

bool Pieces::claim(Ring& ring, bool from_front, std::size_t& offset, std::size_t& bytes) {
    // The ends claim as many as there are between them, so those from the front and those from the
    // back never meet.
    if (ring.claimed.load(std::memory_order_relaxed) >= count_) return false;
    if (ring.claimed.fetch_add(1, std::memory_order_relaxed) >= count_) return false;
    const std::uint64_t piece = from_front ? mine_ : count_ - 1 - mine_;
    ++mine_;
    offset = piece * piece_;
    bytes = std::min(bytes_ - offset, piece_);
    return true;
}

void RingWriter::begin(std::span<const std::byte> message) {
    rest_ = message;
    named_ = false;
    state_ = message.size() <= limits_.most_in_lines    ? State::lines
             : message.size() <= limits_.most_in_chunks ? State::chunks
                                                        : State::offer;
}

bool RingWriter::advance() {
    if (state_ == State::offer && has_room()) write_offer();
    if (state_ == State::offered) read_answer();
    bool sent = state_ == State::sent;
    if (state_ == State::lines) sent = write_lines();
    if (state_ == State::chunks) sent = write_chunks();
    if (state_ == State::copying) sent = copy();
    if (sent) state_ = State::sent;
    return sent;
}

bool RingWriter::may_advance() {
    switch (state_) {
        case State::offered:
            return ring_->answer.load(std::memory_order_acquire) / 4 == offer_;
        case State::copying:
            return pieces_.all_copied(*ring_);
        case State::chunks:
            return has_room() && has_chunk();
        default:
            return has_room();
    }
}

bool RingWriter::write_lines() {
    const std::byte* from = rest_.data();
    std::size_t left = rest_.size();
    while ((!named_ || left != 0) && has_room()) {
        Line& line = ring_->at(written_);
        const std::size_t begin = named_ ? 0 : size_bytes;
        if (!named_) std::memcpy(line.data, &left, size_bytes);
        const std::size_t n = std::min(Line::bytes - begin, left);
        copy_part(line.data + begin, from, n);
        from += n, left -= n, named_ = true;
        publish(line);
    }
    rest_ = {from, left};
    return named_ && left == 0;
}

bool RingWriter::write_chunks() {
    while (!rest_.empty() && has_room() && has_chunk()) {
        const std::size_t n = std::min(rest_.size(), Ring::chunk_bytes);
        std::memcpy(ring_->chunk_at(chunks_++), rest_.data(), n);
        Line& line = ring_->at(written_);
        if (!named_) {
            const std::uint64_t size = rest_.size();
            std::memcpy(line.data, &size, size_bytes);
            named_ = true;
        }
        rest_ = rest_.subspan(n);
        publish(line);
    }
    return rest_.empty();
}

void RingWriter::write_offer() {
    const MessageHead head{rest_.size(), memory_->address_of(rest_.data(), rest_.size()),
                           memory_->same_process() || memory_->by_system()};
    Line& line = ring_->at(written_);
    std::memcpy(line.data, &head, sizeof head);
    publish(line);
    offer_ = written_;
    named_ = true;
    state_ = State::offered;
}

void RingWriter::read_answer() {
    const std::uint64_t answer = ring_->answer.load(std::memory_order_acquire);
    if (answer / 4 != offer_) return;
    pieces_.begin(rest_.size());
    state_ = answer % 4 == static_cast<std::uint64_t>(Ring::Answer::chunks) ? State::chunks
                                                                            : State::copying;
}

bool RingWriter::copy() {
    std::size_t offset = 0, bytes = 0;
    const Address to = ring_->destination;
    while (memory_->covers(to) && pieces_.claim(*ring_, false, offset, bytes)) {
        if (!memory_->store(to, offset, rest_.data() + offset, bytes)) {
            state_ = State::failed;
            return false;
        }
        ring_->copied.fetch_add(1, std::memory_order_acq_rel);
        ++told_;
    }
    return pieces_.all_copied(*ring_);
}

void RingReader::begin(std::span<std::byte> room) {
    room_ = rest_ = room;
    expected_ = room.size();
    size_ = -1;
    state_ = State::head;
}

bool RingReader::advance() {
    bool received = state_ == State::received;
    if (state_ == State::head) received = read_head();
    if (state_ == State::lines) received = read_lines();
    if (state_ == State::chunks) received = read_chunks();
    if (state_ == State::copying) received = copy();
    if (received) state_ = State::received;
    return received;
}

bool RingReader::may_advance() const {
    return state_ == State::copying ? pieces_.all_copied(*ring_) : has_line();
}

bool RingReader::read_head() {
    if (!has_line()) return false;
    const Line& line = ring_->at(read_);
    std::memcpy(&size_, line.data, size_bytes);
    if (!fits()) return false;
    if (expected_ <= limits_.most_in_lines) {
        const std::size_t n = std::min(Line::bytes - size_bytes, expected_);
        copy_part(rest_.data(), line.data + size_bytes, n);
        rest_ = rest_.subspan(n);
        state_ = State::lines;
    } else if (expected_ <= limits_.most_in_chunks) {
        read_chunk();
        state_ = State::chunks;
    } else {
        std::memcpy(&head_, line.data, sizeof head_);
        answer(head_);
    }
    take_line();
    return false;
}

bool RingReader::read_lines() {
    std::byte* to = rest_.data();
    std::size_t left = rest_.size();
    for (; left != 0 && has_line(); take_line()) {
        const Line& line = ring_->at(read_);
        const std::size_t n = std::min(Line::bytes, left);
        copy_part(to, line.data, n);
        to += n, left -= n;
    }
    rest_ = {to, left};
    return left == 0;
}

void RingReader::read_chunk() {
    const std::size_t n = std::min(rest_.size(), Ring::chunk_bytes);
    std::memcpy(rest_.data(), ring_->chunk_at(chunks_++), n);
    rest_ = rest_.subspan(n);
    if (chunks_ - chunks_reported_ < limits_.between_chunks()) return;
    ring_->chunks_taken.store(chunks_reported_ = chunks_, std::memory_order_release);
    ++told_;
}

bool RingReader::read_chunks() {
    for (; !rest_.empty() && has_line(); take_line()) read_chunk();
    return rest_.empty();
}

void RingReader::answer(const MessageHead& head) {
    const Address to = memory_->address_of(room_.data(), room_.size());
    const bool sender_can = head.sender_copies != 0 || to.in_heap != 0;
    const bool copied = sender_can || memory_->covers(head.source);
    const auto how = copied ? Ring::Answer::copy : Ring::Answer::chunks;
    ring_->destination = to;
    ring_->claimed.store(0, std::memory_order_relaxed);
    ring_->copied.store(0, std::memory_order_relaxed);
    ring_->answer.store(4 * (read_ + 1) + static_cast<std::uint64_t>(how),
                        std::memory_order_release);
    ++told_;
    pieces_.begin(expected_);
    state_ = copied ? State::copying : State::chunks;
}

bool RingReader::copy() {
    std::size_t offset = 0, bytes = 0;
    while (memory_->covers(head_.source) && pieces_.claim(*ring_, true, offset, bytes)) {
        if (!memory_->fetch(room_.data() + offset, head_.source, offset, bytes)) {
            state_ = State::failed;
            return false;
        }
        ring_->copied.fetch_add(1, std::memory_order_acq_rel);
        ++told_;
    }
    return pieces_.all_copied(*ring_);
}

}  // namespace aureole::comm
