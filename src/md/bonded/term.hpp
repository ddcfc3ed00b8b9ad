// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

#include "core/vec3.hpp"
#include "md/leaf/leaf.hpp"

// What a bonded term's leaf file is made of (docs/howto/add-a-bonded-term.md).
namespace aureole::md {

using core::Vec3;

/// Position of one map (CMAP) in the table of all.
struct MapEntry {
    std::int64_t offset = 0;
    int size = 0;  ///< nodes along each angle
};

/// Constants that coefficients are derived from, besides a row of parameters.
struct TermConstants {
    double coulomb = 1;  ///< energy × length of two unit charges
    std::span<const MapEntry> maps;
};

/// Tables that some terms read.
template <class T>
struct TermTables {
    const T* maps = nullptr;
};

/// A difference x[first] − x[second] of a term's particles that its energy depends on; if
/// `second` is `anchor`, the difference of a particle and a fixed point, the leaf's last three
/// coefficients.
struct Link {
    int first, second;
};
inline constexpr int anchor = -1;

/// float or double, of which an R is made.
template <class R, class = void>
struct NumberOf {
    using type = R;
};
template <class R>
struct NumberOf<R, std::void_t<typename R::value_type>> {
    using type = typename R::value_type;
};
template <class R>
using number_of = typename NumberOf<R>::type;

/// Leaves may derive coefficients from parameters and constants; otherwise these are the
/// parameters.
template <class P>
constexpr auto derive_term(const std::array<double, parameter_count<P>>& parameters,
                           const TermConstants& constants) {
    if constexpr (requires { P::coefficients(parameters, constants); }) {
        return P::coefficients(parameters, constants);
    } else {
        return parameters;
    }
}
template <class P>
inline constexpr std::size_t term_coefficients =
    std::tuple_size_v<decltype(derive_term<P>({}, TermConstants{}))>;

template <class P, class R>
using TermCoefficients = Coefficients<R, term_coefficients<P>>;

/// dU/dx from the leaf, or by differentiating its energy; `x` with slopes is `D`'s.
template <class P, class R, class X, class D>
AUREOLE_FN R slope_of(const X& x, const D& x_with_slope, const TermCoefficients<P, R>& c) {
    if constexpr (requires { P::slope(x, c); }) {
        return P::slope(x, c);
    } else {
        TermCoefficients<P, core::Dual<R>> constants;
        for (std::size_t k = 0; k < c.size(); ++k) constants[k] = core::Dual<R>(c[k]);
        return P::energy(x_with_slope, constants).slope;
    }
}
template <class P, class R>
AUREOLE_FN R slope_of(R x, const TermCoefficients<P, R>& c) {
    return slope_of<P, R>(x, core::Dual<R>(x, R(1)), c);
}

/// A leaf declares the variable of its energy, or defines its own: links and evaluate().
template <class P>
struct ShapeOf {
    using type = P;
};
template <class P>
requires requires { typename P::variable; }
struct ShapeOf<P> {
    using type = typename P::variable;
};
template <class P>
using shape_of = typename ShapeOf<P>::type;

template <class P>
constexpr int particle_count() {
    int most = 0;
    for (int l = 0; l < shape_of<P>::links; ++l) {
        const Link link = shape_of<P>::link(l);
        if (link.first > most) most = link.first;
        if (link.second > most) most = link.second;
    }
    return most + 1;
}
template <class P>
inline constexpr int link_count = shape_of<P>::links;

template <class P>
constexpr bool is_anchored() {
    return shape_of<P>::link(0).second == anchor;
}

/// Energy of a term with the differences `d`, and the force on the first particle of each link;
/// the second particle gets the opposite force.
template <class P, class R>
AUREOLE_FN R evaluate_term(const Vec3<R>* d, const TermCoefficients<P, R>& c,
                           const TermTables<number_of<R>>& tables, Vec3<R>* force) {
    if constexpr (requires { typename P::variable; }) {
        return P::variable::template evaluate<P, R>(d, c, force);
    } else {
        return P::evaluate(d, c, tables, force);
    }
}

}  // namespace aureole::md
