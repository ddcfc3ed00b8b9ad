// SPDX-License-Identifier: Apache-2.0
#include "device/thread_pool.hpp"

#include <pthread.h>
#include <sched.h>

#include <stdexcept>
#include <string>
#include <system_error>

#include "core/error.hpp"
#include "device/cpu_limits.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace aureole::device {

namespace {

thread_local bool inside_run = false;

void relax() {
#if defined(__x86_64__)
    _mm_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

void pin_to(int cpu) {
    // Best effort: a mask that shrank since it was read is no reason to fail.
    if (cpu < 0 || cpu >= CPU_SETSIZE) return;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

struct InsideRun {
    InsideRun() { inside_run = true; }
    ~InsideRun() { inside_run = false; }
};

}  // namespace

ThreadPool::ThreadPool(int size, bool pin) : size_(size), slots_(size > 0 ? size : 0) {
    if (size < 1) throw std::logic_error("a ThreadPool has at least one rank");
    const std::vector<int> cpus = allowed_cpus();
    const bool fills = static_cast<std::size_t>(size) == cpus.size();
    // A thread that has a CPU of its own may spin through the serial parts of a step and wait for
    // others (up to half a millisecond): to be woken would take a tenth of one. A thread that
    // shares its CPU would only hold the others up.
    spins_ = !sanitized && size <= usable_threads() ? 10'000 : 20;
    workers_.reserve(size - 1);
    try {
        for (int rank = 1; rank < size; ++rank)
            workers_.emplace_back(
                [this, rank, cpu = pin && fills ? cpus[rank] : -1] { work(rank, cpu); });
    } catch (const std::system_error& error) {
        end();
        throw core::DeviceError("cannot start " + std::to_string(size) + " threads", error.what(),
                                "Ask for fewer threads.");
    }
}

ThreadPool::~ThreadPool() { end(); }

void ThreadPool::end() noexcept {
    stop_.store(true);
    generation_.fetch_add(1);
    generation_.notify_all();
    for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::run_job(Job job) {
    if (inside_run) throw std::logic_error("ThreadPool::run was called inside a run");
    const std::lock_guard lock(turn_);
    if (size_ == 1) {
        const InsideRun inside;
        job.call(job.self, 0);
    } else {
        fork_join(job);
        rethrow();
    }
}

void ThreadPool::fork_join(Job job) {
    job_ = job;
    pending_.store(size_ - 1, std::memory_order_relaxed);
    // Sequentially consistent against the sleeper's count-then-look in work().
    generation_.fetch_add(1);
    if (sleepers_.load() > 0) generation_.notify_all();
    {
        const InsideRun inside;
        call(job, 0);
    }
    for (int spin = 0; spin < spins_; ++spin) {
        if (pending_.load(std::memory_order_acquire) == 0) return;
        relax();
    }
    for (int left; (left = pending_.load(std::memory_order_acquire)) != 0;) pending_.wait(left);
}

void ThreadPool::work(int rank, int cpu) {
    pin_to(cpu);
    inside_run = true;
    std::uint32_t seen = 0;
    for (;;) {
        for (int spin = 0; spin < spins_; ++spin) {
            if (generation_.load(std::memory_order_acquire) != seen) break;
            relax();
        }
        if (generation_.load(std::memory_order_acquire) == seen) {
            sleepers_.fetch_add(1);
            while (generation_.load() == seen) generation_.wait(seen);
            sleepers_.fetch_sub(1);
        }
        ++seen;
        if (stop_.load()) return;
        call(job_, rank);
        if (pending_.fetch_sub(1, std::memory_order_acq_rel) == 1) pending_.notify_one();
    }
}

void ThreadPool::call(Job job, int rank) {
    try {
        job.call(job.self, rank);
    } catch (...) {
        slots_[rank].error = std::current_exception();
    }
}

void ThreadPool::rethrow() {
    std::exception_ptr first;
    for (Slot& slot : slots_) {
        if (!first) first = slot.error;
        slot.error = nullptr;
    }
    if (first) std::rethrow_exception(first);
}

std::byte* ThreadPool::scratch(int rank, std::size_t bytes) {
    Slot& slot = slots_[rank];
    if (slot.scratch_bytes < bytes || !slot.scratch) {
        slot.scratch = std::make_unique<std::byte[]>(bytes + cache_line);
        slot.scratch_bytes = bytes;
    }
    const auto address = reinterpret_cast<std::uintptr_t>(slot.scratch.get());
    return slot.scratch.get() + (-address & (cache_line - 1));
}

}  // namespace aureole::device
