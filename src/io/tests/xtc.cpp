// SPDX-License-Identifier: Apache-2.0
#include "io/xtc.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "core/error.hpp"

namespace aureole::io {
namespace {

using Bytes = std::vector<std::byte>;

void put(Bytes& to, std::uint32_t word) {
    for (int shift = 24; shift >= 0; shift -= 8)
        to.push_back(static_cast<std::byte>(word >> shift));
}

struct Frame {
    std::uint32_t n = 10, again = 10;
    float precision = 1000;
    std::uint32_t least = 0, most = 1, range = 9;
    Bytes data;

    Bytes bytes() const {
        Bytes out;
        for (const std::uint32_t word : {1995U, n, 0U}) put(out, word);
        for (int k = 0; k < 10; ++k) put(out, 0);
        put(out, again);
        put(out, std::bit_cast<std::uint32_t>(precision));
        for (const std::uint32_t bound : {least, most})
            for (int k = 0; k < 3; ++k) put(out, bound);
        put(out, range);
        put(out, static_cast<std::uint32_t>(data.size()));
        out.insert(out.end(), data.begin(), data.end());
        return out;
    }
};

/// Ten particles in full, each 4 bits of x y z out of 0 and 1 (x lies highest) and a bit 0.
Frame in_full() {
    Frame frame;
    frame.data = Bytes(7, std::byte{0});
    frame.data[0] = std::byte{0b01110'000};  // 7 = x 1, y 1, z 1
    frame.data[6] = std::byte{0b00'00000'0};
    return frame;
}

TEST(Xtc, ReadsPositionsInFull) {
    const auto values = decode_xtc(in_full().bytes());
    ASSERT_EQ(values.size(), 30U);
    for (int k = 0; k < 3; ++k) EXPECT_FLOAT_EQ(values[static_cast<std::size_t>(k)], 0.001F);
    for (std::size_t k = 3; k < 30; ++k) EXPECT_EQ(values[k], 0.0F);
}

TEST(Xtc, RefusesWhatNoProgramWrites) {
    const auto refused = [](auto change) {
        Frame frame = in_full();
        change(frame);
        EXPECT_THROW(decode_xtc(frame.bytes()), core::FileError);
    };
    refused([](Frame& f) { f.again = 11; });
    refused([](Frame& f) { f.n = f.again = 0x7FFFFFFF; });
    refused([](Frame& f) { f.n = f.again = 0xFFFFFFFF; });
    refused([](Frame& f) { f.precision = 0; });
    refused([](Frame& f) { f.precision = -1; });
    refused([](Frame& f) { f.most = 0xFFFFFFFF; });
    refused([](Frame& f) { f.least = 0x80000000, f.most = 0x7FFFFFFF; });
    for (const std::uint32_t range : {0U, 8U, 73U, 0xFFFFFFFFU})
        refused([&](Frame& f) { f.range = range; });
    refused([](Frame& f) { f.data.pop_back(); });
    refused([](Frame& f) { f.data.clear(); });
    refused([](Frame& f) { f.data[0] = std::byte{0b01111'111}; });  // a chain of 30
}

TEST(Xtc, StaysWithinDamagedFrames) {
    std::mt19937 random(7);
    int accepted = 0;
    for (int k = 0; k < 20'000; ++k) {
        Frame frame = in_full();
        frame.data.resize(20 + random() % 100);
        frame.most = 1U << random() % 16;
        frame.range = 9 + random() % 30;
        for (auto& byte : frame.data) byte = static_cast<std::byte>(random());
        Bytes bytes = frame.bytes();
        if (random() % 4 == 0) bytes[random() % bytes.size()] ^= static_cast<std::byte>(random());
        if (random() % 8 == 0) bytes.resize(random() % bytes.size());
        try {
            decode_xtc(bytes);
            ++accepted;
        } catch (const core::FileError&) {
        }
    }
    EXPECT_GT(accepted, 2'000);
    EXPECT_LT(accepted, 18'000);
}

}  // namespace
}  // namespace aureole::io
