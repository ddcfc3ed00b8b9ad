// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hwy/highway.h>

#include <cstdint>
#include <type_traits>

#include "core/dual.hpp"
#include "core/macros.hpp"

// Packs of N equal numbers over Google Highway (docs/decisions). Everything here lives in the
// inline namespace of the instruction set that the including file is compiled for, so that one
// binary can carry several.
namespace aureole::core {
inline namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T, int N>
inline constexpr bool fits_register = N <= HWY_LANES(T);

/// Whether kernels are small rather than fast: without wide registers a pack is much code.
inline constexpr bool small_kernels = !fits_register<float, 8>;

/// The result of comparing two packs.
template <class T, int N>
struct Mask;

/// N numbers of type T; wider packs than a register are two halves.
template <class T, int N>
struct Pack;

template <class T, int N>
requires fits_register<T, N>
struct Mask<T, N> {
    using Tag = hn::FixedTag<T, N>;
    using Bits =
        std::conditional_t<(N > 8), std::uint16_t, std::uint8_t>;  // as Highway stores them
    hn::Mask<Tag> m;

    /// Lane k is true where bit k is set.
    AUREOLE_FN static Mask from_bits(std::uint32_t bits) {
        alignas(8) std::uint8_t bytes[8] = {};  // as many as LoadMaskBits may read
        const Bits as_stored = static_cast<Bits>(bits);
        __builtin_memcpy(bytes, &as_stored, sizeof as_stored);
        return {hn::LoadMaskBits(Tag{}, bytes)};
    }
    AUREOLE_FN friend Mask operator&(Mask a, Mask b) { return {hn::And(a.m, b.m)}; }
    AUREOLE_FN friend bool any(Mask a) { return !hn::AllFalse(Tag{}, a.m); }
    AUREOLE_FN friend bool all(Mask a) { return hn::AllTrue(Tag{}, a.m); }
    AUREOLE_FN friend std::uint32_t bits(Mask a) {
        std::uint8_t bytes[8];
        hn::StoreMaskBits(Tag{}, a.m, bytes);
        Bits as_stored;
        __builtin_memcpy(&as_stored, bytes, sizeof as_stored);
        return as_stored;
    }
};

template <class T, int N>
requires fits_register<T, N>
struct Pack<T, N> {
    using Tag = hn::FixedTag<T, N>;
    using value_type = T;
    static constexpr int size = N;
    hn::Vec<Tag> v;

    AUREOLE_FN Pack() = default;
    AUREOLE_FN Pack(T a) : v(hn::Set(Tag{}, a)) {}
    template <class U>
    requires(std::is_arithmetic_v<U> && !std::is_same_v<U, T>) AUREOLE_FN Pack(U a)
        : v(hn::Set(Tag{}, static_cast<T>(a))) {}
    AUREOLE_FN explicit Pack(hn::Vec<Tag> a) : v(a) {}

    AUREOLE_FN static Pack load(const T* p) { return Pack(hn::Load(Tag{}, p)); }
    AUREOLE_FN static Pack load_unaligned(const T* p) { return Pack(hn::LoadU(Tag{}, p)); }
    AUREOLE_FN void store(T* p) const { hn::Store(v, Tag{}, p); }
    AUREOLE_FN void store_unaligned(T* p) const { hn::StoreU(v, Tag{}, p); }
    /// Four numbers repeated over the pack: q0 q1 q2 q3 q0 q1 …
    AUREOLE_FN static Pack repeat4(const T* p) {
        if constexpr (N == 4) {
            return load(p);
        } else {
#if HWY_TARGET != HWY_SCALAR  // no packs of two or more there
            if constexpr (sizeof(T) == 4) {
                return Pack(hn::LoadDup128(Tag{}, p));
            } else {
                const auto q = Pack<T, N / 2>::repeat4(p);
                return Pack(hn::Combine(Tag{}, q.v, q.v));
            }
#endif
        }
    }
    /// Numbers repeated four times each: q0 q0 q0 q0 q1 …
    AUREOLE_FN static Pack spread4(const T* q) {
        if constexpr (N <= 4) {
            return Pack(q[0]);
        } else {
#if HWY_TARGET != HWY_SCALAR
            return Pack(hn::Combine(Tag{}, Pack<T, N / 2>::spread4(q + N / 8).v,
                                    Pack<T, N / 2>::spread4(q).v));
#endif
        }
    }
    /// Lane k reads table[index[k]].
    AUREOLE_FN static Pack gather(const T* table, const std::int32_t* index) {
        alignas(64) T lanes[N];
        for (int k = 0; k < N; ++k) lanes[k] = table[index[k]];
        return load(lanes);
    }

    AUREOLE_FN friend Pack operator+(Pack a, Pack b) { return Pack(hn::Add(a.v, b.v)); }
    AUREOLE_FN friend Pack operator-(Pack a, Pack b) { return Pack(hn::Sub(a.v, b.v)); }
    AUREOLE_FN friend Pack operator*(Pack a, Pack b) { return Pack(hn::Mul(a.v, b.v)); }
    AUREOLE_FN friend Pack operator/(Pack a, Pack b) { return Pack(hn::Div(a.v, b.v)); }
    AUREOLE_FN friend Pack operator-(Pack a) { return Pack(hn::Neg(a.v)); }
    AUREOLE_FN Pack& operator+=(Pack o) { return *this = *this + o; }
    AUREOLE_FN Pack& operator-=(Pack o) { return *this = *this - o; }
    AUREOLE_FN Pack& operator*=(Pack o) { return *this = *this * o; }
    AUREOLE_FN friend Mask<T, N> operator<(Pack a, Pack b) { return {hn::Lt(a.v, b.v)}; }
    /// a b + c
    AUREOLE_FN friend Pack fma(Pack a, Pack b, Pack c) { return Pack(hn::MulAdd(a.v, b.v, c.v)); }
    /// a b - c
    AUREOLE_FN friend Pack fms(Pack a, Pack b, Pack c) { return Pack(hn::MulSub(a.v, b.v, c.v)); }
    /// c - a b
    AUREOLE_FN friend Pack fnma(Pack a, Pack b, Pack c) {
        return Pack(hn::NegMulAdd(a.v, b.v, c.v));
    }
    AUREOLE_FN friend Pack select(Mask<T, N> m, Pack a, Pack b) {
        return Pack(hn::IfThenElse(m.m, a.v, b.v));
    }
    AUREOLE_FN friend Pack zero_unless(Mask<T, N> m, Pack a) {
        return Pack(hn::IfThenElseZero(m.m, a.v));
    }
    AUREOLE_FN friend Pack min(Pack a, Pack b) { return Pack(hn::Min(a.v, b.v)); }
    AUREOLE_FN friend Pack max(Pack a, Pack b) { return Pack(hn::Max(a.v, b.v)); }
    AUREOLE_FN friend Pack abs(Pack a) { return Pack(hn::Abs(a.v)); }
    AUREOLE_FN friend Pack sqrt(Pack a) { return Pack(hn::Sqrt(a.v)); }
    /// The nearest whole number.
    AUREOLE_FN friend Pack rint(Pack a) { return Pack(hn::Round(a.v)); }
    /// 1/a to rounding (float: hardware estimate and Newton's step).
    AUREOLE_FN friend Pack recip(Pack a) {
        if constexpr (sizeof(T) == 4 && HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR) {
            const Pack y(hn::ApproximateReciprocal(a.v));
            return y * fnma(a, y, Pack(T(2)));
        } else {
            return Pack(T(1)) / a;
        }
    }
    /// 1/√a to rounding.
    AUREOLE_FN friend Pack rsqrt(Pack a) {
        if constexpr (sizeof(T) == 4 && HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR) {
            const Pack y(hn::ApproximateReciprocalSqrt(a.v));
            return y * fnma(Pack(T(0.5)) * a * y, y, Pack(T(1.5)));
        } else {
            return Pack(T(1)) / sqrt(a);
        }
    }
    AUREOLE_FN friend T sum(Pack a) {
        alignas(64) T lanes[N];
        a.store(lanes);
        T s = 0;
        for (const T lane : lanes) s += lane;
        return s;
    }
};

template <class T, int N>
requires(!fits_register<T, N>) struct Mask<T, N> {
    Mask<T, N / 2> lo, hi;

    AUREOLE_FN static Mask from_bits(std::uint32_t bits) {
        return {Mask<T, N / 2>::from_bits(bits & ((1u << (N / 2)) - 1)),
                Mask<T, N / 2>::from_bits(bits >> (N / 2))};
    }
    AUREOLE_FN friend Mask operator&(Mask a, Mask b) { return {a.lo & b.lo, a.hi & b.hi}; }
    AUREOLE_FN friend bool any(Mask a) { return any(a.lo) || any(a.hi); }
    AUREOLE_FN friend bool all(Mask a) { return all(a.lo) && all(a.hi); }
    AUREOLE_FN friend std::uint32_t bits(Mask a) { return bits(a.lo) | (bits(a.hi) << (N / 2)); }
};

template <class T, int N>
requires(!fits_register<T, N>) struct Pack<T, N> {
    using Half = Pack<T, N / 2>;
    using value_type = T;
    static constexpr int size = N;
    Half lo, hi;

    AUREOLE_FN Pack() = default;
    template <class U>
    requires std::is_arithmetic_v<U> AUREOLE_FN Pack(U a) : lo(a), hi(a) {}
    AUREOLE_FN Pack(Half l, Half h) : lo(l), hi(h) {}

    AUREOLE_FN static Pack load(const T* p) { return {Half::load(p), Half::load(p + N / 2)}; }
    AUREOLE_FN static Pack load_unaligned(const T* p) {
        return {Half::load_unaligned(p), Half::load_unaligned(p + N / 2)};
    }
    AUREOLE_FN void store(T* p) const { lo.store(p), hi.store(p + N / 2); }
    AUREOLE_FN void store_unaligned(T* p) const {
        lo.store_unaligned(p), hi.store_unaligned(p + N / 2);
    }
    AUREOLE_FN static Pack repeat4(const T* p) {
        if constexpr (N == 4) {
            return load(p);
        } else {
            const Half q = Half::repeat4(p);
            return {q, q};
        }
    }
    AUREOLE_FN static Pack spread4(const T* q) {
        if constexpr (N <= 4) {
            return Pack(q[0]);
        } else {
            return {Half::spread4(q), Half::spread4(q + N / 8)};
        }
    }
    AUREOLE_FN static Pack gather(const T* table, const std::int32_t* index) {
        return {Half::gather(table, index), Half::gather(table, index + N / 2)};
    }

    AUREOLE_FN friend Pack operator+(Pack a, Pack b) { return {a.lo + b.lo, a.hi + b.hi}; }
    AUREOLE_FN friend Pack operator-(Pack a, Pack b) { return {a.lo - b.lo, a.hi - b.hi}; }
    AUREOLE_FN friend Pack operator*(Pack a, Pack b) { return {a.lo * b.lo, a.hi * b.hi}; }
    AUREOLE_FN friend Pack operator/(Pack a, Pack b) { return {a.lo / b.lo, a.hi / b.hi}; }
    AUREOLE_FN friend Pack operator-(Pack a) { return {-a.lo, -a.hi}; }
    AUREOLE_FN Pack& operator+=(Pack o) { return *this = *this + o; }
    AUREOLE_FN Pack& operator-=(Pack o) { return *this = *this - o; }
    AUREOLE_FN Pack& operator*=(Pack o) { return *this = *this * o; }
    AUREOLE_FN friend Mask<T, N> operator<(Pack a, Pack b) { return {a.lo < b.lo, a.hi < b.hi}; }
    AUREOLE_FN friend Pack fma(Pack a, Pack b, Pack c) {
        return {fma(a.lo, b.lo, c.lo), fma(a.hi, b.hi, c.hi)};
    }
    AUREOLE_FN friend Pack fms(Pack a, Pack b, Pack c) {
        return {fms(a.lo, b.lo, c.lo), fms(a.hi, b.hi, c.hi)};
    }
    AUREOLE_FN friend Pack fnma(Pack a, Pack b, Pack c) {
        return {fnma(a.lo, b.lo, c.lo), fnma(a.hi, b.hi, c.hi)};
    }
    AUREOLE_FN friend Pack select(Mask<T, N> m, Pack a, Pack b) {
        return {select(m.lo, a.lo, b.lo), select(m.hi, a.hi, b.hi)};
    }
    AUREOLE_FN friend Pack zero_unless(Mask<T, N> m, Pack a) {
        return {zero_unless(m.lo, a.lo), zero_unless(m.hi, a.hi)};
    }
    AUREOLE_FN friend Pack min(Pack a, Pack b) { return {min(a.lo, b.lo), min(a.hi, b.hi)}; }
    AUREOLE_FN friend Pack max(Pack a, Pack b) { return {max(a.lo, b.lo), max(a.hi, b.hi)}; }
    AUREOLE_FN friend Pack abs(Pack a) { return {abs(a.lo), abs(a.hi)}; }
    AUREOLE_FN friend Pack sqrt(Pack a) { return {sqrt(a.lo), sqrt(a.hi)}; }
    AUREOLE_FN friend Pack rint(Pack a) { return {rint(a.lo), rint(a.hi)}; }
    AUREOLE_FN friend Pack recip(Pack a) { return {recip(a.lo), recip(a.hi)}; }
    AUREOLE_FN friend Pack rsqrt(Pack a) { return {rsqrt(a.lo), rsqrt(a.hi)}; }
    AUREOLE_FN friend T sum(Pack a) { return sum(a.lo) + sum(a.hi); }
};

/// The lower and the upper half of a pack.
template <class T, int N>
AUREOLE_FN Pack<T, N / 2> lower(Pack<T, N> a) {
    if constexpr (fits_register<T, N>) {
        return Pack<T, N / 2>(hn::LowerHalf(hn::FixedTag<T, N / 2>{}, a.v));
    } else {
        return a.lo;
    }
}
template <class T, int N>
AUREOLE_FN Pack<T, N / 2> upper(Pack<T, N> a) {
#if HWY_TARGET != HWY_SCALAR
    if constexpr (fits_register<T, N>)
        return Pack<T, N / 2>(hn::UpperHalf(hn::FixedTag<T, N / 2>{}, a.v));
#endif
    if constexpr (!fits_register<T, N>) return a.hi;
}

/// Sum of the groups of four: lane k of the result adds lanes k, k+4, k+8, …
template <class T, int N>
AUREOLE_FN Pack<T, 4> sum4(Pack<T, N> a) {
    if constexpr (N == 4)
        return a;
    else
        return sum4(lower(a) + upper(a));
}

/// Sums of the halves of a, then of the halves of b.
template <class T>
AUREOLE_FN Pack<T, 8> sum_halves(Pack<T, 8> a, Pack<T, 8> b) {
#if HWY_TARGET != HWY_SCALAR
    if constexpr (fits_register<T, 8>) {
        const hn::FixedTag<T, 8> d;
        return Pack<T, 8>(
            hn::Add(hn::ConcatLowerLower(d, b.v, a.v), hn::ConcatUpperUpper(d, b.v, a.v)));
    }
#endif
    if constexpr (!fits_register<T, 8>) return {lower(a) + upper(a), lower(b) + upper(b)};
}

/// Sums of each group of four neighbouring lanes.
template <class T>
AUREOLE_FN Pack<T, 4> row_sums(Pack<T, 16> v) {
#if HWY_TARGET != HWY_SCALAR
    if constexpr (fits_register<T, 4>) {
        const hn::FixedTag<T, 4> d;
        const auto pair = [&](Pack<T, 8> two) {
            const auto a = lower(two).v, b = upper(two).v;
            return hn::Add(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b));
        };
        const auto s = pair(lower(v)), t = pair(upper(v));
        return Pack<T, 4>(hn::Add(hn::ConcatLowerLower(d, t, s), hn::ConcatUpperUpper(d, t, s)));
    }
#endif
    alignas(64) T lanes[16], sums[4];
    v.store(lanes);
    for (int i = 0; i < 4; ++i)
        sums[i] = (lanes[4 * i] + lanes[4 * i + 1]) + (lanes[4 * i + 2] + lanes[4 * i + 3]);
    return Pack<T, 4>::load(sums);
}

/// The lanes of one pack followed by those of another.
template <class T, int N>
AUREOLE_FN Pack<T, 2 * N> join(Pack<T, N> low, Pack<T, N> high) {
    if constexpr (fits_register<T, 2 * N>) {
#if HWY_TARGET != HWY_SCALAR
        return Pack<T, 2 * N>(hn::Combine(hn::FixedTag<T, 2 * N>{}, high.v, low.v));
#endif
    } else {
        return {low, high};
    }
}

/// Writes the lanes whose bits are set one after the other, and returns how many they are. Up to N
/// numbers behind them may change.
template <class T, int N>
AUREOLE_FN int store_chosen(Pack<T, N> a, std::uint32_t chosen, T* to) {
#if HWY_TARGET != HWY_SCALAR
    if constexpr (fits_register<T, N>) {
        // Some processors compress into memory in microcode.
        const hn::FixedTag<T, N> tag;
        hn::StoreU(hn::Compress(a.v, Mask<T, N>::from_bits(chosen).m), tag, to);
        return __builtin_popcount(chosen);
    }
#endif
    alignas(64) T lanes[N];
    a.store(lanes);
    int n = 0;
    for (; chosen != 0; chosen &= chosen - 1) to[n++] = lanes[__builtin_ctz(chosen)];
    return n;
}

/// Writes x₀ y₀ z₀ x₁ y₁ z₁ …
template <class T>
AUREOLE_FN void store_interleaved(Pack<T, 4> x, Pack<T, 4> y, Pack<T, 4> z, T* to) {
#if HWY_TARGET != HWY_SCALAR
    if constexpr (fits_register<T, 4>)
        return hn::StoreInterleaved3(x.v, y.v, z.v, hn::FixedTag<T, 4>{}, to);
#endif
    alignas(64) T rows[12];
    x.store(rows), y.store(rows + 4), z.store(rows + 8);
    for (int k = 0; k < 12; ++k) to[k] = rows[4 * (k % 3) + k / 3];
}
/// Reads what store_interleaved() writes.
template <class T>
AUREOLE_FN void load_interleaved(const T* from, Pack<T, 4>& x, Pack<T, 4>& y, Pack<T, 4>& z) {
#if HWY_TARGET != HWY_SCALAR
    if constexpr (fits_register<T, 4>)
        return hn::LoadInterleaved3(hn::FixedTag<T, 4>{}, from, x.v, y.v, z.v);
#endif
    alignas(64) T rows[12];
    for (int k = 0; k < 12; ++k) rows[4 * (k % 3) + k / 3] = from[k];
    x = Pack<T, 4>::load(rows), y = Pack<T, 4>::load(rows + 4), z = Pack<T, 4>::load(rows + 8);
}

/// Four numbers in double precision.
template <class T, int N = 4>
AUREOLE_FN Pack<double, N> to_doubles(const T* p) {
    if constexpr (sizeof(T) == 8) {
        return Pack<double, N>::load(p);
    } else if constexpr (fits_register<double, N>) {
        return Pack<double, N>(
            hn::PromoteTo(hn::FixedTag<double, N>{}, hn::Load(hn::FixedTag<T, N>{}, p)));
    } else {
        alignas(32) const double d[N] = {p[0], p[1], p[2], p[3]};
        return Pack<double, N>::load(d);
    }
}
/// Four doubles in the precision of where they go.
template <class T, int N>
AUREOLE_FN void store_rounded(Pack<double, N> a, T* to) {
    if constexpr (sizeof(T) == 8) {
        a.store(to);
    } else if constexpr (fits_register<double, N>) {
        const hn::FixedTag<T, N> tag;
        hn::Store(hn::DemoteTo(tag, a.v), tag, to);
    } else {
        alignas(32) double d[N];
        a.store(d);
        for (int k = 0; k < N; ++k) to[k] = static_cast<T>(d[k]);
    }
}

/// Doubles in another precision.
template <class T, int N>
AUREOLE_FN Pack<T, N> rounded(Pack<double, N> a) {
    if constexpr (sizeof(T) == 8) {
        return a;
    } else if constexpr (fits_register<double, N>) {
        return Pack<T, N>(hn::DemoteTo(hn::FixedTag<T, N>{}, a.v));
    } else {
        return join(rounded<T>(a.lo), rounded<T>(a.hi));
    }
}

/// Lane k reads table[stride index[k]]; put together in registers, where Pack::gather goes by way
/// of memory and waits for it.
template <class T, int N>
AUREOLE_FN Pack<T, N> pick(const T* table, const std::int32_t* index, std::int64_t stride = 1) {
    if constexpr (N == 1) {
        return Pack<T, 1>(table[stride * index[0]]);
    } else {
        return join(pick<T, N / 2>(table, index, stride),
                    pick<T, N / 2>(table, index + N / 2, stride));
    }
}

// Sixteen lanes as a square: lane 4 i + j is row i, column j. A block of sixteen numbers holds four
// groups of four, x₄ y₄ z₄ s₄.

#if HWY_TARGET <= HWY_AVX3 && HWY_TARGET != HWY_SCALAR && HWY_ARCH_X86
#define AUREOLE_SQUARE_REGISTERS 1
#else
#define AUREOLE_SQUARE_REGISTERS 0
#endif

/// Sums over the rows of three squares, as a block: Σx₄ Σy₄ Σz₄ 0.
template <class T>
AUREOLE_FN Pack<T, 16> sums_over_rows(Pack<T, 16> x, Pack<T, 16> y, Pack<T, 16> z) {
#if AUREOLE_SQUARE_REGISTERS
    if constexpr (fits_register<T, 16>) {
        constexpr int swap_halves = _MM_SHUFFLE(1, 0, 3, 2), even = _MM_SHUFFLE(2, 0, 2, 0),
                      odd = _MM_SHUFFLE(3, 1, 3, 1);
        const __m512 xy = _mm512_add_ps(_mm512_mask_blend_ps(0xFF00, x.v.raw, y.v.raw),
                                        _mm512_shuffle_f32x4(x.v.raw, y.v.raw, swap_halves));
        const __m512 zz = _mm512_zextps256_ps512(
            _mm256_add_ps(_mm512_castps512_ps256(z.v.raw), _mm512_extractf32x8_ps(z.v.raw, 1)));
        return Pack<T, 16>(hn::Vec<hn::FixedTag<T, 16>>{
            _mm512_add_ps(_mm512_shuffle_f32x4(xy, zz, even), _mm512_shuffle_f32x4(xy, zz, odd))});
    }
#endif
    return join(sum_halves(lower(x) + upper(x), lower(y) + upper(y)),
                join(sum4(z), Pack<T, 4>(T(0))));
}

/// Sums over the columns of three squares, as a block.
template <class T>
AUREOLE_FN Pack<T, 16> sums_over_columns(Pack<T, 16> x, Pack<T, 16> y, Pack<T, 16> z) {
#if AUREOLE_SQUARE_REGISTERS
    if constexpr (fits_register<T, 16>) {
        const __m512 none = _mm512_setzero_ps();
        // rows of x₀₂ y₀₂ x₁₃ y₁₃ and z₀₂ 0 z₁₃ 0, then of x y z 0
        const __m512 xy = _mm512_add_ps(_mm512_unpacklo_ps(x.v.raw, y.v.raw),
                                        _mm512_unpackhi_ps(x.v.raw, y.v.raw));
        const __m512 zz =
            _mm512_add_ps(_mm512_unpacklo_ps(z.v.raw, none), _mm512_unpackhi_ps(z.v.raw, none));
        const __m512 rows = _mm512_add_ps(_mm512_shuffle_ps(xy, zz, _MM_SHUFFLE(1, 0, 1, 0)),
                                          _mm512_shuffle_ps(xy, zz, _MM_SHUFFLE(3, 2, 3, 2)));
        const __m512i transposed =
            _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
        return Pack<T, 16>(hn::Vec<hn::FixedTag<T, 16>>{_mm512_permutexvar_ps(transposed, rows)});
    }
#endif
    return join(join(row_sums(x), row_sums(y)), join(row_sums(z), Pack<T, 4>(T(0))));
}

/// Squares whose row i is filled with the i-th number of a block's x, y and z.
template <class T>
AUREOLE_FN void spread_rows(Pack<T, 16> block, Pack<T, 16>& x, Pack<T, 16>& y, Pack<T, 16>& z) {
#if AUREOLE_SQUARE_REGISTERS
    if constexpr (fits_register<T, 16>) {
        const __m512i first = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
        const auto group = [&](int k) {
            const __m512i lanes = _mm512_add_epi32(first, _mm512_set1_epi32(4 * k));
            return Pack<T, 16>(
                hn::Vec<hn::FixedTag<T, 16>>{_mm512_permutexvar_ps(lanes, block.v.raw)});
        };
        x = group(0), y = group(1), z = group(2);
        return;
    }
#endif
    alignas(64) T lanes[16];
    block.store(lanes);
    x = Pack<T, 16>::spread4(lanes), y = Pack<T, 16>::spread4(lanes + 4);
    z = Pack<T, 16>::spread4(lanes + 8);
}

/// The block x x x x y y y y z z z z 0 0 0 0.
template <class T>
AUREOLE_FN Pack<T, 16> block_of(T x, T y, T z) {
    return join(join(Pack<T, 4>(x), Pack<T, 4>(y)), join(Pack<T, 4>(z), Pack<T, 4>(T(0))));
}

}  // namespace HWY_NAMESPACE
}  // namespace aureole::core
