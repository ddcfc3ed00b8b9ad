// SPDX-License-Identifier: Apache-2.0
#include "fft/host_plan.hpp"

#include <cmath>
#include <numbers>

#include "device/launch.hpp"
#include "fft/sizes.hpp"

namespace aureole::fft {

template <class T>
LineTables<T>::LineTables(int n) : n_(n) {
    struct Offsets {
        std::size_t twiddle, root;
    };
    std::vector<Offsets> offsets;
    const auto append = [&](double turn, double sign) {
        const double angle = 2 * std::numbers::pi * turn;
        table_.push_back(static_cast<T>(std::cos(angle)));
        table_.push_back(static_cast<T>(sign * std::sin(angle)));
    };
    int left = n, done = 1;
    for (const int radix : radices(n)) {
        const int m = left / radix;
        Offsets at{table_.size(), 0};
        for (int p = 0; p < m; ++p)
            for (int k = 1; k < radix; ++k) append(double(std::int64_t{p} * k % left) / left, -1);
        at.root = table_.size();
        for (int k = 0; k < radix; ++k) append(double(k) / radix, 1);
        offsets.push_back(at);
        stages_.push_back({radix, m, done, nullptr, nullptr});
        left = m, done *= radix;
    }
    for (std::size_t k = 0; k < stages_.size(); ++k) {
        stages_[k].twiddle = table_.data() + offsets[k].twiddle;
        stages_[k].root = table_.data() + offsets[k].root;
    }
}

namespace {

/// The block of common memory for work between sweeps.
constexpr int common_work = 0;

std::int64_t rounded_up(std::int64_t n, std::int64_t to) { return (n + to - 1) / to * to; }

}  // namespace

template <class T>
HostPlan<T>::HostPlan(device::Queue& queue, GridSize n, comm::CommonMemory* ranks)
    : tables_(new Tables{LineTables<T>(n.x), LineTables<T>(n.y), LineTables<T>(n.z)}),
      kernels_(fft_kernels().template of<T>()),
      ranks_(ranks) {
    const int pack = kernels_.lanes;
    const std::int64_t plane = std::int64_t{n.y} * n.z;
    this->real_ = {n, rounded_up(plane, 2 * pack)};
    this->spectrum_ = {n, pack};
    job_.real = this->real_;
    job_.spectrum = this->spectrum_;
    job_.x = tables_->x.line(), job_.y = tables_->y.line(), job_.z = tables_->z.line();
    // Packs along z run over the end of the last row.
    job_.work_plane = rounded_up(plane + pack, 2 * pack);
    const std::int64_t size = 2 * job_.work_plane * (n.x / 2 + 1);
    if (ranks == nullptr) work_ = device::Buffer<T>(queue, size);
    job_.work = ranks == nullptr ? work_.data() : ranks->block<T>(common_work, size);
}

template <class T>
void HostPlan<T>::run(device::Queue& queue, const GridJob<T>& job, PlaneWork work) {
    const auto sweeps = [job, work, kernels = kernels_, keep = tables_,
                         ranks = ranks_](device::ThreadPool& pool) {
        const auto bytes = static_cast<std::size_t>(kernels.scratch(job)) * sizeof(T);
        const std::int64_t pairs = job.real.plane / (2 * kernels.lanes);
        const auto sweep = [&](std::int64_t items, const auto& kernel) {
            pool.run([&](int rank) {
                auto* scratch = reinterpret_cast<T*>(pool.scratch(rank, bytes));
                const auto part = ranks == nullptr
                                      ? device::part_of(items, rank, pool.size())
                                      : comm::part_of(ranks->world(), items, rank, pool.size());
                if (part.begin < part.end) kernel(part, scratch);
            });
            if (ranks != nullptr) ranks->world().barrier();
        };
        if (work != PlaneWork::backward)
            sweep(pairs,
                  [&](device::Range part, T* scratch) { kernels.to_half(job, part, scratch); });
        sweep(job.real.n.x / 2 + 1,
              [&](device::Range part, T* scratch) { kernels.planes(job, work, part, scratch); });
        if (work != PlaneWork::forward)
            sweep(pairs,
                  [&](device::Range part, T* scratch) { kernels.to_real(job, part, scratch); });
    };
    device::host_task(queue, "transform", sweeps);
}

template <class T>
void HostPlan<T>::forward(device::Queue& queue, device::View<T> grid, device::View<Complex<T>> to) {
    GridJob<T> job = job_;
    job.grid = grid.data, job.modes = to.data;
    run(queue, job, PlaneWork::forward);
}

template <class T>
void HostPlan<T>::backward(device::Queue& queue, device::View<Complex<T>> from,
                           device::View<T> grid) {
    GridJob<T> job = job_;
    job.grid = grid.data, job.modes = from.data;
    run(queue, job, PlaneWork::backward);
}

template <class T>
void HostPlan<T>::filter(device::Queue& queue, device::View<T> grid, device::View<const T> factor,
                         device::View<T> power) {
    GridJob<T> job = job_;
    job.grid = grid.data, job.factor = factor.data, job.power = power.data;
    run(queue, job, PlaneWork::filter);
}

template class LineTables<float>;
template class LineTables<double>;
template class HostPlan<float>;
template class HostPlan<double>;

}  // namespace aureole::fft
