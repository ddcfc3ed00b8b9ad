// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/random.hpp"
#include "core/simd.hpp"

namespace aureole::core {
inline namespace HWY_NAMESPACE {

/// Whole numbers below 2³² as doubles: they are the lowest bits of 2⁵² + n.
template <int N>
AUREOLE_FN Pack<double, N> to_double(hn::Vec<hn::FixedTag<std::uint64_t, N>> n) {
    const hn::FixedTag<std::uint64_t, N> tag;
    const hn::FixedTag<double, N> doubles;
    const auto bits = hn::Or(n, hn::Set(tag, std::uint64_t{0x4330000000000000}));
    return Pack<double, N>(hn::BitCast(doubles, bits)) - Pack<double, N>(0x1p52);
}

/// Random::uniform() of the four Random::words() of N particles: the same numbers, word by word.
template <int N>
struct Uniforms;

template <int N>
requires fits_register<double, N>
struct Uniforms<N> {
    Pack<double, N> word[4];

    AUREOLE_FN Uniforms(std::uint64_t seed, Stream stream, std::uint64_t step,
                        const std::int64_t* ids) {
#if HWY_TARGET != HWY_SCALAR
        // A word is the lower half of a 64-bit lane. Upper halves hold what is left of products:
        // MulEven() does not read it, and it is cleared at the end.
        const hn::FixedTag<std::uint64_t, N> tag;
        const hn::Repartition<std::uint32_t, decltype(tag)> halves;
        using Word = hn::Vec<hn::FixedTag<std::uint64_t, N>>;
        const auto product = [&](Word a, std::uint32_t factor) {
            return hn::MulEven(hn::BitCast(halves, a), hn::Set(halves, factor));
        };
        const Word id = hn::LoadU(tag, reinterpret_cast<const std::uint64_t*>(ids));
        Word c0 = id, c1 = hn::Set(tag, step), c2 = hn::Set(tag, step >> 32),
             c3 = hn::Or(hn::Set(tag, std::uint64_t{static_cast<std::uint32_t>(stream)} << 16),
                         hn::ShiftLeft<24>(hn::ShiftRight<32>(id)));
        auto key0 = static_cast<std::uint32_t>(seed), key1 = static_cast<std::uint32_t>(seed >> 32);
        for (int round = 0; round < 10; ++round) {
            const Word a = product(c0, PHILOX_M4x32_0), b = product(c2, PHILOX_M4x32_1);
            c0 = hn::Xor3(hn::ShiftRight<32>(b), c1, hn::Set(tag, std::uint64_t{key0}));
            c2 = hn::Xor3(hn::ShiftRight<32>(a), c3, hn::Set(tag, std::uint64_t{key1}));
            c1 = b, c3 = a;
            key0 += PHILOX_W32_0, key1 += PHILOX_W32_1;
        }
        const Word words[4] = {c0, c1, c2, c3};
        for (int w = 0; w < 4; ++w) {
            const Word low = hn::And(words[w], hn::Set(tag, std::uint64_t{0xFFFFFFFF}));
            word[w] = (to_double<N>(low) + Pack<double, N>(0.5)) * Pack<double, N>(0x1p-32);
        }
#else
        const auto words = Random(seed, stream, step, static_cast<std::uint64_t>(ids[0])).words();
        for (int w = 0; w < 4; ++w) word[w] = Pack<double, N>(Random::uniform(words[w]));
#endif
    }
};

template <int N>
requires(!fits_register<double, N>) struct Uniforms<N> {
    Pack<double, N> word[4];

    AUREOLE_FN Uniforms(std::uint64_t seed, Stream stream, std::uint64_t step,
                        const std::int64_t* ids) {
        const Uniforms<N / 2> lo(seed, stream, step, ids), hi(seed, stream, step, ids + N / 2);
        for (int w = 0; w < 4; ++w) word[w] = {lo.word[w], hi.word[w]};
    }
};

/// split() of packs.
template <int N>
AUREOLE_FN void split(Pack<double, N> u, Pack<double, N>& exponent, Pack<double, N>& mantissa) {
    if constexpr (!fits_register<double, N>) {
        split(u.lo, exponent.lo, mantissa.lo), split(u.hi, exponent.hi, mantissa.hi);
    } else {
        const hn::FixedTag<std::uint64_t, N> tag;
        const hn::FixedTag<double, N> doubles;
        constexpr std::uint64_t offset = std::uint64_t{64} << 52;
        const auto bits = hn::BitCast(tag, u.v);
        const auto k = hn::ShiftRight<52>(hn::Add(bits, hn::Set(tag, offset - bits_of_root_half)));
        mantissa.v = hn::BitCast(
            doubles, hn::Sub(bits, hn::ShiftLeft<52>(hn::Sub(k, hn::Set(tag, std::uint64_t{64})))));
        exponent = to_double<N>(k) - Pack<double, N>(64.0);
    }
}

/// Standard normal vectors of N particles, component by component: those of Random::normal3(), to
/// the bit.
template <int N>
struct Normals {
    Pack<double, N> x, y, z;

    AUREOLE_FN Normals(std::uint64_t seed, Stream stream, std::uint64_t step,
                       const std::int64_t* ids) {
        const Uniforms<N> uniform(seed, stream, step, ids);
        const auto v = normal_vector(uniform.word);
        x = v.x, y = v.y, z = v.z;
    }
};

}  // namespace HWY_NAMESPACE
}  // namespace aureole::core
