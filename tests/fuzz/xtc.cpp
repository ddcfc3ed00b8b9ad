// SPDX-License-Identifier: Apache-2.0
// libFuzzer target of the reader of .xtc frames. Its mutator begins with a frame whose head is
// sound: otherwise nothing would get to the compressed positions.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>
#include <span>

#include "core/error.hpp"
#include "io/xtc.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max);

namespace {

constexpr std::size_t head_bytes = 92;

void put(std::uint8_t* to, std::uint32_t word) {
    for (int k = 0; k < 4; ++k) to[k] = static_cast<std::uint8_t>(word >> (24 - 8 * k));
}

/// A head that fits the compressed bytes behind it.
void mend(std::uint8_t* data, std::size_t size, std::mt19937& random) {
    const auto packed = static_cast<std::uint32_t>(size - head_bytes);
    const std::uint32_t n = 10 + static_cast<std::uint32_t>(random()) % (4 * packed + 1);
    put(data, 1995), put(data + 4, n), put(data + 52, n), put(data + 88, packed);
    put(data + 56, std::bit_cast<std::uint32_t>(1000.0F));
    for (std::size_t k = 0; k < 3; ++k) {
        put(data + 60 + 4 * k, 0);
        put(data + 72 + 4 * k, static_cast<std::uint32_t>(random()) >> (random() % 31 + 1));
    }
    put(data + 84, 9 + static_cast<std::uint32_t>(random()) % 64);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const auto values = aureole::io::decode_xtc(std::as_bytes(std::span(data, size)));
        if (values.size() * sizeof(float) > 48 * size) std::abort();
    } catch (const aureole::core::FileError& error) {
        if (std::strlen(error.what()) <= 20) std::abort();
    }
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max, unsigned seed) {
    std::mt19937 random(seed);
    size = LLVMFuzzerMutate(data, size, max);
    if (size < head_bytes + 8 && max >= 200) {
        std::fill(data + size, data + 200, std::uint8_t{0});
        size = 200;
    }
    if (size >= head_bytes && random() % 8 != 0) mend(data, size, random);
    return size;
}
