// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "device/threads/thread_pool.hpp"
#include "fft/spectrum.hpp"

// What the host's transforms share with kernels that are compiled once per instruction set.
namespace aureole::fft {

/// One pass of a line's transform over its factor `radix`: m groups of `s` butterflies.
template <class T>
struct Stage {
    int radix, m, s;
    const T* twiddle;  ///< [m][radix − 1][2] cos, −sin of 2π p k / (m radix)
    const T* root;     ///< [radix][2] cos, sin of 2π k / radix
};

template <class T>
struct Line {
    int n = 0, stages = 0;
    const Stage<T>* stage = nullptr;
};

template <class T>
struct GridJob {
    RealLayout real;
    SpectrumLayout spectrum;
    Line<T> x, y, z;
    T* grid;
    T* work;                  ///< [n.x/2 + 1][2][work_plane]: modes along x of each row y, z
    std::int64_t work_plane;  ///< a row of n.y n.z and room for a pack
    const T* factor;          ///< null: forward or backward only
    T* power;                 ///< null: not wanted
    Complex<T>* modes;        ///< null: filter
};

enum class PlaneWork { filter, forward, backward };

/// Parts of a transform; each thread runs them on a range of its own.
template <class T>
struct GridKernels {
    int lanes;  ///< numbers in a pack
    /// Numbers of scratch memory that one thread needs.
    std::int64_t (*scratch)(const GridJob<T>&);
    /// Lines along x, real to half a spectrum, of packs [begin, end) of pairs of packs.
    void (*to_half)(const GridJob<T>&, device::Range, T* scratch);
    /// Planes of constant kx: lines along y and z, the work on the spectrum, and back.
    void (*planes)(const GridJob<T>&, PlaneWork, device::Range, T* scratch);
    void (*to_real)(const GridJob<T>&, device::Range, T* scratch);
};

struct FftKernels {
    GridKernels<float> single;
    GridKernels<double> full;

    template <class T>
    const GridKernels<T>& of() const {
        if constexpr (sizeof(T) == sizeof(float))
            return single;
        else
            return full;
    }
};

/// FFT kernels for the instruction set in use.
FftKernels fft_kernels();

}  // namespace aureole::fft
