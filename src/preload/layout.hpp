// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace aureole::preload {

/// n of something, at equal distances [bytes].
struct Loop {
    std::int64_t n = 1, stride = 0;
    bool operator==(const Loop&) const = default;
};

/// A run of bytes, repeated by up to three nested loops; the first loop is the innermost.
struct Piece {
    static constexpr int most_loops = 3;

    std::int64_t offset = 0, bytes = 0;
    std::array<Loop, most_loops> loops{};
    int depth = 0;

    std::int64_t size() const {
        std::int64_t all = bytes;
        for (int k = 0; k < depth; ++k) all *= loops[static_cast<std::size_t>(k)].n;
        return all;
    }
    bool has_shape_of(const Piece& other) const {
        return bytes == other.bytes && depth == other.depth && loops == other.loops;
    }
};

/// Rows of bytes that one strided copy takes: `rows` of `width` bytes, `slices` times.
struct Box {
    std::int64_t offset = 0;  ///< in the memory that the layout describes
    std::int64_t dense = 0;   ///< in the same bytes one after the other
    std::int64_t width = 0, rows = 1, row_stride = 0, slices = 1, slice_stride = 0;
};

/// Whether a driver can express rows and slices at these distances: rows ahead of each other,
/// slices at a whole number of rows.
constexpr bool is_strided(std::int64_t width, std::int64_t rows, std::int64_t row,
                          std::int64_t slices, std::int64_t slice) {
    return row >= width && (slices == 1 || (slice % row == 0 && slice / row >= rows));
}

/// Calls `visit` for each row: where it begins, and where among the same bytes one after the other.
template <class Visit>
void each_row(const Box& box, Visit&& visit) {
    std::int64_t dense = box.dense;
    for (std::int64_t slice = 0; slice < box.slices; ++slice)
        for (std::int64_t row = 0; row < box.rows; ++row, dense += box.width)
            visit(box.offset + slice * box.slice_stride + row * box.row_stride, dense);
}

/// Which bytes a datatype takes, in the order in which they travel (the type map of the MPI
/// standard, section 5.1, without the types).
class Layout {
  public:
    Layout() = default;
    explicit Layout(std::int64_t bytes) { append({0, bytes, {}, 0}); }

    const std::vector<Piece>& pieces() const { return pieces_; }
    std::int64_t size() const { return size_; }
    /// How many runs of bytes there are, loops taken apart.
    std::int64_t runs() const;
    /// How many strided copies a driver needs for n of them at the given distance; counting ends at
    /// `most`.
    std::int64_t copies(std::int64_t n, std::int64_t stride, std::int64_t most) const;
    /// Whether it is one run that begins at 0.
    bool is_run() const;
    /// The lowest offset, and one behind the highest; 0 and 0 if it is empty.
    std::int64_t low() const;
    std::int64_t high() const;

    /// Appends n copies of another layout, the first at `at`, at the given distances. Throws
    /// core::InputError if that takes more than 2^26 pieces.
    void add(const Layout& other, std::int64_t n, std::int64_t stride, std::int64_t at);
    /// Turns pieces of one shape at equal distances into loops.
    void find_loops();

    /// Calls `visit` with boxes that hold the bytes from the `begin`-th to the one before the
    /// `end`-th, in the order in which they travel.
    template <class Visit>
    void boxes(std::int64_t begin, std::int64_t end, Visit&& visit) const {
        Walk<Visit> walk{begin, end, 0, visit};
        for (const Piece& piece : pieces_) {
            if (walk.dense >= end) return;
            walk.take(piece);
        }
    }

  private:
    template <class Visit>
    struct Walk {
        std::int64_t begin, end, dense;
        Visit& visit;
        void take(const Piece& piece);
    };

    void append(const Piece& piece);

    std::vector<Piece> pieces_;
    std::int64_t size_ = 0;
};

template <class Visit>
void Layout::Walk<Visit>::take(const Piece& piece) {
    const std::int64_t size = piece.size();
    if (dense + size <= begin || dense >= end) {
        dense += size;
        return;
    }
    const bool is_whole = begin <= dense && dense + size <= end;
    if (piece.depth == 0) {
        const std::int64_t skipped = begin > dense ? begin - dense : 0;
        const std::int64_t left = end - dense;
        visit(Box{piece.offset + skipped, dense + skipped, (left < size ? left : size) - skipped});
        dense += size;
        return;
    }
    if (is_whole && piece.depth < Piece::most_loops) {
        const Loop &rows = piece.loops[0], &slices = piece.loops[1];
        const bool is_deep = piece.depth == 2;
        visit(Box{piece.offset, dense, piece.bytes, rows.n, rows.stride, is_deep ? slices.n : 1,
                  is_deep ? slices.stride : 0});
        dense += size;
        return;
    }
    const Loop outer = piece.loops[static_cast<std::size_t>(piece.depth - 1)];
    Piece inner = piece;
    --inner.depth;
    inner.loops[static_cast<std::size_t>(inner.depth)] = {};
    for (std::int64_t k = 0; k < outer.n && dense < end; ++k) {
        take(inner);
        inner.offset += outer.stride;
    }
}

}  // namespace aureole::preload
