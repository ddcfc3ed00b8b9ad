// SPDX-License-Identifier: Apache-2.0
#include "io/xtc_encoder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "io/xtc.hpp"

namespace aureole::io {
namespace {

using Positions = std::vector<double>;

/// A power of two, so that positions are multiples of a step without rounding.
constexpr double precision = 1024;

std::string hex(std::span<const std::byte> bytes) {
    const char* digits = "0123456789abcdef";
    std::string text;
    for (const std::byte byte : bytes) {
        text += digits[std::to_integer<unsigned>(byte) >> 4];
        text += digits[std::to_integer<unsigned>(byte) & 15];
    }
    return text;
}

std::string refusal(std::size_t n, double of, const Positions& x) {
    try {
        XtcEncoder(n, of).encode({}, x);
    } catch (const core::InputError& error) {
        return error.what();
    }
    return "";
}

/// Steps as a float holds them exactly, also after half a step was added: 22 bits and zeros.
class Shapes {
  public:
    Positions next(std::size_t n) {
        const int zeros = static_cast<int>(random_() % 9), bits = static_cast<int>(random_() % 23);
        const std::int64_t most = std::int64_t{1} << bits;
        const std::int64_t near = std::int64_t{1} << random_() % (static_cast<unsigned>(bits) + 1);
        const unsigned kind = random_() % 4;
        std::array<std::int64_t, 3> at = {}, shift = {};
        for (auto& x : shift) x = random_() % 2 == 0 ? -most : 0;
        Positions out;
        for (std::size_t i = 0; i < n; ++i) {
            const bool anew = kind == 0 || (kind == 1 && i % 3 == 0) || random_() % 50 == 0;
            for (std::size_t axis = 0; axis < 3; ++axis) {
                if (kind == 3 && axis > 0 && i > 0) {
                    // A flat frame.
                } else if (anew || i == 0) {
                    at[axis] = below(most) + shift[axis];
                } else {
                    at[axis] = std::clamp(at[axis] + below(2 * near) - near, shift[axis],
                                          shift[axis] + most - 1);
                }
                out.push_back(static_cast<double>(at[axis] << zeros) / precision);
            }
        }
        return out;
    }
    std::size_t number() { return random_() % 8 == 0 ? random_() % 13 : random_() % 200; }
    std::mt19937& dice() { return random_; }

  private:
    std::int64_t below(std::int64_t most) { return static_cast<std::int64_t>(random_()) % most; }

    std::mt19937 random_{11};
};

TEST(XtcEncoder, MakesTheBytesOfGromacs) {
    const Positions waters = {.1,   .2,  .3,  .196, .2,   .3,  .076, .293, .3, .4,  .25, .3,
                              .496, .25, .31, .376, .343, .29, .7,   .3,   .2, .6,  .31, .21,
                              .71,  .21, .17, 2.0,  -1.5, .9,  .3,   .3,   .3, .31, .3,  .3};
    XtcEncoder encoder(12, 1000);
    const XtcHead head{7, 2.5F, {2, 0, 0, 0, 2, 0, 0, 0, 2}};
    const std::string trjconv =
        "000007cb0000000c000000074020000040000000000000000000000000000000400000000000000000000000"
        "00000000400000000000000c447a00000000004cfffffa24000000aa000007d000000157000003840000000a"
        "000000336e9a000287b8a2dc24ba00280084a61b1a071ae9109a430bc606d646c645efa2d2a792f8199b29aa"
        "5669b4c02624b20fe1128800";
    EXPECT_EQ(hex(encoder.encode(head, waters)), trjconv);
    EXPECT_EQ(hex(encoder.encode(head, waters)), trjconv) << "a second frame in the same memory";
}

/// A walk of steps that grow and shrink, from the origin.
Positions walk(std::size_t n) {
    std::uint32_t state = 1;
    std::array<std::int32_t, 3> at = {};
    Positions out;
    for (std::size_t i = 0; i < n; ++i) {
        const std::int32_t most = 3 << i / 25 % 9;
        for (std::int32_t& x : at) {
            if (i > 0) {
                state = state * 1664525 + 1013904223;
                x += static_cast<std::int32_t>((state >> 8) % (2U * most + 1)) - most;
            }
            out.push_back(x / precision);
        }
    }
    return out;
}

// chemfiles 0.10 makes these bytes, and so does trjconv of GROMACS 2022.
TEST(XtcEncoder, ChoosesChainsAndRangesAsGromacs) {
    XtcEncoder encoder(1000, precision);
    const auto frame = encoder.encode({}, walk(1000));
    EXPECT_EQ(frame.size(), 3804U);
    std::uint64_t sum = 14695981039346656037U;  // FNV-1a
    for (const std::byte byte : frame)
        sum = (sum ^ std::to_integer<std::uint64_t>(byte)) * 1099511628211U;
    EXPECT_EQ(sum, 10214496001747508968U);
}

TEST(XtcEncoder, FramesHoldTheirPositions) {
    Shapes shapes;
    for (int k = 0; k < 5'000; ++k) {
        const std::size_t n = shapes.number();
        const Positions x = shapes.next(n);
        XtcEncoder encoder(n, precision);
        const auto frame = encoder.encode({}, x);
        ASSERT_EQ(frame.size() % 4, 0U);
        const auto found = decode_xtc(frame);
        ASSERT_EQ(found.size(), x.size());
        for (std::size_t i = 0; i < x.size(); ++i)
            ASSERT_EQ(static_cast<double>(found[i]), x[i]) << "frame " << k << ", number " << i;
    }
}

TEST(XtcEncoder, ShortenedFramesAreRefusedAndOthersStayWithinThem) {
    Shapes shapes;
    int accepted = 0, refused = 0;
    for (int k = 0; k < 2'000; ++k) {
        const std::size_t n = 10 + shapes.number();
        XtcEncoder encoder(n, precision);
        const auto frame = encoder.encode({}, shapes.next(n));
        // Up to three bytes fill the last word.
        const std::size_t cut = shapes.dice()() % (frame.size() - 3);
        EXPECT_THROW(decode_xtc(frame.first(cut)), core::FileError) << cut;
        std::vector<std::byte> altered(frame.begin(), frame.end());
        for (int flips = 0; flips < 3; ++flips)
            altered[shapes.dice()() % altered.size()] ^=
                static_cast<std::byte>(1U << shapes.dice()() % 8);
        try {
            EXPECT_EQ(decode_xtc(altered).size(), 3 * n);
            ++accepted;
        } catch (const core::FileError&) {
            ++refused;
        }
    }
    EXPECT_GT(accepted, 100);
    EXPECT_GT(refused, 100);
}

TEST(XtcEncoder, FewParticlesAreNotRounded) {
    for (const std::size_t n : {0U, 1U, 9U}) {
        const Positions x(3 * n, 0.123456);
        XtcEncoder encoder(n, 1000);
        const auto frame = encoder.encode({}, x);
        EXPECT_EQ(frame.size(), 56 + 12 * n);
        for (const float found : decode_xtc(frame)) EXPECT_EQ(found, 0.123456F);
    }
    const Positions ten(30, 0.123456);
    XtcEncoder encoder(10, 1000);
    for (const float found : decode_xtc(encoder.encode({}, ten))) EXPECT_FLOAT_EQ(found, 0.123F);
}

TEST(XtcEncoder, WideAxesAreWrittenOneByOne) {
    for (const double edge : {16'382.0, 16'384.0, 1'000'000.0}) {  // below and above 2^24 steps
        Positions x(60, 0.0);
        x[4] = edge, x[59] = 1, x[30] = -1;
        XtcEncoder encoder(20, precision);
        const auto found = decode_xtc(encoder.encode({}, x));
        for (std::size_t i = 0; i < x.size(); ++i)
            EXPECT_EQ(static_cast<double>(found[i]), x[i]) << edge;
    }
}

TEST(XtcEncoder, WhatDoesNotFitIsRefusedByParticle) {
    const std::string hold = " (an .xtc file of precision 1000 stores coordinates in 32 bits). ";
    for (const std::size_t n : {5U, 20U}) {
        Positions x(3 * n, 1.0);
        x[7] = 3e6;
        EXPECT_EQ(refusal(n, 1000, x), "particle 3 of the frame is at 3e+06 nm" + hold +
                                           "Check the particle, or lower the precision.");
        EXPECT_EQ(refusal(n, 10, x), "");
        x[7] = -2'147'483.648;
        EXPECT_NE(refusal(n, 1000, x), "");
        x[7] = -2'147'482.0;
        EXPECT_EQ(refusal(n, 1000, x), "");
        for (const double none : {std::numeric_limits<double>::quiet_NaN(),
                                  std::numeric_limits<double>::infinity(), -1e300}) {
            x[7] = none;
            EXPECT_NE(refusal(n, 1000, x).find("particle 3 of the frame is at "),
                      std::string::npos);
        }
    }
    Positions x(60, 1.0);
    x[13] = 1.1e6, x[52] = -1.1e6;
    EXPECT_EQ(refusal(20, 1000, x), "particles 18 and 5 of the frame are 2.2e+06 nm apart" + hold +
                                        "Check the particles, or lower the precision.");
    x[52] = -1.04e6;
    EXPECT_EQ(refusal(20, 1000, x), "");
}

TEST(XtcEncoder, NumbersThatNoFileHoldsAreRefused) {
    EXPECT_THROW(XtcEncoder(std::size_t{1} << 31, 1000), core::InputError);
    for (const double none : {0.0, -1.0, 1e39, 1e-40, std::numeric_limits<double>::quiet_NaN()})
        EXPECT_THROW(XtcEncoder(10, none), core::InputError) << none;
    XtcEncoder encoder(10, 1000);
    EXPECT_THROW(encoder.encode({}, Positions(27)), core::InputError);
}

}  // namespace
}  // namespace aureole::io
