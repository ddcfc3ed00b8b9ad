// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/box.hpp"
#include "fft/spectrum.hpp"
#include "md/longrange/ewald.hpp"
#include "md/longrange/mesh_map.hpp"
#include "md/of_box.hpp"

// The mesh's part of Ewald's sum in the space of waves (Essmann et al., J. Chem. Phys. 103 (1995)
// 8577, equations 2.5 to 2.7 and 4.7): E = ½ Σ_m G(m) |S(m)|² with S the spectrum of the charges
// on the mesh and G(m) = f/(πV) wave(m²) |b_x b_y b_z|².
namespace aureole::md {

template <class Split>
struct Influence {
    fft::SpectrumLayout layout;
    MeshMap map;
    const double *bx, *by, *bz;  ///< moduli of the window along the three directions
    Split split;
    double strength;       ///< f/π
    double scale;          ///< f/(πV)
    const MeshMap* there;  ///< where kernels change the box: in place of `map`

    /// For the box as it is.
    AUREOLE_FN Influence now() const {
        if (there == nullptr) return *this;
        Influence of_now = *this;
        of_now.map = *there, of_now.scale = strength / there->volume;
        return of_now;
    }

    AUREOLE_FN static int place(int k, int n) { return k < 0 ? k + n : k; }
    AUREOLE_FN static int lower(int k, int n) { return 2 * k == n ? -k : k; }

    struct Wave {
        core::Vec3d m;
        double m2;
    };
    AUREOLE_FN Wave wave(const fft::Mode& k) const {
        const core::Vec3d m = map.gradient(k.x, k.y, k.z);
        return {m, dot(m, m)};
    }
    AUREOLE_FN double window(const fft::Mode& k) const {
        return bx[place(k.x, layout.n.x)] * by[place(k.y, layout.n.y)] * bz[place(k.z, layout.n.z)];
    }
    /// A wave and its conjugate must have one factor. They do unless one of their numbers is half
    /// the mesh's, where + and − are one and tilted boxes need a choice. This is that of GROMACS:
    /// of conjugates the one with z > 0 counts, with − for half the mesh in x and y.
    AUREOLE_FN fft::Mode seen(const fft::Mode& k) const {
        const int sign = k.z < 0 ? -1 : 1;
        return {lower(sign * k.x, layout.n.x), lower(sign * k.y, layout.n.y), sign * k.z, k.weight};
    }
    /// Where z has no sign, the mean of both counts.
    AUREOLE_FN bool ambiguous(const fft::Mode& k) const {
        return 2 * k.z == layout.n.z ||
               (k.z == 0 && (2 * k.x == -layout.n.x || 2 * k.y == -layout.n.y));
    }
    AUREOLE_FN fft::Mode conjugate(const fft::Mode& k) const {
        return {lower(-k.x, layout.n.x), lower(-k.y, layout.n.y), k.z, k.weight};
    }
    /// G without the window.
    AUREOLE_FN double bare(const fft::Mode& k) const { return scale * split.wave(wave(k).m2); }
};

/// Fills the table of G, zeros where there is no wave.
template <class T, class Split>
struct FillInfluence {
    using device_kernel = void;
    Influence<Split> of_start;
    T* to;

    AUREOLE_FN void operator()(std::int64_t i) const {
        const auto influence = of_start.now();
        const fft::Mode k = influence.seen(influence.layout.mode(i));
        if (k.weight == 0 || (k.x == 0 && k.y == 0 && k.z == 0)) {
            to[i] = 0;
            return;
        }
        double g = influence.bare(k);
        if (influence.ambiguous(k)) g = 0.5 * (g + influence.bare(influence.conjugate(k)));
        to[i] = static_cast<T>(influence.window(k) * g);
    }
};

/// One wave's energy and virial, E_m (1 − 2 slope(m²) m ⊗ m), from its power |S(m)|².
template <class T, class Split>
struct SumWaves {
    using device_kernel = void;
    Influence<Split> of_start;
    const T* table;
    const T* power;

    AUREOLE_FN EnergyVirial operator()(std::int64_t i) const {
        const auto influence = of_start.now();
        const auto one = [&](const fft::Mode& k, double energy) {
            const auto w = influence.wave(k);
            return EnergyVirial{energy,
                                core::outer(-2 * energy * influence.split.slope(w.m2), w.m) +
                                    core::Sym3d{energy, energy, energy, 0, 0, 0}};
        };
        const fft::Mode k = influence.seen(influence.layout.mode(i));
        if (k.weight == 0 || (k.x == 0 && k.y == 0 && k.z == 0)) return {};
        const double half = 0.5 * k.weight * double(power[i]);
        if (!influence.ambiguous(k)) return one(k, half * double(table[i]));
        const auto other = influence.conjugate(k);
        const double each = 0.5 * half * influence.window(k);
        return one(k, each * influence.bare(k)) + one(other, each * influence.bare(other));
    }
};

/// All that the mesh adds to energy and virial.
struct TotalOfMesh {
    using device_kernel = void;
    const EnergyVirial* waves;
    const ChargeSums* charges;
    double coulomb, beta;
    OfBox<MeshMap> box;
    EnergyVirial* to;

    AUREOLE_FN void operator()(std::int64_t) const {
        EnergyVirial sum = *waves;
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
