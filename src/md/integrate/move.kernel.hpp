// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "md/integrate/move_job.hpp"
#include "md/integrate/noise.kernel.hpp"

// Positions and velocities are stored as x y z x y z …, forces and the kernels' coordinates in rows
// of four: only these two are reordered, all arithmetic is in the order of storage.
namespace aureole::md {
inline namespace HWY_NAMESPACE {

template <class T, bool langevin>
class ClusterMove {
  public:
    ClusterMove(const MoveJob<T>& job, std::int64_t end)
        : job_(job),
          end_(end),
          h_(job.kick * job.c.inverse_mass),
          far2_(job.surely * job.surely),
          width_(std::sqrt(job.thermostat.kT_factor * job.c.inverse_mass)),
          noise_(job.thermostat.seed, job.step, job.c.tag, end) {}

    bool run(std::int64_t begin) {
        const std::int32_t* slot = job_.layout.slot;
        for (std::int64_t i = begin; i < end_;) {
            const std::int32_t s = slot[i];
            const bool whole = (s & 3) == 0 && i + 3 < end_ && slot[i + 3] == s + 3;
            if (whole && four(i, s)) {
                i += 4;
                continue;
            }
            const std::int64_t stop = whole ? i + 4 : i + 1;
            for (; i < stop; ++i) job_.single(job_.self, i);
        }
        return expired_;
    }

  private:
    using Row = core::Pack<T, 4>;
    using Four = core::Pack<double, 4>;

    /// Blocks that another thread wrote are in that thread's cache.
    static constexpr int ahead = 16 * block_size;

    struct Rows {
        Row x, y, z;
    };

    /// Forces on the particles of a cluster, summed over the threads in their order.
    AUREOLE_FN Rows force(std::int64_t s, std::int64_t k) const {
        const auto& p = job_.layout;
        const auto rows = [](const T* f) {
            return Rows{Row::load(f), Row::load(f + 4), Row::load(f + 8)};
        };
        if (p.buffers == 1) return rows(p.force + k);
        Rows sum{Row(T(0)), Row(T(0)), Row(T(0))};
        for (std::uint64_t mask = p.touched[s / p.group_slots]; mask != 0; mask &= mask - 1) {
            const T* const block = p.force + p.force_stride * __builtin_ctzll(mask) + k;
            __builtin_prefetch(block + ahead, 1);
            const auto f = rows(block);
            sum.x = sum.x + f.x, sum.y = sum.y + f.y, sum.z = sum.z + f.z;
        }
        return sum;
    }
    AUREOLE_FN void clear_force(std::int64_t s, std::int64_t k) const {
        const auto& p = job_.layout;
        const Row zero(T(0));
        const auto clear = [&](T* f) { zero.store(f), zero.store(f + 4), zero.store(f + 8); };
        if (p.buffers == 1) return clear(p.force + k);
        for (std::uint64_t mask = p.touched[s / p.group_slots]; mask != 0; mask &= mask - 1)
            clear(p.force + p.force_stride * __builtin_ctzll(mask) + k);
    }

    /// Moves a whole cluster; returns false and does nothing if one of its moves may be a blow-up.
    AUREOLE_FN bool four(std::int64_t i, std::int64_t s) {
        const std::int64_t k = block_index(s, 0);
        const Rows f = force(s, k);
        alignas(64) T mixed[12];
        core::store_interleaved(f.x, f.y, f.z, mixed);
        double* const r = &job_.c.position[i].x;
        double* const v = &job_.c.velocity[i].x;
        const double* normal = nullptr;
        if constexpr (langevin) normal = noise_.of(i, 4);
        Four to[3], speed[3];
        auto near = Four(0.0) < Four(1.0);
        for (int part = 0; part < 3; ++part) {
            const Four kick = Four(h_) * core::to_doubles(mixed + 4 * part);
            Four u = Four::load_unaligned(v + 4 * part);
            if (job_.pending) u = u + kick;
            u = u + kick;
            const Four from = Four::load_unaligned(r + 4 * part);
            if constexpr (langevin) {
                const Four half(0.5 * job_.dt), middle = from + half * u;
                u = Four(job_.thermostat.keep) * u +
                    Four(width_) * Four::load_unaligned(normal + 4 * part);
                to[part] = middle + half * u;
            } else {
                to[part] = from + Four(job_.dt) * u;
            }
            speed[part] = u;
            const Four d = to[part] - from;
            near = near & (d * d < Four(far2_));
        }
        if (!all(near)) return false;
        for (int part = 0; part < 3; ++part) {
            speed[part].store_unaligned(v + 4 * part), to[part].store_unaligned(r + 4 * part);
            core::store_rounded(to[part], mixed + 4 * part);
        }
        clear_force(s, k);
        const Row a =
            Row(static_cast<T>(job_.c.inverse_mass)) * sqrt(f.x * f.x + f.y * f.y + f.z * f.z);
        a.store(job_.layout.force + k + 12);
        Rows x;
        core::load_interleaved(mixed, x.x, x.y, x.z);
        T* const block = job_.layout.x + k;
        x.x.store(block), x.y.store(block + 4), x.z.store(block + 8);
        if (job_.watch) {
            const T* const ref = job_.layout.reference + k;
            const Row dx = x.x - Row::load(ref), dy = x.y - Row::load(ref + 4),
                      dz = x.z - Row::load(ref + 8);
            const Row d2 = dx * dx + dy * dy + dz * dz;
            if (any(Row::load(ref + 12) < d2)) expired_ = true;
        }
        return true;
    }

    const MoveJob<T>& job_;
    std::int64_t end_;
    double h_, far2_;
    double width_;  ///< of the noise that Langevin's thermostat adds to a velocity
    DrawnNoise noise_;
    bool expired_ = false;
};

template <class T, bool langevin>
bool move_clusters(const MoveJob<T>& job, std::int64_t begin, std::int64_t end) {
    return ClusterMove<T, langevin>(job, end).run(begin);
}

}  // namespace HWY_NAMESPACE
}  // namespace aureole::md
