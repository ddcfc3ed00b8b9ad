// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "amr/step/clock.hpp"
#include "device/buffer.hpp"
#include "device/queue.hpp"
#include "device/view.hpp"
#include "tasks/executor_options.hpp"

namespace aureole::amr {

struct TreeOnDevice;

/// How the equations are solved. Names are those of leaf files.
struct Scheme {
    std::string reconstruct = "plm", riemann = "hllc";
    int stages = 2;  ///< 2 or 3, of the strong-stability-preserving Runge-Kutta methods
    double cfl = 0.4;
    bool repair = true;  ///< whether steps that leave bad cells are made again with care
};

/// Weights of the stages; see advanced() in state.hpp.
std::vector<double> weights(int stages);
/// Layers of halo cells that a scheme reads.
int halo_of(const Scheme& scheme);

/// How the work of a step is launched.
struct Launching {
    std::string schedule = "pack";          ///< "subgrids", "aggregate"; "lanes" for tests
    tasks::ExecutorOptions executors = {};  ///< these three: of schedules that have tasks
    int workers = 0;                        ///< host threads; 0: the host device's, or all
    std::uint64_t seed = 0;                 ///< for tests: see tasks::PoolOptions
};

/// Work of the tasks so far; zeros for schedules without tasks.
struct TaskCounts {
    std::int64_t items = 0, batches = 0;  ///< given to executors; launched
    int workers = 0;
    double idle_seconds = 0;  ///< of all workers together
};

/// Three copies of the fields, [block][field][cell]: the state, and two for stages. Memory of the
/// state is taken when there is one.
class Copies {
  public:
    Copies(device::Queue& queue, std::int64_t values, device::Resource resource)
        : queue_(queue), values_(values), resource_(resource) {
        for (const std::size_t one : {1, 2}) all_[one] = {queue, values, resource};
    }
    device::Buffer<double>& operator[](std::size_t copy) {
        if (all_[copy].size() == 0) all_[copy] = {queue_, values_, resource_};
        return all_[copy];
    }
    device::Buffer<double>& state() { return (*this)[current]; }
    void put(device::Buffer<double> conserved);

    std::size_t current = 0;  ///< the copy that is the state

  private:
    device::Queue& queue_;
    const std::int64_t values_;
    const device::Resource resource_;
    std::array<device::Buffer<double>, 3> all_;
};

/// Which of three copies of the fields holds the result of a stage: never the start of the step.
inline std::size_t output_of(std::size_t start, std::size_t stage) {
    return (start + 1 + stage % 2) % 3;
}

/// The state of all cells, and how steps are carried out.
class Schedule {
  public:
    virtual ~Schedule() = default;

    /// Conserved fields, [block][field][cell], of physical cells.
    virtual void set(const std::vector<double>& conserved) = 0;
    virtual std::vector<double> get() = 0;
    /// The fields of get(), in memory that the device reaches.
    virtual device::View<double> state() = 0;
    /// Gives away the memory of state(): nothing but put() may follow.
    virtual device::Buffer<double> take() = 0;
    /// Sets these fields; takes the memory over where it can.
    virtual void put(device::Buffer<double> conserved) = 0;
    /// Makes steps as the clock says, until the clock says no more. Where a cell goes bad, the
    /// state and the clock are those before that step.
    virtual void advance(Clock& clock) = 0;
    /// Counts of the schedule's own queues.
    virtual device::QueueCounts counts() const { return {}; }
    virtual TaskCounts task_counts() const { return {}; }
};

/// What was made with care: steps, cells with fluxes of first order and cells that got floors, in
/// all their stages.
struct Repairs {
    std::int64_t steps = 0, cells = 0, floors = 0;

    void operator+=(const Repairs& more) {
        steps += more.steps, cells += more.cells, floors += more.floors;
    }
};

/// A schedule that can also make the step that left bad cells with care (docs/theory/fluids.md).
class CarefulSchedule : public Schedule {
  public:
    /// Makes the step of length `next_dt` from the state, with fluxes of first order around cells
    /// that would go bad. The clock says which is bad even so: then the state is that before it.
    virtual void step_with_care(Clock& clock, Repairs& repairs) = 0;
};

// Schedules hold references to the tree.

/// Fields on the host, a task for each sub-grid and stage, which copies them up and down.
std::unique_ptr<Schedule> make_subgrids(device::Device& device, device::Queue& queue,
                                        TreeOnDevice& on, double gamma, const Scheme& scheme,
                                        const Launching& launching);
/// Fields on the device, a task for each sub-grid and stage.
std::unique_ptr<Schedule> make_aggregate(device::Device& device, device::Queue& queue,
                                         TreeOnDevice& on, double gamma, const Scheme& scheme,
                                         const Launching& launching);
/// `by_lanes`: as on GPUs (for tests), where hosts use vectors of sub-grids.
std::unique_ptr<CarefulSchedule> make_pack(device::Queue& queue, TreeOnDevice& on, double gamma,
                                           const Scheme& scheme, bool by_lanes);

}  // namespace aureole::amr
