// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/simd.hpp"

namespace aureole::core {
inline namespace HWY_NAMESPACE {

/// A function of one argument as cubics in 32 intervals of it, whose coefficients fill two
/// registers for each power: lane k's are picked by the interval of lane k, without a way through
/// memory.
template <class P>
struct Cubics {
    static constexpr bool any = false;
};

#if AUREOLE_SQUARE_REGISTERS
template <class T>
requires(fits_register<T, 16>) struct Cubics<Pack<T, 16>> {
    static constexpr bool any = true;
    static constexpr int terms = 4, intervals = 32;
    using P = Pack<T, 16>;

    P low[terms], high[terms], scale;

    Cubics() = default;
    /// `of` is [terms][intervals], of powers of x scale − k, which is within ±1/2 in interval k.
    AUREOLE_FN Cubics(const T* of, T scale_) : scale(scale_) {
        for (int k = 0; k < terms; ++k)
            low[k] = P::load_unaligned(of + intervals * k),
            high[k] = P::load_unaligned(of + intervals * k + 16);
    }
    AUREOLE_FN P operator()(P x) const {
        const P magic(T(12582912));  // 1.5 2²³: what is added to it is rounded to a whole number
        const P rounded = fma(x, scale, magic), d = fms(x, scale, rounded - magic);
        const __m512i interval = _mm512_castps_si512(rounded.v.raw);
        const auto term = [&](int k) {
            return P(hn::Vec<hn::FixedTag<T, 16>>{
                _mm512_permutex2var_ps(low[k].v.raw, interval, high[k].v.raw)});
        };
        return fma(fma(fma(term(3), d, term(2)), d, term(1)), d, term(0));
    }
};
template <class T>
requires(fits_register<T, 16>) struct Cubics<Pack<T, 32>> : Cubics<Pack<T, 16>> {
    using Cubics<Pack<T, 16>>::Cubics;
    AUREOLE_FN Pack<T, 32> operator()(const Pack<T, 32>& x) const {
        const Cubics<Pack<T, 16>>& half = *this;
        return {half(x.lo), half(x.hi)};
    }
};
#endif

}  // namespace HWY_NAMESPACE
}  // namespace aureole::core
