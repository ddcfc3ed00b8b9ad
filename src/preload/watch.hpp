// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>

#include "preload/handle.hpp"
#include "preload/node.hpp"
#include "preload/where.hpp"

namespace aureole::preload {

/// Which receives this process watches. It lets others send envelopes when all that are open are
/// watched: from the start where the machine has devices, else from the moment on when the program
/// has loaded a driver, if no receive was posted before that may still be open.
class Watch {
  public:
    /// Called when MPI has started.
    void begin();
    /// All receives are watched from now on, unless one is open that is not.
    bool turn_on() {
        long none = 0;
        return state_.compare_exchange_strong(none, on) || none == on;
    }
    bool is_on() { return state_.load(std::memory_order_acquire) == on || turns_on(); }
    /// Whether receives are watched, or may be later.
    bool may_begin() const {
        return node().page() != nullptr || state_.load(std::memory_order_relaxed) == on;
    }
    /// A receive with room for a header is posted, where watching may begin: whether it is watched.
    /// If it is not, that counts until `end_unwatched`.
    bool begin_receive() {
        if (is_on()) return true;
        long open = state_.load(std::memory_order_relaxed);
        while (open != on && !state_.compare_exchange_weak(open, open + 1)) {
        }
        return open == on;
    }
    void end_unwatched() { state_.fetch_sub(1, std::memory_order_acq_rel); }
    /// A buffer in device memory was passed to MPI.
    void see(const Allocation& device_memory) {
        if (node().page() == nullptr) return;
        if (!has_device_.load(std::memory_order_acquire)) keep(device_memory);
        answer_offers();
    }
    /// There are receives that cannot be watched: no more envelopes may come.
    void close() {
        if (Page* const page = node().page()) page->is_closed.store(1, std::memory_order_release);
    }
    /// Answers what others have asked meanwhile, if this process has used a device.
    void answer_offers() {
        Page* const page = node().page();
        if (page == nullptr || !has_device_.load(std::memory_order_acquire) || !is_on()) return;
        if (answered_.load(std::memory_order_relaxed) <
            page->offers_made.load(std::memory_order_acquire))
            answer(*page);
    }
    /// Whether one thread at a time is in MPI, so that none probes while another one receives.
    bool is_serial() const { return is_serial_; }
    /// Whether a rank was told that it may send envelopes.
    bool is_answered(int rank);
    /// Some device of this process, for payloads that go to memory of the host.
    Allocation device();

  private:
    bool turns_on() {
        return node().page() != nullptr && state_.load(std::memory_order_relaxed) == 0 &&
               *drivers::Driver::all() != nullptr && turn_on();
    }
    void answer(Page& page);
    bool can_map(const Offer& offer) const;
    void keep(const Allocation& at);

    static constexpr long on = -1;
    std::atomic<long> state_ = 0;  // how many receives are open that are not watched; or on
    std::atomic<bool> has_device_ = false;
    bool is_serial_ = false;
    std::atomic<std::uint32_t> answered_ = 0;
    std::mutex lock_;
    std::set<int> senders_;
    Allocation device_;
};

Watch& watch();

/// A receive: whether it is watched in memory of the host too. Small ones, which cannot take a
/// header, cost the least.
class Receive {
  public:
    template <class N>
    Receive(N count, Handle type)
        : may_take_header_(watch().may_begin() &&
                           may_take_header(static_cast<std::int64_t>(count), type)),
          is_watched_(may_take_header_ && watch().begin_receive()) {}
    bool is_watched() const { return is_watched_; }

  protected:
    bool is_counted() const { return may_take_header_ && !is_watched_; }

  private:
    static bool may_take_header(std::int64_t count, Handle type);

    bool may_take_header_, is_watched_;
};

/// One that is not watched stays open for an unknown time.
using PostedReceive = Receive;

/// One that is not watched ends with the call.
class BlockingReceive : public Receive {
  public:
    using Receive::Receive;
    BlockingReceive(const BlockingReceive&) = delete;
    BlockingReceive& operator=(const BlockingReceive&) = delete;
    ~BlockingReceive() {
        if (is_counted()) watch().end_unwatched();
    }
    /// Whether it is watched in memory of the host, where its buffer needs no list of those that
    /// probes look at (`receive_on_host`).
    bool needs_no_list(const Allocation& at) const {
        return is_watched() && !at.on_device() && watch().is_serial();
    }
};

}  // namespace aureole::preload
