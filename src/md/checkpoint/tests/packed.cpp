// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstring>
#include <new>

#include "md/checkpoint/state_blocks.hpp"

namespace aureole::md {

using io::packed_size;
using io::unpack;

namespace {

/// The bytes of a value that lies in memory which held `filling` before.
template <class T>
std::vector<std::byte> bytes_in(const T& value, int filling) {
    alignas(T) std::byte memory[sizeof(T)];
    std::memset(memory, filling, sizeof memory);
    T* made = new (memory) T;  // default members leave padding as it was
    *made = T{};
    const std::byte* from = nullptr;
    StateBlocks whole, again;
    put(whole, "value", std::span(&value, 1));
    from = whole["value"].data();
    EXPECT_TRUE(unpack(from, *made));  // member by member
    put(again, "value", std::span(made, 1));
    EXPECT_EQ(whole["value"], again["value"]);
    return again["value"];
}

template <class T>
void expect_no_padding(const T& value, std::size_t bytes) {
    EXPECT_EQ(packed_size<T>(), bytes);
    EXPECT_EQ(bytes_in(value, 0xAA), bytes_in(value, 0x55));
}

TEST(Packed, PaddingIsLeftOut) {
    expect_no_padding(core::Box{1, 2, 3, 4, 5, 6, true, false, true}, 6 * 8 + 3);
    expect_no_padding(MotionSpec{}, 6 * 8 + 4 * 4 + 2);
    expect_no_padding(ListSpec{}, 1 + 2 * 8 + 2 * 4);
    expect_no_padding(ListTuning{}, 2 * 8 + 2 * 4);
    expect_no_padding(MeshHeader{}, 3 * 4 + 4 + 2 * 4);
    expect_no_padding(Site<float>{1, 2, 3, 4}, 16);
}

TEST(Packed, ComesBackAsItWas) {
    const std::vector<core::Box> boxes{{1, 2, 3, 4, 5, 6, true, false, true},
                                       {7, 8, 9, 0, -1, -2, false, false, true}};
    StateBlocks blocks;
    put(blocks, "boxes", boxes);
    const auto again = get<core::Box>(blocks, "boxes", 2);
    for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_EQ(again[k].yz, boxes[k].yz);
        EXPECT_EQ(again[k].periodic_y, boxes[k].periodic_y);
        EXPECT_EQ(again[k].periodic_z, boxes[k].periodic_z);
    }
    EXPECT_THROW(get<core::Box>(blocks, "boxes", 1), core::FileError);
    EXPECT_THROW(get<core::Box>(blocks, "none"), core::FileError);
    blocks["boxes"].back() = std::byte{2};
    EXPECT_THROW(get<core::Box>(blocks, "boxes"), core::FileError);
    blocks["boxes"].pop_back();
    EXPECT_THROW(get<core::Box>(blocks, "boxes"), core::FileError);
}

}  // namespace
}  // namespace aureole::md
