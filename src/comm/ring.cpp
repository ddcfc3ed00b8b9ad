// SPDX-License-Identifier: Apache-2.0
#include "comm/ring.hpp"

#include <algorithm>
#include <cstring>

namespace aureole::comm {

namespace {

constexpr std::size_t size_bytes = sizeof(std::uint64_t);  // at the head of the first line

}  // namespace

void RingWriter::begin(std::span<const std::byte> message) {
    rest_ = message;
    size_ = message.size();
    named_ = false;
}

bool RingWriter::advance() {
    while ((!named_ || !rest_.empty()) && has_room()) {
        Line& line = ring_->at(written_);
        std::byte* to = line.data;
        std::size_t room = Line::bytes;
        if (!named_) {
            std::memcpy(to, &size_, size_bytes);
            to += size_bytes, room -= size_bytes;
            named_ = true;
        }
        if (room == Line::bytes && rest_.size() >= Line::bytes) {
            std::memcpy(to, rest_.data(), Line::bytes);
            rest_ = rest_.subspan(Line::bytes);
        } else if (!rest_.empty()) {
            const std::size_t n = std::min(room, rest_.size());
            std::memcpy(to, rest_.data(), n);
            rest_ = rest_.subspan(n);
        }
        line.flag.store(++written_, std::memory_order_release);
    }
    return named_ && rest_.empty();
}

void RingReader::begin(std::span<std::byte> room) {
    rest_ = room;
    expected_ = static_cast<std::int64_t>(room.size());
    size_ = -1;
}

bool RingReader::advance() {
    while ((size_ < 0 || !rest_.empty()) && fits() && has_line()) {
        const Line& line = ring_->at(read_);
        const std::byte* from = line.data;
        std::size_t there = Line::bytes;
        if (size_ < 0) {
            std::memcpy(&size_, from, size_bytes);
            from += size_bytes, there -= size_bytes;
            if (!fits()) return false;
        }
        if (there == Line::bytes && rest_.size() >= Line::bytes) {
            std::memcpy(rest_.data(), from, Line::bytes);
            rest_ = rest_.subspan(Line::bytes);
        } else if (!rest_.empty()) {
            const std::size_t n = std::min(there, rest_.size());
            std::memcpy(rest_.data(), from, n);
            rest_ = rest_.subspan(n);
        }
        if (++read_ - reported_ >= Ring::between_reports)
            ring_->taken.store(reported_ = read_, std::memory_order_release);
    }
    return size_ >= 0 && fits() && rest_.empty();
}

}  // namespace aureole::comm
