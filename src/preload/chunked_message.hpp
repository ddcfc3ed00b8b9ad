// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>

#include "core/error.hpp"
#include "preload/announcements.hpp"
#include "preload/staging.hpp"

namespace aureole::preload {

/// The chunks of one message: they are copied to pinned memory, one after the other, and posted in
/// that order when their copies are there. The memory goes back when MPI has sent them.
class ChunkedMessage {
  public:
    /// How many copies are under way while a call waits.
    static constexpr int ahead = 4;
    /// How many chunks one copy is of, at most, where a call returns before.
    static constexpr int most_together = 8;

    ChunkedMessage(std::unique_ptr<Staged> payload, int rank, int slot, std::uint32_t serial)
        : payload_(std::move(payload)), rank_(rank), slot_(slot), serial_(serial) {}
    ChunkedMessage(const ChunkedMessage&) = delete;
    ChunkedMessage& operator=(const ChunkedMessage&) = delete;
    ~ChunkedMessage();

    int slot() const { return slot_; }
    std::uint32_t serial() const { return serial_; }
    std::int64_t size() const { return payload_->size(); }

    /// Tells the receiver's probes of it.
    void announce(int tag);
    /// Queues the first copies, of a chunk each.
    void start();
    /// Queues all copies, as the program goes on with something else: few, as each costs the time
    /// of a call of the driver.
    void start_all();
    /// Posts chunks that are copied, and gives back memory of those that are sent.
    void go_on();
    /// Posts all chunks.
    void post_all();
    /// After `post_all`: throws what went wrong on this side. The receiver knows it too.
    void throw_problem();
    /// The header was not sent, or cancelled: nobody will receive the chunks.
    void withdraw();

    bool is_posted() const { return is_posted_.load(std::memory_order_acquire); }
    /// Whether MPI has sent all that was posted.
    bool is_sent();
    /// Whether the receiver has all of it, so that the slot is free.
    bool is_complete();

  private:
    struct Copy {
        std::shared_ptr<Pinned> memory;
        std::int64_t bytes;
        Staged::Lists lists;
        drivers::Mark mark;
    };
    struct Sent {
        std::shared_ptr<Pinned> memory;
        Handle request;
    };

    void start_locked(std::size_t most, std::int64_t bytes);
    void step_locked();
    void post(const Copy& copy);
    void post(std::shared_ptr<Pinned> memory, std::int64_t first, std::int64_t bytes);
    void give_up(const core::DeviceError& why);
    void end_copies() noexcept;
    void reap();

    std::mutex lock_;
    std::unique_ptr<Staged> payload_;
    const int rank_, slot_;
    const std::uint32_t serial_;
    Announcement announcement_{};
    std::int64_t queued_ = 0, posted_ = 0;  // [bytes]
    std::deque<Copy> copies_;               // under way
    std::deque<Sent> sent_;                 // posted
    std::atomic<bool> is_posted_ = false;
    bool is_announced_ = false, is_withdrawn_ = false;
    std::exception_ptr problem_;
};

}  // namespace aureole::preload
