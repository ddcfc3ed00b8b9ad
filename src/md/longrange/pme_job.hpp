// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "fft/spectrum.hpp"
#include "md/longrange/bspline.hpp"
#include "md/longrange/force_sink.hpp"
#include "md/longrange/mesh_map.hpp"

// What the host's spreading and gathering share with kernels compiled per instruction set.
namespace aureole::md {

template <class T>
struct PmeJob {
    const core::Vec3d* position;  ///< [n] anywhere; their periodic images are found
    const double* charge;         ///< [n]
    MeshMap map;
    fft::GridSize n;
    std::int64_t row, plane;  ///< of a slab: numbers from one y, one x to the next
    ForceSink<T> sink;
};

/// A mesh with margins is as wide as splines reach beyond the last point, so that nothing wraps.
template <class T>
struct SlabView {
    std::int64_t first, last;  ///< particles
    std::int64_t batches;      ///< of `lanes` particles that lie `batches` apart in memory
    double reference;          ///< fractional x in the middle of the particles
    T* u;                      ///< [batches][3][lanes] distances behind mesh points
    std::int32_t* base;        ///< [batches][lanes] the points, counted from x_low
    int x_low;                 ///< no particle's point is below
    int x_first, x_last;       ///< out of locate(): points of the particles, counted from x_low
    T* grid;                   ///< of plane x_low, whether or not that is in the slab
};

template <class T>
struct PmeKernelTable {
    static constexpr int orders = most_order - least_order + 1;
    int lanes;
    void (*locate)(const PmeJob<T>&, SlabView<T>&);
    void (*spread[orders])(const PmeJob<T>&, const SlabView<T>&);
    void (*gather[orders])(const PmeJob<T>&, const SlabView<T>&);
};

struct PmeKernels {
    PmeKernelTable<float> mixed;
    PmeKernelTable<double> full;

    template <class T>
    const PmeKernelTable<T>& of() const {
        if constexpr (sizeof(T) == sizeof(float))
            return mixed;
        else
            return full;
    }
};

/// Kernels of the instruction set in use.
PmeKernels pme_kernels();

}  // namespace aureole::md
