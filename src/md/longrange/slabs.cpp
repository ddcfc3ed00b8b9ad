// SPDX-License-Identifier: Apache-2.0
#include "md/longrange/slabs.hpp"

#include <algorithm>
#include <cmath>

namespace aureole::md {

namespace {

template <class V>
void make_room(V& storage, std::int64_t n) {
    if (static_cast<std::int64_t>(storage.size()) >= n) return;
    storage.clear();  // what was there need not be kept
    storage.resize(static_cast<std::size_t>(n + n / 8));
}

// Blocks of common memory: what slabs there are, and in each rank's heap those of its threads.
constexpr int common_entries = 2, own_slabs = 16;

}  // namespace

template <class T>
Slabs<T>::Slabs(int threads, fft::GridSize n, int order, comm::CommonMemory* ranks)
    : n_(n),
      order_(order),
      // A point may be rounded up to the mesh's end, and rows are read in fours.
      margin_(1 + (order > 4 ? 8 : 4)),
      kernels_(pme_kernels().template of<T>()),
      slabs_(static_cast<std::size_t>(threads)),
      ranks_(ranks) {
    row_ = (n.z + margin_ + 3) / 4 * 4;
    rows_ = n.y + order;
    plane_ = row_ * rows_;
    if (ranks == nullptr) return;
    auto& world = ranks->world();
    entries_ = ranks->block<Entry>(common_entries, std::int64_t{world.size()} * most_threads);
    std::fill_n(entries_ + std::int64_t{world.rank()} * most_threads, most_threads, Entry{});
}

/// Room for a thread's slab, which need not keep what it holds.
template <class T>
T* Slabs<T>::room_for(int rank, std::int64_t n) {
    Slab& slab = slabs_[rank];
    if (ranks_ == nullptr) {
        make_room(slab.memory, n);
        return slab.memory.data();
    }
    const auto span = ranks_->own<T>(own_slabs + rank, n);
    slab.offset = span.offset;
    return ranks_->world().heap().at(span);
}

template <class T>
void Slabs<T>::spread(int rank, PmeJob<T> job, std::int64_t particles) {
    shape(job);
    Slab& slab = slabs_[rank];
    SlabView<T>& view = slab.view;
    const auto part = device::part_of(particles, rank, static_cast<int>(slabs_.size()));
    view.first = part.begin, view.last = part.end;
    slab.planes = 0;
    Entry* const entry = ranks_ != nullptr
                             ? entries_ + std::int64_t{ranks_->world().rank()} * most_threads + rank
                             : nullptr;
    if (entry != nullptr) *entry = {};
    if (view.first == view.last) return;
    const auto lanes = static_cast<std::int64_t>(kernels_.lanes);
    view.batches = (view.last - view.first + lanes - 1) / lanes;
    make_room(slab.u, 3 * lanes * view.batches);
    make_room(slab.base, lanes * view.batches);
    view.u = slab.u.data(), view.base = slab.base.data();
    view.reference = job.map.fractional(job.position[(view.first + view.last) / 2]).x;
    if (!std::isfinite(view.reference)) view.reference = 0;
    view.reference -= std::floor(view.reference);
    view.x_low = static_cast<int>(std::floor((view.reference - 0.5) * n_.x));
    kernels_.locate(job, view);
    slab.planes = view.x_last - view.x_first + order_;
    slab.grid = room_for(rank, slab.planes * plane_);
    std::fill_n(slab.grid, slab.planes * plane_, T(0));
    view.grid = slab.grid - view.x_first * plane_;
    kernels_.spread[order_ - least_order](job, view);
    if (entry != nullptr) *entry = {slab.offset, slab.planes, view.x_low + view.x_first};
}

/// Adds a slab's part of one plane of the mesh.
template <class T>
void Slabs<T>::add(const T* slab, int planes, int first, int x, T* plane) const {
    for (int p = wrapped(x - first); p < planes; p += n_.x)
        for (int y = 0; y < rows_; ++y) {
            const T* const from = slab + p * plane_ + y * row_;
            T* const to = plane + std::int64_t{y % n_.y} * n_.z;
            for (int z = 0; z < n_.z; ++z) to[z] += from[z];
            for (int z = 0; z < margin_; ++z) to[z % n_.z] += from[n_.z + z];
        }
}

template <class T>
void Slabs<T>::sum(const fft::RealLayout& layout, device::Range planes, T* grid) const {
    for (auto x = planes.begin; x < planes.end; ++x) {
        T* const plane = grid + x * layout.plane;
        std::fill_n(plane, layout.plane, T(0));
        const auto at = static_cast<int>(x);
        if (ranks_ == nullptr) {
            for (const Slab& slab : slabs_)
                add(slab.grid, slab.planes, slab.view.x_low + slab.view.x_first, at, plane);
            continue;
        }
        auto& world = ranks_->world();
        for (int r = 0; r < world.size(); ++r)
            for (int t = 0; t < most_threads; ++t) {
                const Entry& of = entries_[std::int64_t{r} * most_threads + t];
                if (of.planes == 0) continue;
                const auto* const slab = world.heap(r).base() + of.offset;
                add(reinterpret_cast<const T*>(slab), of.planes, of.first, at, plane);
            }
    }
}

template <class T>
void Slabs<T>::gather(int rank, PmeJob<T> job, const fft::RealLayout& layout, const T* grid) {
    shape(job);
    job.sink = job.sink.of(rank);
    Slab& slab = slabs_[rank];
    if (slab.planes == 0) return;
    for (int p = 0; p < slab.planes; ++p) {
        const T* const plane =
            grid + wrapped(slab.view.x_low + slab.view.x_first + p) * layout.plane;
        for (int y = 0; y < rows_; ++y) {
            const T* const from = plane + std::int64_t{y % n_.y} * n_.z;
            T* const to = slab.grid + p * plane_ + y * row_;
            std::copy_n(from, n_.z, to);
            for (int z = 0; z < margin_; ++z) to[n_.z + z] = from[z % n_.z];
        }
    }
    kernels_.gather[order_ - least_order](job, slab.view);
}

template class Slabs<float>;
template class Slabs<double>;

}  // namespace aureole::md
