// SPDX-License-Identifier: Apache-2.0
// Layouts beside lists of offsets that are expanded one by one.
#include "preload/layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/error.hpp"

namespace aureole::preload {
namespace {

using Offsets = std::vector<std::int64_t>;

/// Offsets of all bytes of a layout, in their order, from `begin` to `end`.
Offsets bytes_of(const Layout& layout, std::int64_t begin, std::int64_t end) {
    Offsets all;
    layout.boxes(begin, end, [&](const Box& box) {
        EXPECT_EQ(box.dense, begin + static_cast<std::int64_t>(all.size()));
        for (std::int64_t s = 0; s < box.slices; ++s)
            for (std::int64_t r = 0; r < box.rows; ++r)
                for (std::int64_t b = 0; b < box.width; ++b)
                    all.push_back(box.offset + s * box.slice_stride + r * box.row_stride + b);
    });
    return all;
}

/// A layout and its offsets, made by the same steps.
struct Both {
    Layout layout;
    Offsets offsets;

    void add(const Both& other, std::int64_t n, std::int64_t stride, std::int64_t at) {
        layout.add(other.layout, n, stride, at);
        for (std::int64_t k = 0; k < n; ++k)
            for (const std::int64_t offset : other.offsets)
                offsets.push_back(at + k * stride + offset);
    }
};

Both of_bytes(std::int64_t n) {
    Both both{Layout(n), {}};
    for (std::int64_t k = 0; k < n; ++k) both.offsets.push_back(k);
    return both;
}

Both random_layout(std::mt19937& random, int depth) {
    const auto pick = [&](int low, int high) {
        return std::uniform_int_distribution<std::int64_t>(low, high)(random);
    };
    if (depth == 0) return of_bytes(pick(1, 9));
    Both both;
    for (auto parts = pick(1, 3); parts > 0; --parts)
        both.add(random_layout(random, depth - 1), pick(0, 4), pick(-40, 40), pick(-90, 90));
    return both;
}

TEST(Layouts, VisitTheBytesOfTheirTypeMap) {
    for (unsigned seed = 0; seed < 2000; ++seed) {
        std::mt19937 random(seed);
        Both both = random_layout(random, 1 + static_cast<int>(seed % 4));
        const auto n = static_cast<std::int64_t>(both.offsets.size());
        EXPECT_EQ(both.layout.size(), n);
        if (seed % 2 == 0) both.layout.find_loops();
        ASSERT_EQ(bytes_of(both.layout, 0, n), both.offsets) << "seed " << seed;
        if (n == 0) continue;
        EXPECT_EQ(both.layout.low(), *std::ranges::min_element(both.offsets));
        EXPECT_EQ(both.layout.high(), *std::ranges::max_element(both.offsets) + 1);
        const auto begin = std::uniform_int_distribution<std::int64_t>(0, n)(random);
        const auto end = std::uniform_int_distribution<std::int64_t>(begin, n)(random);
        ASSERT_EQ(bytes_of(both.layout, begin, end),
                  Offsets(both.offsets.begin() + begin, both.offsets.begin() + end))
            << "seed " << seed << ", bytes " << begin << " to " << end;
    }
}

std::size_t boxes_of(const Layout& layout) {
    std::size_t n = 0;
    layout.boxes(0, layout.size(), [&](const Box&) { ++n; });
    return n;
}

// Faces of an array of 512 x 512 x 512 doubles, made as programs make them.
TEST(Layouts, OfAnyFaceOfAnArrayAreOneBox) {
    constexpr std::int64_t n = 512, bytes = 8;
    const Layout number(bytes);
    Layout x, y, z, rows;
    x.add(number, n * n, n * bytes, 0);
    rows.add(number, n, bytes, 0);
    y.add(rows, n, n * n * bytes, 0);
    z.add(number, n * n, bytes, 0);
    for (const Layout* face : {&x, &y, &z}) {
        EXPECT_EQ(boxes_of(*face), 1u);
        EXPECT_EQ(face->size(), n * n * bytes);
    }
    EXPECT_TRUE(z.is_run());
    EXPECT_FALSE(y.is_run());
}

TEST(Layouts, FindLoopsInListsOfEqualBlocks) {
    Layout indexed;
    for (int k = 0; k < 1000; ++k) indexed.add(Layout(24), 1, 0, 100 * k + 8);
    EXPECT_EQ(indexed.pieces().size(), 1000u);
    indexed.find_loops();
    EXPECT_EQ(indexed.pieces().size(), 1u);
    EXPECT_EQ(boxes_of(indexed), 1u);
}

TEST(Layouts, RefuseMoreBlocksThanCanBeCopied) {
    Layout pair;
    pair.add(Layout(1), 1, 0, 0);
    pair.add(Layout(1), 1, 0, 2);
    Layout many;
    EXPECT_THROW(many.add(pair, std::int64_t{1} << 26, 100, 0), core::InputError);
}

}  // namespace
}  // namespace aureole::preload
