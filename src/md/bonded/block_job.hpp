// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/term_view.hpp"
#include "md/neighbor/cluster_job.hpp"

namespace aureole::md {

/// One partition of the terms of one kind, with forces added to its blocks of clusters.
template <class T>
struct BlockJob {
    TermView<T> terms;
    const std::int32_t* slot;  ///< [particles of a term][stride] where each force goes
    T* force;                  ///< this thread's force blocks
    std::int64_t begin, end;
    EnergyVirial total{};  ///< out, of kernels with energy
};

template <class T>
using BlockKernel = void (*)(BlockJob<T>&);

/// Kernels of one kind of term for one instruction set, [with energy and virial].
struct BlockKernels {
    BlockKernel<float> mixed[2];
    BlockKernel<double> full[2];

    template <class T>
    BlockKernel<T> of(bool energy) const {
        if constexpr (sizeof(T) == sizeof(float))
            return mixed[energy ? 1 : 0];
        else
            return full[energy ? 1 : 0];
    }
};

}  // namespace aureole::md
