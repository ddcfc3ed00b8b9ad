// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>

namespace aureole::device::host {

/// Thrown in lanes that wait for a lane which has thrown.
struct TeamBroken {};

/// State that the real threads of one team share: a barrier and a slot per lane.
class TeamShared {
  public:
    static constexpr int most_lanes = 32;
    static constexpr std::size_t slot_bytes = 128;

    void reset(int lanes) { lanes_ = lanes; }

    void* slot(int lane) { return slots_[lane].bytes; }

    void barrier() {
        const std::uint32_t phase = phase_.load(std::memory_order_acquire);
        if (arrived_.fetch_add(1, std::memory_order_acq_rel) == lanes_ - 1) {
            arrived_.store(0, std::memory_order_relaxed);
            phase_.fetch_add(1, std::memory_order_acq_rel);
            phase_.notify_all();
            return;
        }
        // Teams of real threads are for tests, where threads outnumber CPUs: give way at once, and
        // sleep where the CPUs have other work.
        constexpr int yields = 50;
        for (int k = 0; k < yields && phase_.load(std::memory_order_acquire) == phase; ++k)
            std::this_thread::yield();
        while (phase_.load(std::memory_order_acquire) == phase &&
               !broken_.load(std::memory_order_acquire))
            phase_.wait(phase);
        if (broken_.load(std::memory_order_acquire)) throw TeamBroken{};
    }

    /// Releases the lanes that wait; the team is of no use after it.
    void break_up() {
        broken_.store(true, std::memory_order_release);
        phase_.fetch_add(1, std::memory_order_acq_rel);
        phase_.notify_all();
    }

  private:
    struct alignas(64) Slot {
        std::byte bytes[slot_bytes];
    };
    int lanes_ = 1;
    std::atomic<int> arrived_{0};
    std::atomic<std::uint32_t> phase_{0};
    std::atomic<bool> broken_{false};
    Slot slots_[most_lanes];
};

}  // namespace aureole::device::host
