// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/integrate/constraints/settle.kernel.hpp"

// LINCS for coupled constraints of any shape (Hess et al., J. Comput. Chem. 18, 1463 (1997)), over
// regions that overlap as those of P-LINCS do (Hess, J. Chem. Theory Comput. 4, 116 (2008)):
// quantities that a region needs but does not own are computed redundantly, so that threads need
// not wait for each other.
namespace aureole::md {

/// A team of one, for kernels whose lanes are those of packs.
struct Solo {
    AUREOLE_FN int rank() const { return 0; }
    AUREOLE_FN int size() const { return 1; }
    AUREOLE_FN void sync() const {}
};

/// The solver of one region; its steps are separated by sync() of the team.
template <class R, class Team>
class RegionSolver {
  public:
    using L = Lanes<R>;

    AUREOLE_FN RegionSolver(const RegionTables& tables, const ConstraintPass& pass,
                            std::int64_t region, const Team& team)
        : t_(tables),
          p_(pass),
          image_(pass.image()),
          g_(tables.region[region]),
          team_(team),
          first_(tables.region[region].first_constraint),
          atom_(tables.region[region].first_atom) {}

    AUREOLE_FN void solve(PassSums<R>& sums) {
        each_constraint([&](std::int64_t c) { set_up(c); });
        each_atom([&](std::int64_t a) {
            for (int k = 0; k < 3; ++k) L::store(displacement(k) + a, R(0.0));
        });
        team_.sync();
        each_constraint([&](std::int64_t c) { couple(c); });
        for (int solution = p_.refines ? 1 : 0; solution < p_.solutions; ++solution) {
            each_constraint([&](std::int64_t c) { ask(c, solution, sums); });
            team_.sync();
            expand();
            each_constraint([&](std::int64_t c) { push(c); });
            team_.sync();
            each_atom([&](std::int64_t a) { displace(a); });
            team_.sync();
        }
        if (p_.want_sums) each_constraint([&](std::int64_t c) { add_virial(c, sums); });
    }

  private:
    enum Row {  // of the working memory of constraints
        dx,
        dy,
        dz,  // direction
        mx,
        my,
        mz,  // moved separation
        old_length,
        term,
        next_term,  // of the expansion
        sum,
        total,  // multiplier
        px,
        py,
        pz  // last multiplier times direction
    };

    template <class F>
    AUREOLE_FN void each(std::int32_t n, F f) const {
        for (std::int64_t i = std::int64_t(team_.rank()) * L::size; i < n;
             i += std::int64_t(team_.size()) * L::size)
            f(i);
    }
    template <class F>
    AUREOLE_FN void each_constraint(F f) const {
        each(g_.constraints, f);
    }
    template <class F>
    AUREOLE_FN void each_atom(F f) const {
        each(g_.atoms, f);
    }
    AUREOLE_FN double* row(int k) const {
        return t_.of_constraints + k * t_.all_constraints + first_;
    }
    AUREOLE_FN R get(int k, std::int64_t c) const { return L::load(row(k) + c); }
    AUREOLE_FN void set(int k, std::int64_t c, R a) const { L::store(row(k) + c, a); }
    AUREOLE_FN Three<R> get3(int k, std::int64_t c) const {
        return {get(k, c), get(k + 1, c), get(k + 2, c)};
    }
    AUREOLE_FN void set3(int k, std::int64_t c, const Three<R>& a) const {
        set(k, c, a.x), set(k + 1, c, a.y), set(k + 2, c, a.z);
    }
    AUREOLE_FN double* displacement(int k) const { return t_.of_atoms + k * t_.all_atoms + atom_; }
    AUREOLE_FN Three<R> displacements(const std::int32_t* atoms) const {
        return {L::pick(displacement(0), atoms), L::pick(displacement(1), atoms),
                L::pick(displacement(2), atoms)};
    }
    AUREOLE_FN R scale(std::int64_t c) const { return L::load(t_.scale + first_ + c); }
    AUREOLE_FN bool of_velocities() const { return p_.position == nullptr; }

    /// Directions, and the separations to be corrected.
    AUREOLE_FN void set_up(std::int64_t c) const {
        const std::int32_t *const a = t_.index_a + first_ + c, *const b = t_.index_b + first_ + c;
        auto d = L::rows(p_.reference, a) - L::rows(p_.reference, b);
        const auto shift = image_.of(d);
        d = d - shift;
        const R length = L::root(dot(d, d));
        set(old_length, c, length);
        set3(dx, c, (R(1.0) / length) * d);
        if (of_velocities())
            set3(mx, c, L::rows(p_.velocity, a) - L::rows(p_.velocity, b));
        else
            set3(mx, c, L::rows(p_.position, a) - L::rows(p_.position, b) - shift);
        set(total, c, R(0.0));
    }

    /// The matrix A of (1 − A)⁻¹ = 1 + A + A² + …
    AUREOLE_FN void couple(std::int64_t c) const {
        const auto mine = get3(dx, c);
        for (int k = 0; k < g_.couplings; ++k) {
            const std::int64_t i = coupling_index(k, c);
            const std::int32_t* other = t_.coupled + i;
            const Three<R> its{L::pick(row(dx), other), L::pick(row(dy), other),
                               L::pick(row(dz), other)};
            L::store(t_.of_couplings + i, L::load(t_.coupling + i) * dot(mine, its));
        }
    }
    AUREOLE_FN std::int64_t coupling_index(int k, std::int64_t c) const {
        return g_.first_coupling + std::int64_t(k) * g_.constraints + c;
    }

    /// The violation of a constraint along its direction.
    AUREOLE_FN void ask(std::int64_t c, int solution, PassSums<R>& sums) const {
        const auto direction = get3(dx, c);
        auto now = get3(mx, c);
        if (solution > 0)
            now = now + displacements(t_.a + first_ + c) - displacements(t_.b + first_ + c);
        R q = dot(direction, now);
        if (!of_velocities()) {
            const R length = L::load(t_.length + first_ + c);
            if (solution == 0) {
                q = q - length;
            } else {  // as for small groups
                const R d2 = length * length, across = dot(now, now) - q * q;
                if (solution == 1 && p_.want_sums && !p_.refines)
                    sums.stretch = L::larger(
                        sums.stretch, L::load(t_.weight + first_ + c) * (across + q * q) / d2);
                q = q - L::root(L::larger(d2 - across, R(0.0)));
            }
        }
        q = scale(c) * q;
        set(term, c, q), set(sum, c, q);
    }

    AUREOLE_FN void expand() const {
        int from = term, to = next_term;
        for (int k = 0; k < g_.order; ++k) {
            each_constraint([&](std::int64_t c) {
                R a(0.0);
                for (int j = 0; j < g_.couplings; ++j) {
                    const std::int64_t i = coupling_index(j, c);
                    a = a + L::load(t_.of_couplings + i) * L::pick(row(from), t_.coupled + i);
                }
                set(to, c, a);
                set(sum, c, get(sum, c) + a);
            });
            team_.sync();
            const int swapped = from;
            from = to, to = swapped;
        }
    }

    AUREOLE_FN void push(std::int64_t c) const {
        const R multiplier = scale(c) * get(sum, c);
        set(total, c, get(total, c) + multiplier);
        set3(px, c, multiplier * get3(dx, c));
    }

    /// Each atom sums over its constraints, so that no two lanes add to one atom.
    AUREOLE_FN void displace(std::int64_t a) const {
        R x = L::load(displacement(0) + a), y = L::load(displacement(1) + a),
          z = L::load(displacement(2) + a);
        for (int k = 0; k < g_.bonds; ++k) {
            const std::int64_t i = g_.first_bond + std::int64_t(k) * g_.atoms + a;
            const R pull = L::load(t_.pull + i);
            x = x - pull * L::pick(row(px), t_.bond + i);
            y = y - pull * L::pick(row(py), t_.bond + i);
            z = z - pull * L::pick(row(pz), t_.bond + i);
        }
        L::store(displacement(0) + a, x), L::store(displacement(1) + a, y);
        L::store(displacement(2) + a, z);
    }

    AUREOLE_FN void add_virial(std::int64_t c, PassSums<R>& sums) const {
        const R s = R(-p_.force_factor()) * L::load(t_.weight + first_ + c);
        const auto direction = get3(dx, c);
        sums.add(s * get(total, c) * get(old_length, c), direction, direction);
    }

    const RegionTables& t_;
    const ConstraintPass& p_;
    const ImageShift image_;
    const Region g_;
    const Team& team_;
    std::int64_t first_, atom_;
};

/// Writes the corrections of the atoms that a region owns.
template <class Team>
AUREOLE_FN void finish_region(const RegionTables& t, const ConstraintPass& p, std::int64_t region,
                              const Team& team) {
    const Region g = t.region[region];
    const double* x = t.of_atoms + g.first_atom;
    const double* y = x + t.all_atoms;
    const double* z = y + t.all_atoms;
    for (std::int32_t a = team.rank(); a < g.owned; a += team.size()) {
        const std::int32_t i = t.atom[g.first_atom + a];
        const core::Vec3d by{x[a], y[a], z[a]};
        if (p.position == nullptr) {
            p.velocity[i] += by;
            continue;
        }
        p.position[i] += by;
        if (p.velocity != nullptr) p.velocity[i] += p.inverse_dt * by;
    }
}

}  // namespace aureole::md
