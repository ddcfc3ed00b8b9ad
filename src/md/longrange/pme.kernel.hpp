// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/simd_interleave.hpp"
#include "md/longrange/pme_job.hpp"

// Spreading charges over a slab of the mesh and gathering forces from it. A batch's particles come
// from places far apart in the sorted order: neighbours in space would read rows whose last,
// differently aligned writes are still on their way to the cache, and wait for them.
namespace aureole::md {
inline namespace HWY_NAMESPACE {

template <class T>
inline constexpr int pme_lanes = 64 / static_cast<int>(sizeof(T));

/// The particle in a lane of a batch; −1 behind the last one.
template <class T>
AUREOLE_FN std::int64_t particle_of(const SlabView<T>& s, std::int64_t batch, int lane) {
    const std::int64_t i = s.first + lane * s.batches + batch;
    return i < s.last ? i : -1;
}

AUREOLE_FN int within(int k, int most) { return k < 0 ? 0 : k > most ? most : k; }

template <class T>
void locate(const PmeJob<T>& job, SlabView<T>& s) {
    constexpr int lanes = pme_lanes<T>;
    int first = job.n.x, last = 0;
    for (std::int64_t b = 0; b < s.batches; ++b) {
        alignas(64) double x[lanes], y[lanes], z[lanes];
        for (int l = 0; l < lanes; ++l) {
            const std::int64_t i = s.first + l * s.batches + b;
            const core::Vec3d r = job.position[i < s.last ? i : s.last - 1];
            x[l] = r.x, y[l] = r.y, z[l] = r.z;
        }
        T* const u = s.u + 3 * lanes * b;
        std::int32_t* const base = s.base + lanes * b;
        for (int l = 0; l < lanes; ++l) {
            double fx = 0.5 + job.map.xx * x[l] + job.map.xy * y[l] + job.map.xz * z[l];
            double fy = 0.5 + job.map.yy * y[l] + job.map.yz * z[l];
            double fz = 0.5 + job.map.zz * z[l];
            fx -= __builtin_floor(fx - s.reference + 0.5);
            fy -= __builtin_floor(fy), fz -= __builtin_floor(fz);
            const double tx = fx * job.n.x - s.x_low, ty = fy * job.n.y, tz = fz * job.n.z;
            // NaN must end inside, too; the engine reports its cause.
            const int ix = within(static_cast<int>(tx), job.n.x);
            const int iy = within(static_cast<int>(ty), job.n.y);
            const int iz = within(static_cast<int>(tz), job.n.z);
            u[l] = static_cast<T>(tx - ix), u[lanes + l] = static_cast<T>(ty - iy);
            u[2 * lanes + l] = static_cast<T>(tz - iz);
            base[l] = static_cast<std::int32_t>(ix * job.plane + iy * job.row + iz);
            first = ix < first ? ix : first, last = ix > last ? ix : last;
        }
    }
    s.x_first = first, s.x_last = last;
}

/// Weights of a batch's particles, laid out particle by particle: four of a direction side by
/// side, and the rest of longer splines, filled up with zeros, in a second block.
template <class T, int order>
struct BatchWeights {
    static constexpr int lanes = pme_lanes<T>;
    static constexpr int blocks = order > 4 ? 2 : 1;
    static constexpr int width = 4 * blocks;
    using P = core::Pack<T, lanes>;
    alignas(64) T block[3][blocks][4 * lanes];

    AUREOLE_FN void store(int direction, const P* w) {
        core::store_interleaved(w[0], w[1], w[2], w[3], block[direction][0]);
        if constexpr (order > 4) {
            P rest[4];
            for (int j = 0; j < 4; ++j) rest[j] = 4 + j < order ? w[(4 + j) % order] : P(T(0));
            core::store_interleaved(rest[0], rest[1], rest[2], rest[3], block[direction][1]);
        }
    }
    AUREOLE_FN T get(int direction, int lane, int j) const {
        return block[direction][j >> 2][4 * lane + (j & 3)];
    }
    AUREOLE_FN core::Pack<T, width> row(int lane) const {
        using Four = core::Pack<T, 4>;
        if constexpr (order > 4)
            return core::join(Four::load(block[2][0] + 4 * lane),
                              Four::load(block[2][1] + 4 * lane));
        else
            return Four::load(block[2][0] + 4 * lane);
    }
};

template <class T, int order>
void spread(const PmeJob<T>& job, const SlabView<T>& s) {
    using W = BatchWeights<T, order>;
    using P = typename W::P;
    using Row = core::Pack<T, W::width>;
    constexpr int lanes = W::lanes;
    W weights;
    for (std::int64_t b = 0; b < s.batches; ++b) {
        const T* const u = s.u + 3 * lanes * b;
        alignas(64) T charge[lanes];
        for (int l = 0; l < lanes; ++l) {
            const std::int64_t i = particle_of(s, b, l);
            charge[l] = i < 0 ? T(0) : static_cast<T>(job.charge[i]);
        }
        const P q = P::load(charge);
        for (int d = 0; d < 3; ++d) {
            P w[order];
            BSplineWindow<order>::weights(P::load_unaligned(u + lanes * d), w,
                                          static_cast<P*>(nullptr));
            if (d == 0)
                for (int j = 0; j < order; ++j) w[j] = q * w[j];
            weights.store(d, w);
        }
        for (int l = 0; l < lanes; ++l) {
            T* const corner = s.grid + s.base[lanes * b + l];
            const Row z = weights.row(l);
            Row y[order];
            for (int j = 0; j < order; ++j) y[j] = Row(weights.get(1, l, j));
            for (int i = 0; i < order; ++i) {
                const Row xz = z * Row(weights.get(0, l, i));
                T* at = corner + i * job.plane;
                for (int j = 0; j < order; ++j, at += job.row)
                    fma(xz, y[j], Row::load_unaligned(at)).store_unaligned(at);
            }
        }
    }
}

template <class T, int order>
void gather(const PmeJob<T>& job, const SlabView<T>& s) {
    using W = BatchWeights<T, order>;
    using P = typename W::P;
    using Row = core::Pack<T, W::width>;
    constexpr int lanes = W::lanes;
    W weights, slopes;
    alignas(64) T sums[3][4 * lanes];
    const P to_x(-job.map.xx * job.n.x), xy(-job.map.xy * job.n.x), xz(-job.map.xz * job.n.x);
    const P to_y(-job.map.yy * job.n.y), yz(-job.map.yz * job.n.y), to_z(-job.map.zz * job.n.z);
    for (std::int64_t b = 0; b < s.batches; ++b) {
        const T* const u = s.u + 3 * lanes * b;
        for (int d = 0; d < 3; ++d) {
            P w[order], dw[order];
            BSplineWindow<order>::weights(P::load_unaligned(u + lanes * d), w, dw);
            weights.store(d, w), slopes.store(d, dw);
        }
        for (int l = 0; l < lanes; ++l) {
            const T* const corner = s.grid + s.base[lanes * b + l];
            Row along_z(T(0)), slope_x(T(0)), slope_y(T(0));
            Row y[order], dy[order];
            for (int j = 0; j < order; ++j) {
                y[j] = Row(weights.get(1, l, j));
                dy[j] = Row(slopes.get(1, l, j));
            }
            for (int i = 0; i < order; ++i) {
                const T* at = corner + i * job.plane;
                Row sum(T(0)), slope(T(0));
                for (int j = 0; j < order; ++j, at += job.row) {
                    const Row value = Row::load_unaligned(at);
                    sum = fma(y[j], value, sum), slope = fma(dy[j], value, slope);
                }
                const Row wx(weights.get(0, l, i)), dwx(slopes.get(0, l, i));
                along_z = fma(wx, sum, along_z), slope_x = fma(dwx, sum, slope_x);
                slope_y = fma(wx, slope, slope_y);
            }
            const Row z = weights.row(l);
            sum4(z * slope_x).store(sums[0] + 4 * l);
            sum4(z * slope_y).store(sums[1] + 4 * l);
            sum4(slopes.row(l) * along_z).store(sums[2] + 4 * l);
        }
        alignas(64) T charge[lanes], force[3][lanes];
        for (int l = 0; l < lanes; ++l) {
            const std::int64_t i = particle_of(s, b, l);
            charge[l] = i < 0 ? T(0) : static_cast<T>(job.charge[i]);
        }
        const P q = P::load(charge);
        const P gx = q * core::sum_interleaved<T, lanes>(sums[0]);
        const P gy = q * core::sum_interleaved<T, lanes>(sums[1]);
        const P gz = q * core::sum_interleaved<T, lanes>(sums[2]);
        (to_x * gx).store(force[0]);
        fma(xy, gx, to_y * gy).store(force[1]);
        fma(xz, gx, fma(yz, gy, to_z * gz)).store(force[2]);
        for (int l = 0; l < lanes; ++l) {
            const std::int64_t i = particle_of(s, b, l);
            if (i >= 0) job.sink.add(i, force[0][l], force[1][l], force[2][l]);
        }
    }
}

template <class T>
PmeKernelTable<T> pme_table() {
    return {pme_lanes<T>,
            &locate<T>,
            {&spread<T, 4>, &spread<T, 5>, &spread<T, 6>, &spread<T, 7>, &spread<T, 8>},
            {&gather<T, 4>, &gather<T, 5>, &gather<T, 6>, &gather<T, 7>, &gather<T, 8>}};
}

}  // namespace HWY_NAMESPACE
}  // namespace aureole::md
