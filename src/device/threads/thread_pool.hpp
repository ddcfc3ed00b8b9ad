// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

#include "device/config.hpp"
#include "device/threads/active_threads.hpp"

namespace aureole::device {

/// Part `rank` of [0, n) cut into `parts`, at multiples of `grain`.
struct Range {
    std::int64_t begin = 0, end = 0;
};
inline Range part_of(std::int64_t n, int rank, int parts, std::int64_t grain = 1) {
    const std::int64_t grains = (n + grain - 1) / grain;
    const auto cut = [&](std::int64_t r) {
        const std::int64_t at = grains * r / parts * grain;
        return at < n ? at : n;
    };
    return {cut(rank), cut(rank + 1)};
}

/// A fork-join pool of threads. A run has as many partitions as the pool has
/// threads; any thread may process any of them, so results must depend on the partition alone.
/// Each thread begins with its own partition and continues with those not yet begun; the caller,
/// which works too, waits only for those that others have begun. Between runs the other
/// threads spin at first, giving way to whoever needs the processor, and then sleep. Where other
/// programs keep them from running, fewer of them take part (ActiveThreads). A run allocates
/// nothing. In a child of fork() the caller processes all partitions.
class ThreadPool {
  public:
    /// `size` partitions and threads, the caller's included. With `pin`, worker r stays on the r-th
    /// allowed CPU while all take part, but only where the pool fills the whole affinity mask
    /// (otherwise two programs would compete for the same CPUs).
    explicit ThreadPool(int size, bool pin = false);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    int size() const { return size_; }

    /// Calls f(partition) for every partition and returns when all have returned. If some throw,
    /// the lowest partition's exception is thrown here. Runs from several threads take turns. A run
    /// inside a run throws std::logic_error, unless it is of another pool, of one thread.
    template <class F>
    void run(F&& f) {
        run_job(job_of(f));
    }

    /// Calls f(partition) for all partitions at once, each on its own thread, so that they may wait
    /// for each other. For tests: the call takes as long as the slowest thread.
    template <class F>
    void run_at_once(F&& f) {
        run_job(job_of(f, true));
    }

    /// How many threads take part in runs, and the fewest that ever did, trials apart.
    int active() const { return active_.load(std::memory_order_relaxed); }
    int fewest_active() const { return fewest_.load(std::memory_order_relaxed); }

    /// So many threads take part from now on; 0 lets the pool choose again.
    void fix_active(int count);

    /// At least `bytes` of memory for one partition, 64-byte aligned, kept between runs. To be
    /// called inside a run.
    std::byte* scratch(int partition, std::size_t bytes);

  private:
    friend class LivePools;
    class InsideRun;
    struct Job {
        void (*call)(void*, int) = nullptr;
        void* self = nullptr;
        bool at_once = false;
    };
    struct alignas(cache_line) Slot {
        std::atomic<std::uint32_t> begun{0};  ///< generation of the last run that began it
        std::exception_ptr error;
        std::unique_ptr<std::byte[]> scratch;
        std::size_t scratch_bytes = 0;
    };

    template <class F>
    static Job job_of(F& f, bool at_once = false) {
        auto* address = const_cast<std::remove_const_t<F>*>(std::addressof(f));
        return {[](void* self, int partition) { (*static_cast<F*>(self))(partition); }, address,
                at_once};
    }

    void end() noexcept;
    void lose_workers();
    void run_job(const Job& job);
    void adapt(const Job& job);
    std::int64_t fork_join(const Job& job);
    std::int64_t wait_for_others();
    void set_active(int count);
    void bind_workers(bool each_to_its_own);
    void work(int rank);
    bool await_run(int rank, std::uint32_t seen);
    void run_partitions(std::uint32_t run, int rank);
    enum class Outcome { not_done, done, all_at_once };
    Outcome run_partition(std::uint32_t run, int partition);
    bool begin_partition(std::uint32_t run, int partition);
    void call(const Job& job, int partition);
    void rethrow();

    int size_;
    bool patient_;        ///< threads may spin for long, as each has a processor
    bool alone_ = false;  ///< a child of fork() has no workers
    std::vector<int> cpus_;
    bool pin_;
    std::unique_ptr<Slot[]> slots_;
    std::mutex turn_;
    ActiveThreads choice_;
    Job job_;
    alignas(cache_line) std::atomic<std::uint32_t> generation_{0};  ///< counts runs; odd at the end
    std::atomic<int> sleepers_{0};
    std::atomic<int> active_;
    std::atomic<int> fewest_;
    alignas(cache_line) std::atomic<int> pending_{0};  ///< partitions of the run that are not done
    std::vector<std::thread> workers_;
};

}  // namespace aureole::device
