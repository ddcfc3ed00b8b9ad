// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "core/simd_random.hpp"
#include "md/integrate/move_job.hpp"

// Positions and velocities lie as x y z x y z …, forces and the kernels' coordinates in rows of
// four: only these two change their order, all arithmetic is on numbers as they lie.
namespace aureole::md {
inline namespace HWY_NAMESPACE {

template <class T, bool langevin>
class ClusterMove {
  public:
    explicit ClusterMove(const MoveJob<T>& job)
        : job_(job), h_(job.kick * job.c.inverse_mass), far2_(job.surely * job.surely) {}

    bool run(std::int64_t begin, std::int64_t end) {
        const std::int32_t* slot = job_.place.slot;
        end_ = end;
        for (std::int64_t i = begin; i < end;) {
            const std::int32_t s = slot[i];
            const bool whole = (s & 3) == 0 && i + 3 < end && slot[i + 3] == s + 3;
            if (whole && four(i, s)) {
                i += 4;
                continue;
            }
            const std::int64_t stop = whole ? i + 4 : i + 1;
            for (; i < stop; ++i) job_.single(job_.self, i);
        }
        return outlived_;
    }

  private:
    using Row = core::Pack<T, 4>;
    using Four = core::Pack<double, 4>;

    /// Blocks that another thread wrote are in that thread's cache, and far away.
    static constexpr int ahead = 16 * block_size;
    static constexpr int drawn = 16;

    struct Rows {
        Row x, y, z;
    };

    /// Forces on the particles of a cluster, summed over the threads in their order.
    AUREOLE_FN Rows force(std::int64_t s, std::int64_t k) const {
        const auto& p = job_.place;
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
        const auto& p = job_.place;
        const Row zero(T(0));
        const auto clear = [&](T* f) { zero.store(f), zero.store(f + 4), zero.store(f + 8); };
        if (p.buffers == 1) return clear(p.force + k);
        for (std::uint64_t mask = p.touched[s / p.group_slots]; mask != 0; mask &= mask - 1)
            clear(p.force + p.force_stride * __builtin_ctzll(mask) + k);
    }

    /// What the thermostat adds to four velocities, as these lie; drawn for four clusters at once.
    AUREOLE_FN const double* noise(std::int64_t i) {
        if (i < first_drawn_ || first_drawn_ + drawn < i + 4) draw(i);
        return noise_ + 3 * (i - first_drawn_);
    }
    AUREOLE_FN void draw(std::int64_t i) {
        const std::int64_t* tags = job_.c.tag + i;
        alignas(64) std::int64_t last[drawn];
        if (end_ < i + drawn) {
            for (int k = 0; k < drawn; ++k) last[k] = job_.c.tag[std::min(i + k, end_ - 1)];
            tags = last;
        }
        const core::Normals<drawn> g(job_.bath.seed, core::Stream::langevin,
                                     static_cast<std::uint64_t>(job_.step), tags);
        const core::Pack<double, drawn> width(
            __builtin_sqrt(job_.bath.kT_factor * job_.c.inverse_mass));
        store_vectors(width * g.x, width * g.y, width * g.z, noise_);
        first_drawn_ = i;
    }
    template <int N>
    AUREOLE_FN static void store_vectors(core::Pack<double, N> x, core::Pack<double, N> y,
                                         core::Pack<double, N> z, double* to) {
        if constexpr (N == 4) {
            core::store_interleaved(x, y, z, to);
        } else {
            store_vectors(lower(x), lower(y), lower(z), to);
            store_vectors(upper(x), upper(y), upper(z), to + 3 * N / 2);
        }
    }

    /// Moves a whole cluster; false, and nothing done, if one of its moves may be a blow-up.
    AUREOLE_FN bool four(std::int64_t i, std::int64_t s) {
        const std::int64_t k = block_index(s, 0);
        const Rows f = force(s, k);
        alignas(64) T mixed[12];
        core::store_interleaved(f.x, f.y, f.z, mixed);
        double* const r = &job_.c.position[i].x;
        double* const v = &job_.c.velocity[i].x;
        const double* added = nullptr;
        if constexpr (langevin) added = noise(i);
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
                u = Four(job_.bath.keep) * u + Four::load_unaligned(added + 4 * part);
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
        a.store(job_.place.force + k + 12);
        Rows x;
        core::load_interleaved(mixed, x.x, x.y, x.z);
        T* const block = job_.place.x + k;
        x.x.store(block), x.y.store(block + 4), x.z.store(block + 8);
        if (job_.watch) {
            const T* const ref = job_.place.reference + k;
            const Row dx = x.x - Row::load(ref), dy = x.y - Row::load(ref + 4),
                      dz = x.z - Row::load(ref + 8);
            const Row d2 = dx * dx + dy * dy + dz * dz;
            if (any(Row::load(ref + 12) < d2)) outlived_ = true;
        }
        return true;
    }

    const MoveJob<T>& job_;
    double h_, far2_;
    std::int64_t end_ = 0;
    bool outlived_ = false;
    alignas(64) double noise_[3 * drawn];
    std::int64_t first_drawn_ = -drawn;  ///< the particle that noise_ begins with
};

template <class T, bool langevin>
bool move_clusters(const MoveJob<T>& job, std::int64_t begin, std::int64_t end) {
    return ClusterMove<T, langevin>(job).run(begin, end);
}

}  // namespace HWY_NAMESPACE
}  // namespace aureole::md
