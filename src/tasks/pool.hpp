// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "device/device.hpp"
#include "tasks/poller.hpp"
#include "tasks/task.hpp"
#include "tasks/trace.hpp"

namespace aureole::tasks {

struct PoolOptions {
    /// For tests: the next task and the next completion are taken at random; 0: the usual order.
    std::uint64_t seed = 0;
    /// If for so long nothing outside happens that the tasks wait for, they fail with a list of it.
    std::chrono::milliseconds patience = std::chrono::minutes(5);
    /// Records what runs when: Pool::trace().
    bool trace = false;
};

/// Runs tasks on the threads of a host device, which it borrows while run() lasts: one worker per
/// partition of its ThreadPool. One worker suffices to get on, whichever thread it is.
class Pool {
  public:
    /// Throws core::DeviceError for a device without threads.
    explicit Pool(device::Device host, PoolOptions options = {});
    ~Pool();
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    /// Calls root(scope), a function or a coroutine, and returns when all is done that was started
    /// in the scope. Throws what root threw, or the first error of a task: a TaskError.
    template <std::invocable<Scope&> F>
    void run(F root, Origin place = Origin::current()) {
        run_root(
            [](void* self, Scope& scope, Origin from) {
                if constexpr (std::same_as<std::invoke_result_t<F&, Scope&>, Task<void>>)
                    scope.spawn("root", (*static_cast<F*>(self))(scope), from);
                else
                    (*static_cast<F*>(self))(scope);
            },
            &root, place);
    }

    Poller& poller() { return poller_; }
    int workers() const { return static_cast<int>(workers_.size()); }
    /// Trace of all runs so far, in JSON for chrome://tracing; between runs.
    std::string trace() const;
    /// Bytes of memory for tasks, futures and frames, and how many of these there are; between
    /// runs.
    std::size_t memory() const;
    std::size_t in_use() const;
    /// Time in which workers had no work before they found more, of all of them [s]; between runs.
    double idle_seconds() const;

    // For the parts of this layer.
    const PoolOptions& options() const { return options_; }
    /// Puts and takes work of all workers in pools with a seed: a random link is taken.
    void put(Link* link);
    Link* take(std::uint64_t random);
    std::vector<std::unique_ptr<Worker>>& all_workers() { return workers_; }
    /// How many workers sleep; if some do, one is to be woken for new work.
    const std::atomic<int>& sleepers() const { return sleepers_; }
    void wake_one();
    void wake(Worker& worker);
    bool on_watch() const { return on_watch_.load(std::memory_order_seq_cst); }
    /// A worker without work since a while: spins, gives way, sleeps.
    void rest(Worker& worker, Clock::time_point since, const std::atomic<bool>& ended);
    /// Workers that are about to leave a join() keep stuck() from being true.
    std::atomic<int> leaving{0};

  private:
    void run_root(void (*call)(void*, Scope&, Origin), void* root, Origin place);
    void sleep(Worker& worker, std::chrono::nanoseconds idle, const std::atomic<bool>& ended);
    bool work_visible() const;
    bool stuck() const;
    void fail_waiting(Worker& worker);
    bool overdue();

    device::Device host_;
    const PoolOptions options_;
    bool patient_;  ///< each worker has a processor, and may spin
    std::optional<Trace> trace_;
    Poller poller_;
    std::vector<Link*> of_all_;
    mutable core::SpinLock<> of_all_lock_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::mutex turn_;
    core::SpinLock<> failing_;
    std::uint64_t progress_ = 0;    ///< links done when the one on watch last looked
    Clock::time_point progressed_;  ///< when it last saw more

    alignas(device::cache_line) std::atomic<int> sleepers_{0};
    std::atomic<bool> on_watch_{false};              ///< one worker sleeps for short times only
    std::atomic<bool> begun_{false}, ended_{false};  ///< the root function, the root scope
};

}  // namespace aureole::tasks
