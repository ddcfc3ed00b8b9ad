// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/integrate/constraints/settle.kernel.hpp"

// Small groups: the constraints of each are solved together, exactly. The linear problem is that of
// LINCS (Hess et al., J. Comput. Chem. 18, 1463 (1997)), with its matrix factorised instead of
// expanded.
namespace aureole::md {

/// B M⁻¹ Bᵀ of a group, as L D Lᵀ; B holds the directions of the constraints.
template <class R, class Shape>
struct GroupMatrix {
    static constexpr int n = Shape::constraints;
    R lower[n][n], inverse[n];

    AUREOLE_FN GroupMatrix(const Three<R>* direction, const R* inv_mass) {
        R diagonal[n];
        for (int j = 0; j < n; ++j) {
            diagonal[j] = inv_mass[Shape::first(j)] + inv_mass[Shape::second(j)];
            for (int k = 0; k < j; ++k)
                diagonal[j] = diagonal[j] - lower[j][k] * lower[j][k] * diagonal[k];
            inverse[j] = R(1.0) / diagonal[j];
            for (int i = j + 1; i < n; ++i) {
                R a = coupling(i, j, inv_mass) * dot(direction[i], direction[j]);
                for (int k = 0; k < j; ++k) a = a - lower[i][k] * lower[j][k] * diagonal[k];
                lower[i][j] = a * inverse[j];
            }
        }
    }

    /// x ← (B M⁻¹ Bᵀ)⁻¹ x
    AUREOLE_FN void solve(R* x) const {
        for (int i = 1; i < n; ++i)
            for (int k = 0; k < i; ++k) x[i] = x[i] - lower[i][k] * x[k];
        for (int i = 0; i < n; ++i) x[i] = x[i] * inverse[i];
        for (int i = n - 2; i >= 0; --i)
            for (int k = i + 1; k < n; ++k) x[i] = x[i] - lower[k][i] * x[k];
    }

  private:
    /// ± 1/m of the atom that two constraints share, or 0.
    AUREOLE_FN static R coupling(int i, int j, const R* inv_mass) {
        if (Shape::first(i) == Shape::first(j)) return inv_mass[Shape::first(i)];
        if (Shape::second(i) == Shape::second(j)) return inv_mass[Shape::second(i)];
        if (Shape::first(i) == Shape::second(j)) return R(0.0) - inv_mass[Shape::first(i)];
        if (Shape::second(i) == Shape::first(j)) return R(0.0) - inv_mass[Shape::second(i)];
        return R(0.0);
    }
};

/// A group's particles and directions, and what is done to them.
template <class R, class Shape>
struct GroupWork {
    using L = Lanes<R>;
    static constexpr int n = Shape::constraints, atoms = Shape::atoms;

    const std::int32_t* index[atoms];
    R inv_mass[atoms];
    Three<R> shift[atoms];  ///< lattice vectors to the image next to the first atom
    Three<R> direction[n];  ///< of the constraints, old
    R old_length[n];
    R total[n];  ///< multipliers

    AUREOLE_FN void load(const std::int32_t* atom, const ConstraintPass& p) {
        const auto image = p.image();
        Three<R> r[atoms];
        for (int k = 0; k < atoms; ++k) {
            index[k] = atom + k * pack_lanes;
            r[k] = L::rows(p.reference, index[k]);
            if (k == 0) continue;
            shift[k] = image.of(r[k] - r[0]);
            r[k] = r[k] - shift[k];
        }
        shift[0] = {R(0.0), R(0.0), R(0.0)};
        for (int c = 0; c < n; ++c) {
            const auto d = r[Shape::first(c)] - r[Shape::second(c)];
            old_length[c] = L::root(dot(d, d));
            direction[c] = (R(1.0) / old_length[c]) * d;
            total[c] = R(0.0);
        }
    }
    AUREOLE_FN GroupMatrix<R, Shape> matrix() const { return {direction, inv_mass}; }

    /// Correction of a particle by the multipliers.
    AUREOLE_FN Three<R> correction(int k) const {
        Three<R> sum{R(0.0), R(0.0), R(0.0)};
        for (int c = 0; c < n; ++c) {
            if (Shape::first(c) == k) sum = sum - total[c] * direction[c];
            if (Shape::second(c) == k) sum = sum + total[c] * direction[c];
        }
        return inv_mass[k] * sum;
    }
    AUREOLE_FN void add_virial(const ConstraintPass& p, int count, PassSums<R>& sums) const {
        const R factor = L::first(R(-p.force_factor()), count);
        for (int c = 0; c < n; ++c)
            sums.add(factor * total[c] * old_length[c], direction[c], direction[c]);
    }
};

/// Corrects the positions, and velocities where asked, of a pack of groups.
template <class R, class Shape>
AUREOLE_FN void group_move(const GroupTables& t, const ConstraintPass& p, PackSlot at,
                           PassSums<R>& sums) {
    using L = Lanes<R>;
    constexpr int n = Shape::constraints, atoms = Shape::atoms;
    GroupWork<R, Shape> work;
    work.load(t.atom + pack_index(at.pack, atoms, 0) + at.lane, p);
    Three<R> x[atoms], moved[n];
    R length[n], ask[n];
    for (int k = 0; k < atoms; ++k) {
        work.inv_mass[k] = L::load(t.inv_mass + pack_index(at.pack, atoms, k) + at.lane);
        x[k] = L::rows(p.position, work.index[k]);
    }
    const auto matrix = work.matrix();
    for (int c = 0; c < n; ++c) {
        const int a = Shape::first(c), b = Shape::second(c);
        length[c] = L::load(t.length + pack_index(at.pack, n, c) + at.lane);
        moved[c] = (x[a] - work.shift[a]) - (x[b] - work.shift[b]);
        ask[c] = dot(work.direction[c], moved[c]) - length[c];
    }
    if (!p.refines) {
        matrix.solve(ask);
        for (int c = 0; c < n; ++c) work.total[c] = ask[c];
    }
    for (int pass = 1; pass < p.solutions; ++pass) {
        // A bond of the right projection is too long by what it turned: its projection q must
        // become that of a bond with the same part across (eq. 12 of the paper, with q for d).
        for (int c = 0; c < n; ++c) {
            const auto now =
                moved[c] + work.correction(Shape::first(c)) - work.correction(Shape::second(c));
            const R q = dot(work.direction[c], now), d2 = length[c] * length[c];
            const R across = dot(now, now) - q * q;
            if (pass == 1 && p.want_sums && !p.refines)
                sums.stretch = L::larger(sums.stretch, (across + q * q) / d2);
            ask[c] = q - L::root(L::larger(d2 - across, R(0.0)));
        }
        matrix.solve(ask);
        for (int c = 0; c < n; ++c) work.total[c] = work.total[c] + ask[c];
    }
    const R rate(p.inverse_dt);
    for (int k = 0; k < atoms; ++k) {
        const auto by = work.correction(k);
        L::put(p.position, work.index[k], x[k] + by);
        if (p.velocity != nullptr)
            L::put(p.velocity, work.index[k], L::rows(p.velocity, work.index[k]) + rate * by);
    }
    if (p.want_sums) work.add_virial(p, at.count, sums);
}

/// Takes off the velocities along the constraints of a group.
template <class R, class Shape>
AUREOLE_FN void stop_along(GroupWork<R, Shape>& work, const ConstraintPass& p, int count,
                           PassSums<R>& sums) {
    using L = Lanes<R>;
    Three<R> v[Shape::atoms];
    for (int k = 0; k < Shape::atoms; ++k) v[k] = L::rows(p.velocity, work.index[k]);
    for (int c = 0; c < Shape::constraints; ++c)
        work.total[c] = dot(work.direction[c], v[Shape::first(c)] - v[Shape::second(c)]);
    work.matrix().solve(work.total);
    for (int k = 0; k < Shape::atoms; ++k)
        L::put(p.velocity, work.index[k], v[k] + work.correction(k));
    if (p.want_sums) work.add_virial(p, count, sums);
}

template <class R, class Shape>
AUREOLE_FN void group_velocities(const GroupTables& t, const ConstraintPass& p, PackSlot at,
                                 PassSums<R>& sums) {
    constexpr int atoms = Shape::atoms;
    GroupWork<R, Shape> work;
    work.load(t.atom + pack_index(at.pack, atoms, 0) + at.lane, p);
    for (int k = 0; k < atoms; ++k)
        work.inv_mass[k] = Lanes<R>::load(t.inv_mass + pack_index(at.pack, atoms, k) + at.lane);
    stop_along(work, p, at.count, sums);
}

/// Takes off the velocities along the three constraints of rigid waters of one set of masses.
template <class R>
AUREOLE_FN void settle_velocities(const SettleTables& w, const ConstraintPass& p, PackSlot at,
                                  PassSums<R>& sums) {
    GroupWork<R, Triangle> work;
    work.load(w.atom + pack_index(at.pack, 3, 0) + at.lane, p);
    work.inv_mass[0] = R(1 / w.mass_o);
    work.inv_mass[1] = work.inv_mass[2] = R(1 / w.mass_h);
    stop_along(work, p, at.count, sums);
}

}  // namespace aureole::md
