// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "core/atomic.hpp"
#include "core/vec3.hpp"
#include "md/box/strain.hpp"
#include "md/neighbor/cluster_layout.hpp"

namespace aureole::md {

/// The kernel layout of cluster lists: packed blocks that stages read forces from and
/// write coordinates to. `Dense` of the device kernels has the same members.
template <class T>
struct Packed {
    using device_kernel = std::false_type;  // blocks of threads: hosts only
    using Number = T;
    static constexpr int cluster = cluster_size;  ///< particles that lists take together
    static constexpr bool counts_steps = false;
    T* x;                  ///< coordinate blocks; row s is the particle's inner limit
    T* reference;          ///< coordinates at the last pruning; row s is the square of the limit
    T* outer;              ///< coordinates at the last search; row s is the outer limit
    T* force;              ///< force blocks of all threads; row s of the first keeps |acceleration|
    std::uint32_t* asked;  ///< by cluster: bits of the outer limit it needs
    const std::int32_t* slot;
    const std::uint64_t* touched;  ///< by group: threads whose blocks hold forces
    std::int64_t force_stride;
    int buffers;
    int group_slots;

    AUREOLE_FN std::int64_t offset(std::int64_t i) const { return block_index(slot[i], 0); }

    /// Force on a particle, summed over the threads in their order.
    AUREOLE_FN core::Vec3<T> read_force(std::int64_t i) const { return visit<false>(i); }
    /// As read_force(), leaving zeros behind.
    AUREOLE_FN core::Vec3<T> take_force(std::int64_t i) const { return visit<true>(i); }

    AUREOLE_FN core::Vec3d coordinates(std::int64_t i) const { return vector(x + offset(i)); }

    /// Puts a force into the first thread's block, which is marked as holding some.
    AUREOLE_FN void set_force(std::int64_t i, const core::Vec3d& f) const {
        put(force + offset(i), f);
    }
    AUREOLE_FN void add_force(std::int64_t i, const core::Vec3d& f) const {
        T* const p = force + offset(i);
        put(p, vector(p) + f);
    }
    AUREOLE_FN void store(std::int64_t i, const core::Vec3d& r) const { put(x + offset(i), r); }
    AUREOLE_FN void store_acceleration(std::int64_t i, T a) const { force[offset(i) + 12] = a; }
    AUREOLE_FN T acceleration(std::int64_t i) const { return force[offset(i) + 12]; }

    /// Whether the coordinates just stored are within the displacement limit of the inner list;
    /// false for NaN.
    AUREOLE_FN bool within_limit(std::int64_t i) const {
        const std::int64_t k = offset(i);
        return distance2(x + k, reference + k) <= reference[k + 12];
    }
    /// The displacement since the pruning.
    AUREOLE_FN core::Vec3d moved(std::int64_t i) const {
        const std::int64_t k = offset(i);
        return vector(x + k) - vector(reference + k);
    }
    /// The displacement since the search, less that by the strain of the box.
    AUREOLE_FN T moved_since_search(std::int64_t i, const Strain& strain) const {
        const std::int64_t k = offset(i);
        T from[12];
        put(from, strain(vector(outer + k)));
        return __builtin_sqrtf(static_cast<float>(distance2(x + k, from)));
    }
    /// The reference position follows the box, and the limit shrinks.
    AUREOLE_FN void stretch(std::int64_t i, const Strain& strain, double keep, double loss) const {
        T* const p = reference + offset(i);
        put(p, strain(vector(p)));
        const T limit = static_cast<T>(keep * __builtin_sqrt(double(p[12])) - loss);
        p[12] = limit > 0 ? limit * limit : T(-1);
    }
    /// Requests a larger outer limit for the particle's cluster.
    AUREOLE_FN void ask(std::int64_t i, float limit) const {
        core::atomic_max(asked + (slot[i] >> 2), __builtin_bit_cast(std::uint32_t, limit));
    }
    AUREOLE_FN T outer_limit(std::int64_t i) const { return outer[offset(i) + 12]; }
    AUREOLE_FN T limit(std::int64_t i) const { return x[offset(i) + 12]; }
    AUREOLE_FN void set_limit(std::int64_t i, T d) const {
        const std::int64_t k = offset(i);
        for (int row = 0; row < 12; row += 4) reference[k + row] = x[k + row];
        x[k + 12] = d;
        reference[k + 12] = d * d;
    }
    AUREOLE_FN void set_outer_limit(std::int64_t i, T d) const {
        const std::int64_t k = offset(i);
        for (int row = 0; row < 12; row += 4) outer[k + row] = x[k + row];
        outer[k + 12] = d;
    }

  private:
    AUREOLE_FN static core::Vec3d vector(const T* p) {
        return {double(p[0]), double(p[4]), double(p[8])};
    }
    AUREOLE_FN static void put(T* p, const core::Vec3d& r) {
        p[0] = static_cast<T>(r.x), p[4] = static_cast<T>(r.y), p[8] = static_cast<T>(r.z);
    }
    AUREOLE_FN static T distance2(const T* a, const T* b) {
        const T dx = a[0] - b[0], dy = a[4] - b[4], dz = a[8] - b[8];
        return dx * dx + dy * dy + dz * dz;
    }
    template <bool clear>
    AUREOLE_FN core::Vec3<T> visit(std::int64_t i) const {
        const std::int64_t s = slot[i], k = block_index(s, 0);
        if (buffers == 1) return take<clear>(force + k);
        // Other threads' blocks are in other processors' caches: ask early.
        constexpr int ahead = 12 * block_size;
        __builtin_prefetch(x + k + ahead, 1);
        core::Vec3<T> sum{};
        for (std::uint64_t mask = touched[s / group_slots]; mask != 0; mask &= mask - 1) {
            T* const of_thread = force + force_stride * __builtin_ctzll(mask) + k;
            __builtin_prefetch(of_thread + ahead, 1);
            sum += take<clear>(of_thread);
        }
        return sum;
    }
    template <bool clear>
    AUREOLE_FN static core::Vec3<T> take(T* p) {
        const core::Vec3<T> f{p[0], p[4], p[8]};
        if constexpr (clear) p[0] = p[4] = p[8] = 0;
        return f;
    }
};

}  // namespace aureole::md
