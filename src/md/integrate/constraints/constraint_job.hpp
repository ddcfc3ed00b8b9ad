// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "md/box/of_box.hpp"
#include "md/integrate/constraints/numbers.hpp"

// Constraints as kernels read them. Molecules or groups of one kind lie in packs of eight: number
// `row` of each of a pack's eight groups side by side.
namespace aureole::md {

inline constexpr int pack_lanes = 8;

AUREOLE_FN constexpr std::int64_t pack_index(std::int64_t pack, int rows, int row) {
    return (pack * rows + row) * pack_lanes;
}

/// Results of a pass besides positions.
struct ConstraintSums {
    core::Sym3d virial{};  ///< Σ r ⊗ F of the forces of constraint [energy]
    double stretch = 0;    ///< largest (l/d)² of a bond moved along its old direction

    AUREOLE_FN friend ConstraintSums operator+(ConstraintSums a, const ConstraintSums& b) {
        a.virial += b.virial;
        a.stretch = a.stretch < b.stretch ? b.stretch : a.stretch;
        return a;
    }
    /// The largest angle by which a bond turned in the step [rad]. A correction along the old
    /// direction keeps the component across it, which is d times the sine of that angle once the
    /// bond has length d along the old direction. Rigid waters are not counted.
    double worst_rotation() const {
        const double sine2 = stretch - 1;
        return sine2 <= 0 ? 0 : std::asin(sine2 < 1 ? std::sqrt(sine2) : 1.0);
    }
};

/// One correction of positions, or (where `position` is null) of velocities.
struct ConstraintPass {
    OfBox<ImageShift> image;
    const core::Vec3d* reference;  ///< before the move; the directions of constraints
    core::Vec3d* position;
    core::Vec3d* velocity;  ///< null: not corrected
    double inverse_dt;
    int solutions;  ///< 1 + iterations
    bool want_sums;
    bool refines = false;  ///< positions come from such a correction, which was not good enough
    const double* off = nullptr;  ///< null, or the largest violation so far, in device memory,
    double tolerance = 0;         ///< up to which a refinement does nothing

    AUREOLE_FN bool superfluous() const { return off != nullptr && *off <= tolerance; }

    /// Factor from corrections to the forces of the virial.
    AUREOLE_FN double force_factor() const {
        return position != nullptr ? inverse_dt * inverse_dt : inverse_dt;
    }
};

/// Rigid water of one kind.
struct SettleTables {
    const std::int32_t* atom;   ///< [packs][3][8] local indices of oxygen and hydrogens
    const std::int32_t* count;  ///< [packs] molecules; what lies behind them repeats the last one
    std::int64_t packs;
    double mass_o, mass_h;
    double d_oh, d_hh;
    double to_o, to_h, half_hh;  ///< from the centre of mass: oxygen, middle of hydrogens; d_hh/2
};

/// Groups of one shape.
struct GroupTables {
    const std::int32_t* atom;   ///< [packs][atoms][8]
    const double* inv_mass;     ///< [packs][atoms][8]
    const double* length;       ///< [packs][constraints][8]
    const std::int32_t* count;  ///< [packs]
    std::int64_t packs;
};

/// n constraints from one atom, the first of the group, to others.
template <int n>
struct Star {
    static constexpr int constraints = n, atoms = n + 1;
    static constexpr int first(int) { return 0; }
    static constexpr int second(int c) { return c + 1; }
};
struct Triangle {
    static constexpr int constraints = 3, atoms = 3;
    static constexpr int first(int c) { return c == 2 ? 1 : 0; }
    static constexpr int second(int c) { return c == 0 ? 1 : 2; }
};
struct Tetrahedron {
    static constexpr int constraints = 6, atoms = 4;
    static constexpr int first(int c) { return c < 3 ? 0 : c < 5 ? 1 : 2; }
    static constexpr int second(int c) { return c < 3 ? c + 1 : c == 3 ? 2 : 3; }
};

/// Shapes that are solved exactly, group by group: Star<1> to Star<4>, then rings.
inline constexpr int largest_star = 4, triangle_shape = largest_star,
                     tetrahedron_shape = triangle_shape + 1, shape_count = 6;
template <class Shape>
inline constexpr int shape_number = Shape::constraints - 1;
template <>
inline constexpr int shape_number<Triangle> = triangle_shape;
template <>
inline constexpr int shape_number<Tetrahedron> = tetrahedron_shape;

/// A part of the coupled constraints that one thread or team solves by itself: atoms that it owns
/// (the first ones) and, where a molecule is cut, so many constraints around them that their
/// corrections come out as if all were there. Counts are multiples of 8.
struct Region {
    std::int32_t atoms, owned, constraints;
    std::int32_t couplings;  ///< most couplings of a constraint
    std::int32_t bonds;      ///< most constraints of an atom
    std::int32_t order;      ///< of the expansion
    std::int64_t first_atom, first_constraint, first_coupling, first_bond;
};

struct RegionTables {
    const Region* region;
    std::int64_t regions;
    const std::int32_t* atom;  ///< [atoms] local indices
    // [constraints]
    const std::int32_t *index_a, *index_b;  ///< local indices of the ends
    const std::int32_t *a, *b;              ///< their numbers in the region
    const double* length;
    const double* scale;   ///< (1/m_a + 1/m_b)^-½; 0 in fillers
    const double* weight;  ///< 1 where this region counts the constraint, else 0
    // [couplings][constraints], region by region
    const std::int32_t* coupled;  ///< number in the region
    const double* coupling;       ///< ∓ scale scale' / m of the common atom
    // [bonds][atoms], region by region
    const std::int32_t* bond;  ///< number in the region
    const double* pull;        ///< ± 1/m
    // working memory
    double* of_constraints;  ///< [constraint_rows][constraints]
    double* of_couplings;    ///< [couplings][constraints]
    double* of_atoms;        ///< [3][atoms] displacements
    std::int64_t all_constraints, all_atoms;
};

inline constexpr int constraint_rows = 14;

/// All constraints, for a processor.
struct ConstraintTables {
    const SettleTables* settle;
    int settles;
    GroupTables group[shape_count];
    RegionTables region;
    bool cut;  ///< whether a molecule lies in several regions, which must not write before all read
};

/// Partition `rank` of the work of a pass.
struct Partition {
    int rank, ranks;
    AUREOLE_FN std::int64_t begin(std::int64_t n) const { return n * rank / ranks; }
    AUREOLE_FN std::int64_t end(std::int64_t n) const { return n * (rank + 1) / ranks; }
};

using ConstraintKernel = ConstraintSums (*)(const ConstraintTables&, const ConstraintPass&,
                                            Partition);

/// Kernels of one instruction set.
struct ConstraintKernels {
    ConstraintKernel move;        ///< settles, groups, and regions (without writing where cut)
    ConstraintKernel velocities;  ///< likewise
};

/// Kernels of the instruction set in use.
ConstraintKernels constraint_kernels();

}  // namespace aureole::md
