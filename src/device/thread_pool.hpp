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

/// Threads that run one function together, fork-join. Rank 0 is the caller, the others wait
/// between runs: spinning at first, then asleep. A run allocates nothing.
class ThreadPool {
  public:
    /// `size` ranks. With `pin`, worker r stays on the r-th allowed CPU, but only where the pool
    /// fills the whole affinity mask (otherwise two programs would meet on the same CPUs).
    explicit ThreadPool(int size, bool pin = false);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    int size() const { return size_; }

    /// Calls f(rank) on every rank and returns when all have returned. If some throw, the lowest
    /// rank's exception is thrown here. Runs from several threads take turns; a run inside a run
    /// throws std::logic_error.
    template <class F>
    void run(F&& f) {
        using Function = std::remove_reference_t<F>;
        auto* address = const_cast<std::remove_const_t<Function>*>(std::addressof(f));
        run_job({[](void* self, int rank) { (*static_cast<Function*>(self))(rank); }, address});
    }

    /// At least `bytes` of memory for `rank` alone, 64-byte aligned, kept between runs. To be
    /// called inside a run.
    std::byte* scratch(int rank, std::size_t bytes);

  private:
    void end() noexcept;
    struct Job {
        void (*call)(void*, int) = nullptr;
        void* self = nullptr;
    };
    struct alignas(cache_line) Slot {
        std::exception_ptr error;
        std::unique_ptr<std::byte[]> scratch;
        std::size_t scratch_bytes = 0;
    };

    void run_job(Job job);
    void fork_join(Job job);
    void work(int rank, int cpu);
    void call(Job job, int rank);
    void rethrow();

    int size_;
    int spins_;
    std::vector<Slot> slots_;
    std::mutex turn_;
    Job job_;
    alignas(cache_line) std::atomic<std::uint32_t> generation_{0};
    std::atomic<int> sleepers_{0};
    std::atomic<bool> stop_{false};
    alignas(cache_line) std::atomic<int> pending_{0};
    std::vector<std::thread> workers_;
};

}  // namespace aureole::device
