// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "core/atomic.hpp"
#include "device/team.hpp"
#include "fft/spectrum.hpp"
#include "md/box/of_box.hpp"
#include "md/longrange/bspline.hpp"
#include "md/longrange/force_sink.hpp"
#include "md/longrange/mesh_map.hpp"

// Spreading and gathering on devices with many lanes: a team for each particle, whose lanes share
// the order² lines along x about it. Lanes side by side work on points that are.
namespace aureole::md {

/// Charges on the mesh are whole multiples of 2⁻⁴⁴: sums of such numbers do not depend on their
/// order, so atomics are deterministic. Up to half a million charges fit on one point.
inline constexpr double fixed_one = 17592186044416.0;

/// A particle's mesh point and weights.
template <class T, int order>
struct MeshPoint {
    int at[3];
    T w[3][order], slope[3][order];

    AUREOLE_FN MeshPoint(const core::Vec3d& f, const fft::GridSize& n, bool slopes) {
        along(0, f.x, n.x, slopes), along(1, f.y, n.y, slopes), along(2, f.z, n.z, slopes);
    }
    AUREOLE_FN static int wrapped(int k, int n) { return k < n ? k : k % n; }
    /// w[k]; an array indexed at run time would lie in memory.
    AUREOLE_FN static T of(const T (&w)[order], int k) {
        T value = w[0];
        AUREOLE_UNROLL for (int i = 1; i < order; ++i) value = i == k ? w[i] : value;
        return value;
    }

  private:
    AUREOLE_FN void along(int d, double f, int n, bool slopes) {
        double t = (f - std::floor(f)) * n;
        if (t >= n) t = 0;  // a little below a whole number: the difference rounds to 1
        // Not-a-numbers, too, must end inside.
        int k = t >= 0 && t < n ? static_cast<int>(t) : 0;
        at[d] = k;
        const double u = t - k;
        BSplineWindow<order>::weights(static_cast<T>(u), w[d], slopes ? slope[d] : nullptr);
    }
};

template <class T, int order>
struct SpreadLanes {
    using device_kernel = void;
    const core::Vec3d* position;
    const double* charge;
    OfBox<MeshMap> map;
    fft::RealLayout layout;
    std::int64_t* mesh;  ///< [layout.size()] in parts of fixed_one

    AUREOLE_FN void operator()(device::Team& team, std::int64_t i) const {
        const auto& n = layout.n;
        const MeshPoint<T, order> p(map().fractional(position[i]), n, false);
        const double q = fixed_one * charge[i];
        for (int k = team.rank(); k < order * order; k += team.size()) {
            const int b = k / order, c = k % order;
            const int y = p.wrapped(p.at[1] + b, n.y), z = p.wrapped(p.at[2] + c, n.z);
            const double wy = double(p.of(p.w[1], b)), wz = double(p.of(p.w[2], c));
            AUREOLE_UNROLL for (int a = 0; a < order; ++a) {
                const double weight = q * double(p.w[0][a]) * wy;
                core::atomic_add(mesh + layout.index(p.wrapped(p.at[0] + a, n.x), y, z),
                                 static_cast<std::int64_t>(std::rint(weight * wz)));
            }
        }
    }
};

/// Fixed-point numbers to the transform's, leaving zeros behind for the next step.
template <class T>
struct ReadFixed {
    using device_kernel = void;
    std::int64_t* mesh;
    T* grid;
    AUREOLE_FN void operator()(std::int64_t i) const {
        grid[i] = static_cast<T>(double(mesh[i]) * (1 / fixed_one));
        mesh[i] = 0;
    }
};

template <class T, int order>
struct GatherLanes {
    using device_kernel = void;
    const core::Vec3d* position;
    const double* charge;
    OfBox<MeshMap> map;
    fft::RealLayout layout;
    const T* grid;
    ForceSink<T> sink;

    AUREOLE_FN void operator()(device::Team& team, std::int64_t i) const {
        const auto& n = layout.n;
        const MeshMap here = map();
        const MeshPoint<T, order> p(here.fractional(position[i]), n, true);
        core::Vec3<T> g{};
        for (int k = team.rank(); k < order * order; k += team.size()) {
            const int b = k / order, c = k % order;
            const int y = p.wrapped(p.at[1] + b, n.y), z = p.wrapped(p.at[2] + c, n.z);
            T value{}, slope{};
            AUREOLE_UNROLL for (int a = 0; a < order; ++a) {
                const T phi = grid[layout.index(p.wrapped(p.at[0] + a, n.x), y, z)];
                value += p.w[0][a] * phi, slope += p.slope[0][a] * phi;
            }
            const T wy = p.of(p.w[1], b), wz = p.of(p.w[2], c);
            g += core::Vec3<T>{wy * wz * slope, p.of(p.slope[1], b) * wz * value,
                               wy * p.of(p.slope[2], c) * value};
        }
        g = team.reduce_sum(g);
        if (team.rank() != 0) return;
        const auto d = here.gradient(n.x * double(g.x), n.y * double(g.y), n.z * double(g.z));
        const double q = -charge[i];
        sink.add(i, static_cast<T>(q * d.x), static_cast<T>(q * d.y), static_cast<T>(q * d.z));
    }
};

}  // namespace aureole::md
