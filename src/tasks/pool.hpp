// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "core/spin_lock.hpp"
#include "device/device.hpp"
#include "tasks/poller.hpp"

namespace aureole::tasks {

struct PoolOptions {
    /// For tests: the next task and the next completion are taken at random; 0: the usual order.
    std::uint64_t seed = 0;
    /// If for so long nothing happens that tasks wait for, they fail with a list of it. At least
    /// 1 ms, at most a day.
    std::chrono::milliseconds patience = std::chrono::minutes(5);
};

/// Runs tasks on the threads of a host device, which it borrows while run() lasts: one worker per
/// partition of its ThreadPool. One worker suffices to get on, whichever thread it is.
class Pool {
  public:
    /// Throws core::DeviceError for a device without threads.
    explicit Pool(device::Device host, PoolOptions options = {});
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    /// Calls root(scope), and returns when all is done that was started in the scope. Throws what
    /// root threw, or the first error of a task: a TaskError.
    void run(const std::function<void(Scope&)>& root);

    Poller& poller() { return poller_; }
    int workers() const { return static_cast<int>(workers_.size()); }
    /// Bytes of memory for tasks and futures, and how many of these there are; between runs.
    std::size_t memory() const;
    std::size_t in_use() const;
    /// Time in which workers had no work before they found more, of all of them [s]; between runs.
    double idle_seconds() const;

    // For the parts of this layer.
    const PoolOptions& options() const { return options_; }
    /// Puts and takes work of all workers in pools with a seed: a random job is taken.
    void put(Job* job);
    Job* take(std::uint64_t random);
    std::vector<std::unique_ptr<Worker>>& all_workers() { return workers_; }
    /// How many workers sleep; if some do, one is to be woken for new work.
    const std::atomic<int>& sleepers() const { return sleepers_; }
    void wake_one();
    bool wake(Worker& worker);
    /// Wakes a worker if something is pending outside and no worker looks for it.
    void keep_watch();
    /// A worker without work since a while: spins, gives way, sleeps.
    void rest(Worker& worker, Clock::time_point since, const std::atomic<bool>& ended);
    /// Whether all but the calling worker sleep. Those that wake by themselves find no work, unless
    /// something outside is settled, nor do those that come for the first time.
    bool others_sleep() const { return sleepers_.load() + 1 == inside.load(); }
    /// The futures that tasks wait for; while all others sleep.
    std::vector<State*> awaited() const;
    /// Workers that have a thread.
    std::atomic<int> inside{0};

  private:
    std::exception_ptr lead(Worker& worker, const std::function<void(Scope&)>& root);
    void sleep(Worker& worker, std::chrono::nanoseconds idle, const std::atomic<bool>& ended);
    bool work_visible() const;
    bool overdue();

    device::Device host_;
    const PoolOptions options_;
    bool patient_;  ///< each worker has a processor, and may spin
    Poller poller_;
    std::vector<Job*> of_all_;
    mutable core::SpinLock<> of_all_lock_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::mutex turn_;
    core::SpinLock<> watchdog_;              ///< of what follows
    std::uint64_t progress_ = 0;             ///< of all workers when a worker on watch last looked
    Clock::time_point progressed_, looked_;  ///< when there last was some; when it last looked

    alignas(device::cache_line) std::atomic<int> sleepers_{0};
    /// Posts for one worker each that sleeps for short times only: while something is pending
    /// outside, and while nothing is.
    std::atomic<bool> near_{false}, far_{false};
    std::atomic<bool> ended_{false};  ///< the root scope
};

}  // namespace aureole::tasks
