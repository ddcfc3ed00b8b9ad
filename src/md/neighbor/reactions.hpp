// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "device/processor/isa.hpp"

namespace aureole::md {

/// How tiles leave the reactions on their j sides. Where that is faster, slot by slot,
/// [clusters][3][16] of each thread, whose rows are summed once for all tiles of a cluster;
/// elsewhere each tile sums its rows and takes them off the force blocks.
template <class T>
struct ReactionKernel {
    static constexpr int size = 3 * 16;  ///< numbers of a cluster
    bool of_potentials, of_molecules;    ///< whose kernels leave them slot by slot
    /// Takes the reactions of clusters [begin, end) off the force blocks, and leaves zeros.
    void (*take)(T* reaction, T* force, std::int32_t begin, std::int32_t end);
};

struct ReactionKernels {
    ReactionKernel<float> mixed;
    ReactionKernel<double> full;

    template <class T>
    ReactionKernel<T> of() const {
        if constexpr (sizeof(T) == sizeof(float))
            return mixed;
        else
            return full;
    }
};

ReactionKernels reaction_kernels(device::Isa isa);
/// Kernels of the instruction set in use.
ReactionKernels reaction_kernels();

}  // namespace aureole::md
