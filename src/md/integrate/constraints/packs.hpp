// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/simd_rows.hpp"
#include "md/integrate/constraints/numbers.hpp"

namespace aureole::md {

/// Packs as numbers.
template <int N>
struct Lanes<core::Pack<double, N>> {
    using R = core::Pack<double, N>;
    static constexpr int size = N;

    AUREOLE_FN static R load(const double* p) { return R::load(p); }
    AUREOLE_FN static void store(double* p, R a) { a.store(p); }
    AUREOLE_FN static R pick(const double* table, const std::int32_t* index) {
        return core::gather_numbers<N>(table, index);
    }
    AUREOLE_FN static Three<R> rows(const core::Vec3d* table, const std::int32_t* row) {
        Three<R> r;
        core::gather_rows<N>(&table->x, row, r.x, r.y, r.z);
        return r;
    }
    AUREOLE_FN static void put(core::Vec3d* table, const std::int32_t* row, const Three<R>& r) {
        core::scatter_rows<N>(&table->x, row, r.x, r.y, r.z);
    }
    AUREOLE_FN static R root(R a) { return sqrt(a); }
    AUREOLE_FN static R larger(R a, R b) { return max(a, b); }
    AUREOLE_FN static R first(R a, int count) {
        return zero_unless(core::Mask<double, N>::from_bits((1u << count) - 1u), a);
    }
};

}  // namespace aureole::md
