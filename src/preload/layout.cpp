// SPDX-License-Identifier: Apache-2.0
#include "preload/layout.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace aureole::preload {

namespace {

constexpr std::size_t most_pieces = std::size_t{1} << 26;

[[noreturn]] void throw_too_many() {
    throw core::InputError("a datatype has more than 2^26 separate blocks",
                           "each of them would be copied by itself",
                           "Use vectors or sub-arrays, or pack the data on the device.");
}

/// Adds a loop around a piece. False if it has as many as it can have.
bool enclose(Piece& piece, const Loop& loop) {
    if (loop.n == 1) return true;
    if (piece.depth == 0 && loop.stride == piece.bytes) {
        piece.bytes *= loop.n;
        return true;
    }
    if (piece.depth > 0) {
        Loop& outer = piece.loops[static_cast<std::size_t>(piece.depth - 1)];
        if (outer.n * outer.stride == loop.stride) {
            outer.n *= loop.n;
            return true;
        }
    }
    if (piece.depth == Piece::most_loops) return false;
    piece.loops[static_cast<std::size_t>(piece.depth++)] = loop;
    return true;
}

/// The span of offsets that a piece reaches.
std::array<std::int64_t, 2> span(const Piece& piece) {
    std::int64_t low = piece.offset, high = piece.offset + piece.bytes;
    for (const Loop& loop : piece.loops) {
        const std::int64_t length = (loop.n - 1) * loop.stride;
        (length < 0 ? low : high) += length;
    }
    return {low, high};
}

/// How many strided copies a piece takes.
std::int64_t copies_of(const Piece& piece) {
    const Loop &rows = piece.loops[0], &slices = piece.loops[1];
    if (piece.depth == 0) return 1;
    const bool is_one = is_strided(piece.bytes, rows.n, rows.stride,
                                   piece.depth == 1 ? 1 : slices.n, slices.stride);
    const std::int64_t of_slice = rows.stride >= piece.bytes ? 1 : rows.n;
    return piece.loops[2].n * (is_one ? 1 : slices.n * of_slice);
}

}  // namespace

std::int64_t Layout::runs() const {
    std::int64_t all = 0;
    for (const Piece& piece : pieces_) all += piece.size() / piece.bytes;
    return all;
}

std::int64_t Layout::copies(std::int64_t n, std::int64_t stride, std::int64_t most) const {
    if (pieces_.size() == 1) {
        Piece all = pieces_[0];
        if (enclose(all, {n, stride})) return std::min(copies_of(all), most);
    }
    std::int64_t found = 0;
    for (const Piece& piece : pieces_) {
        if (found >= most) return most;
        found += copies_of(piece);
    }
    return found > 0 && n >= most ? most : std::min(std::min(found, most) * n, most);
}

bool Layout::is_run() const {
    return pieces_.empty() ||
           (pieces_.size() == 1 && pieces_[0].depth == 0 && pieces_[0].offset == 0);
}

std::int64_t Layout::low() const {
    std::int64_t lowest = pieces_.empty() ? 0 : span(pieces_[0])[0];
    for (const Piece& piece : pieces_) lowest = std::min(lowest, span(piece)[0]);
    return lowest;
}

std::int64_t Layout::high() const {
    std::int64_t highest = pieces_.empty() ? 0 : span(pieces_[0])[1];
    for (const Piece& piece : pieces_) highest = std::max(highest, span(piece)[1]);
    return highest;
}

void Layout::append(const Piece& piece) {
    if (piece.size() == 0) return;
    size_ += piece.size();
    if (!pieces_.empty() && piece.depth == 0) {
        Piece& last = pieces_.back();
        if (last.depth == 0 && last.offset + last.bytes == piece.offset) {
            last.bytes += piece.bytes;
            return;
        }
    }
    if (pieces_.size() == most_pieces) throw_too_many();
    pieces_.push_back(piece);
}

void Layout::add(const Layout& other, std::int64_t n, std::int64_t stride, std::int64_t at) {
    if (n <= 0 || other.pieces_.empty()) return;
    if (other.pieces_.size() == 1) {
        Piece piece = other.pieces_[0];
        piece.offset += at;
        if (enclose(piece, {n, stride})) return append(piece);
    }
    if (static_cast<std::size_t>(n) > most_pieces / other.pieces_.size()) throw_too_many();
    for (std::int64_t k = 0; k < n; ++k)
        for (Piece piece : other.pieces_) {
            piece.offset += at + k * stride;
            append(piece);
        }
}

void Layout::find_loops() {
    if (pieces_.size() < 3) return;
    std::vector<Piece> found;
    std::size_t k = 0;
    while (k < pieces_.size()) {
        Piece piece = pieces_[k];
        std::size_t n = 1;
        if (k + 1 < pieces_.size() && piece.depth < Piece::most_loops) {
            const std::int64_t stride = pieces_[k + 1].offset - piece.offset;
            while (k + n < pieces_.size() && pieces_[k + n].has_shape_of(piece) &&
                   pieces_[k + n].offset == piece.offset + static_cast<std::int64_t>(n) * stride)
                ++n;
            if (n > 1 && !enclose(piece, {static_cast<std::int64_t>(n), stride})) n = 1;
        }
        found.push_back(piece);
        k += n;
    }
    pieces_ = std::move(found);
}

}  // namespace aureole::preload
