// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

// The compression of GROMACS' .xtc files ("3dfcoord" of the xdrfile library): positions are whole
// multiples of 1/precision. The first position of a chain is written in full, as an offset from the
// least of the frame, the others as small differences from the position before. A bit after each
// full position tells whether five more bits give the length of the chain and say whether the range
// of small differences changes. Three numbers of a range share one number of as many bits as they
// need.
namespace aureole::io::xtc {

constexpr std::uint32_t magic = 1995;
constexpr std::uint32_t wide_magic = 2023;  ///< of frames whose size has 64 bits
/// Most particles of frames whose size has 32 bits; GROMACS gives larger frames 64 bits.
constexpr std::size_t most_narrow = 298'261'617;
constexpr std::size_t most_particles = 0x7FFFFFFF;
constexpr std::size_t most_plain = 9;  ///< particles that are not compressed

/// Powers of 2^(1/3): the ranges of small differences. Three of `ranges[k]` fit into k bits.
constexpr std::array<std::uint32_t, 73> ranges = {
    0,        0,        0,       0,       0,       0,       0,       0,       0,       8,
    10,       12,       16,      20,      25,      32,      40,      50,      64,      80,
    101,      128,      161,     203,     256,     322,     406,     512,     645,     812,
    1024,     1290,     1625,    2048,    2580,    3250,    4096,    5060,    6501,    8192,
    10321,    13003,    16384,   20642,   26007,   32768,   41285,   52015,   65536,   82570,
    104031,   131072,   165140,  208063,  262144,  330280,  416127,  524287,  660561,  832255,
    1048576,  1321122,  1664510, 2097152, 2642245, 3329021, 4194304, 5284491, 6658042, 8388607,
    10568983, 13316085, 16777216};
constexpr int first_range = 9;
constexpr int last_range = static_cast<int>(ranges.size()) - 1;

/// Three numbers that wrap, as nothing else is certain about them in a damaged file.
using Whole = std::array<std::uint32_t, 3>;

/// Bits of three numbers below `sizes` that share one number; 0 where a range is too wide for it.
constexpr int shared_bits(const Whole& sizes) {
    if (std::ranges::any_of(sizes, [](std::uint32_t size) { return size > 0xFFFFFF; })) return 0;
    int bits = 0;
    for (auto n = static_cast<unsigned __int128>(sizes[0]) * sizes[1] * sizes[2]; n > 0; n >>= 1)
        ++bits;
    return bits;
}

}  // namespace aureole::io::xtc
