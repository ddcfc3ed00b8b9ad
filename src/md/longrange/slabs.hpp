// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/bulk.hpp"
#include "device/thread_pool.hpp"
#include "md/longrange/pme_job.hpp"

namespace aureole::md {

/// The meshes of a host's threads: each spreads its partition of the particles over its own slab,
/// as wide as these particles lie, and the slabs are then summed in the order of the threads. So
/// there are no atomics, and particles in any order give the right sums (sorted ones fast).
template <class T>
class Slabs {
  public:
    Slabs(int threads, fft::GridSize n, int order);

    /// Run by every thread: its particles onto its slab.
    void spread(int rank, PmeJob<T> job, std::int64_t particles);
    /// Planes [begin, end) of the whole mesh from all slabs.
    void sum(const fft::RealLayout& layout, device::Range planes, T* grid) const;
    /// Run by every thread: the mesh's part around its particles, and the forces from it.
    void gather(int rank, PmeJob<T> job, const fft::RealLayout& layout, const T* grid);

  private:
    struct Slab {
        SlabView<T> view{};
        int planes = 0;
        core::BulkVector<T> grid, u;
        core::BulkVector<std::int32_t> base;
    };
    void shape(PmeJob<T>& job) const { job.n = n_, job.row = row_, job.plane = plane_; }
    int wrapped(int x) const { return (x % n_.x + n_.x) % n_.x; }

    fft::GridSize n_;
    int order_;
    std::int64_t row_, plane_;
    int rows_, margin_;
    PmeKernelTable<T> kernels_;
    std::vector<Slab> slabs_;
};

}  // namespace aureole::md
