// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "comm/common.hpp"
#include "core/bulk.hpp"
#include "device/threads/thread_pool.hpp"
#include "md/longrange/pme_job.hpp"

namespace aureole::md {

/// The meshes of a host's threads: each spreads its partition of the particles over its own slab,
/// as wide as these particles lie, and the slabs are then summed in the order of the threads. So
/// there are no atomics, and particles in any order give the right sums (sorted ones fast). Slabs
/// of several ranks lie in memory that all of them read, and are summed in the order of ranks, then
/// threads.
template <class T>
class Slabs {
  public:
    /// `ranks`: all of them make it; null: one.
    Slabs(int threads, fft::GridSize n, int order, comm::CommonMemory* ranks = nullptr);

    /// Run by every thread: its particles onto its slab.
    void spread(int rank, PmeJob<T> job, std::int64_t particles);
    /// Planes [begin, end) of the whole mesh from all slabs, those of other ranks as well.
    void sum(const fft::RealLayout& layout, device::Range planes, T* grid) const;
    /// Run by every thread: the mesh's part around its particles, and the forces from it.
    void gather(int rank, PmeJob<T> job, const fft::RealLayout& layout, const T* grid);

  private:
    struct Slab {
        SlabView<T> view{};
        int planes = 0;
        T* grid = nullptr;
        std::int64_t offset = 0;  ///< of the grid in the rank's heap
        core::BulkVector<T> memory, u;
        core::BulkVector<std::int32_t> base;
    };
    /// A slab as other ranks see it.
    struct Entry {
        std::int64_t offset;
        std::int32_t planes, first;
    };
    static constexpr int most_threads = 64;
    T* room_for(int rank, std::int64_t n);
    void add(const T* slab, int planes, int first, int x, T* plane) const;
    void shape(PmeJob<T>& job) const { job.n = n_, job.row = row_, job.plane = plane_; }
    int wrapped(int x) const { return (x % n_.x + n_.x) % n_.x; }

    fft::GridSize n_;
    int order_;
    std::int64_t row_, plane_;
    int rows_, margin_;
    PmeKernelTable<T> kernels_;
    std::vector<Slab> slabs_;
    comm::CommonMemory* ranks_;
    Entry* entries_ = nullptr;  ///< [ranks][most_threads] in common memory
};

}  // namespace aureole::md
