// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/vec3.hpp"
#include "md/neighbor/cluster_layout.hpp"
#include "md/particles/fixed_forces.hpp"

namespace aureole::md {

/// Where long-range forces are added: a column in fixed point, or the force blocks of threads (each
/// particle is written once, so that any one thread's block of a cluster serves).
template <class T>
struct ForceSink {
    FixedForces column{};
    T* data = nullptr;
    const std::int32_t* slot = nullptr;  ///< null: the column
    std::int64_t stride = 0;             ///< from one thread's blocks to the next one's

    static ForceSink blocks(T* force, const std::int32_t* slot, std::int64_t stride = 0) {
        return {{}, force, slot, stride};
    }
    /// The sink of one thread.
    ForceSink of(int rank) const {
        auto sink = *this;
        if (slot != nullptr) sink.data += stride * rank;
        return sink;
    }

    AUREOLE_FN void add(std::int64_t i, T x, T y, T z) const {
        if (slot == nullptr) {
            column.add(i, core::Vec3<T>{x, y, z});
        } else {
            T* f = data + block_index(slot[i], 0);
            f[0] += x, f[cluster_size] += y, f[2 * cluster_size] += z;
        }
    }
};

}  // namespace aureole::md
