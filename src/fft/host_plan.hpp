// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "fft/host_job.hpp"
#include "fft/plan.hpp"

namespace aureole::fft {

/// The passes of a line's transform with their tables.
template <class T>
class LineTables {
  public:
    explicit LineTables(int n);
    Line<T> line() const { return {n_, static_cast<int>(stages_.size()), stages_.data()}; }

  private:
    int n_;
    std::vector<T> table_;
    std::vector<Stage<T>> stages_;
};

/// Our own transforms on a host device: lines are shared out over the threads of its pool, and over
/// ranks whose memory the grid is in.
template <class T>
class HostPlan final : public Plan3<T> {
  public:
    /// `ranks`: see make_plan().
    HostPlan(device::Queue& queue, GridSize n, comm::CommonMemory* ranks = nullptr);

    void forward(device::Queue& queue, device::View<T> grid, device::View<Complex<T>> to) override;
    void backward(device::Queue& queue, device::View<Complex<T>> from,
                  device::View<T> grid) override;
    void filter(device::Queue& queue, device::View<T> grid, device::View<const T> factor,
                device::View<T> power) override;

  private:
    struct Tables {
        LineTables<T> x, y, z;
    };
    void run(device::Queue& queue, const GridJob<T>& job, PlaneWork work);

    std::shared_ptr<const Tables> tables_;
    GridKernels<T> kernels_;
    GridJob<T> job_{};
    device::Buffer<T> work_;     ///< of one rank
    comm::CommonMemory* ranks_;  ///< null: one rank
};

}  // namespace aureole::fft
