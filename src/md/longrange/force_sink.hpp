// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/vec3.hpp"
#include "md/neighbor/cluster_layout.hpp"

namespace aureole::md {

/// Where long-range forces are added: a column [n] of vectors, or the force blocks of threads (each
/// particle is written once, so that any one thread's block of a cluster serves).
template <class T>
struct ForceSink {
    T* data = nullptr;
    const std::int32_t* slot = nullptr;  ///< null: a column
    std::int64_t stride = 0;             ///< from one thread's blocks to the next one's

    static ForceSink column(core::Vec3<T>* force) { return {force ? &force->x : nullptr}; }
    static ForceSink blocks(T* force, const std::int32_t* slot, std::int64_t stride = 0) {
        return {force, slot, stride};
    }
    /// The sink of one thread.
    ForceSink of(int rank) const { return {data + stride * rank, slot, stride}; }

    AUREOLE_FN void add(std::int64_t i, T x, T y, T z) const {
        if (slot == nullptr) {
            T* f = data + 3 * i;
            f[0] += x, f[1] += y, f[2] += z;
        } else {
            T* f = data + block_index(slot[i], 0);
            f[0] += x, f[cluster_size] += y, f[2 * cluster_size] += z;
        }
    }
};

}  // namespace aureole::md
