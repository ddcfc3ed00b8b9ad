// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/box.hpp"
#include "fft/spectrum.hpp"
#include "md/box/of_box.hpp"
#include "md/longrange/ewald.hpp"
#include "md/longrange/mesh_map.hpp"

// The mesh's part of Ewald's reciprocal-space sum (Essmann et al., J. Chem. Phys. 103 (1995)
// 8577, equations 2.5 to 2.7 and 4.7): E = ½ Σ_m G(m) |S(m)|² with S the spectrum of the charges
// on the mesh and G(m) = f/(πV) reciprocal(m²) |b_x b_y b_z|².
namespace aureole::md {

/// One mode of a plan's spectrum as Influence::seen() has it; finding it takes longer than using
/// it.
struct SeenMode {
    std::int16_t x, y, z;
    std::uint8_t weight, ambiguous;

    AUREOLE_FN bool none() const { return weight == 0 || (x == 0 && y == 0 && z == 0); }
    AUREOLE_FN fft::Mode mode() const { return {x, y, z, weight}; }
};

template <class Split>
struct Influence {
    fft::SpectrumLayout layout;
    OfBox<MeshMap> box;
    const double *bx, *by, *bz;  ///< moduli of the window along the three directions
    Split split;
    double strength;    ///< f/π
    bool both_signs{};  ///< of half the mesh's modes: see seen()

    AUREOLE_FN static int row(int k, int n) { return k < 0 ? k + n : k; }
    AUREOLE_FN static int lower(int k, int n) { return 2 * k == n ? -k : k; }

    struct WaveVector {
        core::Vec3d m;
        double m2;
    };
    AUREOLE_FN static WaveVector wave_vector(const MeshMap& map, const fft::Mode& k) {
        const core::Vec3d m = map.gradient(k.x, k.y, k.z);
        return {m, dot(m, m)};
    }
    AUREOLE_FN double window(const fft::Mode& k) const {
        return bx[row(k.x, layout.n.x)] * by[row(k.y, layout.n.y)] * bz[row(k.z, layout.n.z)];
    }
    /// A mode and its conjugate must have one factor. They do unless one of their wave numbers is
    /// half the mesh's, where + and − are one and tilted boxes need a choice. This is that of
    /// GROMACS: of conjugates the one with z > 0 counts, with − for half the mesh in x and y; or
    /// that of OpenMM, the mean of both conjugates with − for half the mesh.
    AUREOLE_FN fft::Mode seen(const fft::Mode& k) const {
        if (both_signs) return lowered(k, 1);
        const int sign = k.z < 0 ? -1 : 1;
        return {lower(sign * k.x, layout.n.x), lower(sign * k.y, layout.n.y), sign * k.z, k.weight};
    }
    AUREOLE_FN fft::Mode lowered(const fft::Mode& k, int sign) const {
        return {lower(sign * k.x, layout.n.x), lower(sign * k.y, layout.n.y),
                lower(sign * k.z, layout.n.z), k.weight};
    }
    /// Whether z has no sign: then the mean of both counts.
    AUREOLE_FN bool ambiguous(const fft::Mode& k) const {
        if (both_signs)
            return 2 * k.x == -layout.n.x || 2 * k.y == -layout.n.y || 2 * k.z == -layout.n.z;
        return 2 * k.z == layout.n.z ||
               (k.z == 0 && (2 * k.x == -layout.n.x || 2 * k.y == -layout.n.y));
    }
    AUREOLE_FN fft::Mode conjugate(const fft::Mode& k) const {
        if (both_signs) return lowered(k, -1);
        return {lower(-k.x, layout.n.x), lower(-k.y, layout.n.y), k.z, k.weight};
    }
    /// G without the window.
    AUREOLE_FN double bare(const MeshMap& map, const fft::Mode& k) const {
        return strength / map.volume * split.reciprocal(wave_vector(map, k).m2);
    }

    /// In upright boxes the signs of a mode's numbers do not matter: modes of numbers that are not
    /// negative stand for all, [x / 2 + 1][y / 2 + 1][z / 2 + 1] of them.
    AUREOLE_FN static bool upright(const MeshMap& map) {
        return map.xy == 0 && map.xz == 0 && map.yz == 0;
    }
    AUREOLE_FN std::int64_t octant_index(const SeenMode& k) const {
        const auto size = [](int a) { return a < 0 ? -a : a; };
        const auto row = std::int64_t{size(k.x)} * (layout.n.y / 2 + 1) + size(k.y);
        return row * (layout.n.z / 2 + 1) + size(k.z);
    }
    AUREOLE_FN std::int64_t octant_size() const {
        return std::int64_t{layout.n.x / 2 + 1} * (layout.n.y / 2 + 1) * (layout.n.z / 2 + 1);
    }
};

/// The modes of a spectrum.
template <class Split>
struct FindModes {
    using device_kernel = void;
    Influence<Split> influence;
    SeenMode* to;

    AUREOLE_FN void operator()(std::int64_t i) const {
        const fft::Mode k = influence.seen(influence.layout.mode(i));
        to[i] = {static_cast<std::int16_t>(k.x), static_cast<std::int16_t>(k.y),
                 static_cast<std::int16_t>(k.z), static_cast<std::uint8_t>(k.weight),
                 static_cast<std::uint8_t>(influence.ambiguous(k))};
    }
};

/// G without the window of an upright box.
template <class Split>
struct FillOctant {
    using device_kernel = void;
    Influence<Split> influence;
    double* to;

    AUREOLE_FN void operator()(std::int64_t i) const {
        const MeshMap map = influence.box();
        if (!influence.upright(map)) return;
        const int z_size = influence.layout.n.z / 2 + 1, y_size = influence.layout.n.y / 2 + 1;
        const auto row = i / z_size;
        const fft::Mode k{static_cast<int>(row / y_size), static_cast<int>(row % y_size),
                          static_cast<int>(i % z_size), 1};
        to[i] = i == 0 ? 0 : influence.bare(map, k);
    }
};

/// Fills the table of G, zeros where there is no mode.
template <class T, class Split>
struct FillInfluence {
    using device_kernel = void;
    Influence<Split> influence;
    const SeenMode* mode;
    const double* octant;
    T* to;

    AUREOLE_FN void operator()(std::int64_t i) const {
        const MeshMap map = influence.box();
        const SeenMode seen = mode[i];
        if (seen.none()) {
            to[i] = 0;
            return;
        }
        const fft::Mode k = seen.mode();
        double g = 0;
        if (influence.upright(map)) {
            g = octant[influence.octant_index(seen)];
        } else {
            g = influence.bare(map, k);
            if (seen.ambiguous) g = 0.5 * (g + influence.bare(map, influence.conjugate(k)));
        }
        to[i] = static_cast<T>(influence.window(k) * g);
    }
};

/// One mode's energy and virial, E_m (1 − 2 slope(m²) m ⊗ m), from its power |S(m)|².
template <class T, class Split>
struct SumReciprocal {
    using device_kernel = void;
    Influence<Split> influence;
    const SeenMode* mode;
    const T* table;
    const T* power;

    AUREOLE_FN EnergyVirial operator()(std::int64_t i) const {
        const MeshMap map = influence.box();
        const auto one = [&](const fft::Mode& k, double energy) {
            const auto w = influence.wave_vector(map, k);
            return EnergyVirial{energy,
                                core::outer(-2 * energy * influence.split.slope(w.m2), w.m) +
                                    core::Sym3d{energy, energy, energy, 0, 0, 0}};
        };
        const SeenMode seen = mode[i];
        if (seen.none()) return {};
        const fft::Mode k = seen.mode();
        const double half = 0.5 * k.weight * double(power[i]);
        if (!seen.ambiguous) return one(k, half * double(table[i]));
        const auto other = influence.conjugate(k);
        const double each = 0.5 * half * influence.window(k);
        return one(k, each * influence.bare(map, k)) +
               one(other, each * influence.bare(map, other));
    }
};

/// Contribution of the mesh to energy and virial.
struct TotalOfMesh {
    using device_kernel = void;
    const EnergyVirial* modes;
    const ChargeSums* charges;
    double coulomb, beta;
    OfBox<MeshMap> box;
    EnergyVirial* to;

    AUREOLE_FN void operator()(std::int64_t) const {
        EnergyVirial sum = *modes;
        sum.energy += self_energy(coulomb, beta, *charges);
        sum += background_energy(coulomb, beta, *charges, box().volume);
        *to = sum;
    }
};

struct SumCharges {
    using device_kernel = void;
    const double* charge;
    AUREOLE_FN ChargeSums operator()(std::int64_t i) const {
        return {charge[i], charge[i] * charge[i]};
    }
};

}  // namespace aureole::md
