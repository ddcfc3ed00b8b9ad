// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "comm/control.hpp"
#include "comm/heap.hpp"
#include "comm/mirrors.hpp"
#include "comm/other_memory.hpp"
#include "comm/ring.hpp"
#include "core/wait.hpp"

namespace aureole::comm {

/// The ranks, as one of them sees them: they share memory, or have mirrors of it. Each wait ends
/// when what is waited for has come, when any rank has failed, or when the awaited process has died
/// or stopped: the last two throw core::RankError, on all ranks.
class Node {
  public:
    /// `heaps` of all ranks, in their order; `own_processors`: no two ranks share one.
    Node(int rank, std::vector<Heap> heaps, bool own_processors);
    /// For ranks that are threads: the heaps live elsewhere.
    Node(int rank, std::span<Heap> heaps, bool own_processors);
    /// For ranks that share no memory.
    Node(std::unique_ptr<Transport> transport, std::size_t heap_bytes);
    ~Node();
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;

    int rank() const { return rank_; }
    int size() const { return static_cast<int>(heaps_.size()); }
    Heap& heap() { return heaps_[static_cast<std::size_t>(rank_)]; }
    Heap& heap(int rank) { return heaps_[static_cast<std::size_t>(rank)]; }
    Control& control(int rank) {
        return *reinterpret_cast<Control*>(heaps_[static_cast<std::size_t>(rank)].base());
    }
    Control& control() { return control(rank_); }
    const Control& control() const { return const_cast<Node*>(this)->control(rank_); }

    void enter(Phase phase, std::int64_t step);
    /// Waits until ready(), which rank `whom` makes true.
    template <class Ready>
    void wait(int whom, const Ready& ready) {
        for (int k = 0; k < looks_; ++k) {
            if (ready()) return;
            core::relax();
        }
        wait_long(
            whom, [](const void* self) { return (*static_cast<const Ready*>(self))(); }, &ready);
    }
    /// Whether these ranks share no memory.
    bool apart() const { return mirrors_ != nullptr; }
    /// Hands bytes over where ranks are apart, see Mirrors; they leave with the next ring().
    void hand_over(const void* at, std::size_t bytes, int whom) {
        mirrors_->hand_over(at, bytes, whom);
    }
    /// Whether memory of that rank's process is copied as a whole; the first call tries it.
    bool copies_with(int rank) {
        if (apart()) return rank == rank_;
        auto& memory = memories_[static_cast<std::size_t>(rank)];
        return memory.same_process() || memory.by_system();
    }
    /// Sets the limits of messages from now on; the same on all ranks.
    void set_limits(const MessageLimits& limits);
    /// Wakes rank `whom` if it sleeps; to be called after something was published to it.
    void ring(int whom);
    /// Sends a message to rank `to`, receives one of rank `from`, or both at the same time;
    /// a negative rank: neither. Returns when `out` may be changed and `in` is there. Fails on all
    /// ranks if the message that comes has another size.
    void pass(int to, std::span<const std::byte> out, int from, std::span<std::byte> in);
    /// Makes all ranks throw this error where they wait, or wait next; the first one told counts.
    void tell_failure(const std::exception& error);
    [[noreturn]] void fail(const std::string& text);
    /// Throws if any rank has failed.
    void check();
    /// Tells the others that this rank does nothing more. Where they are apart, takes what they
    /// still send, for some seconds at most, unless a rank has failed.
    void leave();

  private:
    static constexpr int many_looks = 1000, few_looks = 20;  ///< before a wait is a long one

    void begin();
    void begin_rings();
    void tell_end();
    void hand_over_state();
    void pass_apart(int to, std::span<const std::byte> out, int from, std::span<std::byte> in);
    void wait_long(int whom, bool (*ready)(const void*), const void* self);
    void sleep(bool (*ready)(const void*), const void* self, std::chrono::nanoseconds time);
    /// Why rank `whom` will never do what it has not done yet: it ended, died, or is stopped by a
    /// signal for some seconds. Empty if it may.
    std::string why_lost(int whom);
    std::string waiting() const;
    [[noreturn]] void fail_to_copy(int whom);
    [[noreturn]] void fail_by_size(int from, std::size_t sent, std::size_t expected);
    /// The ring of the messages that rank `from` sends to rank `to`.
    Ring& ring_of(int from, int to);

    int rank_;
    std::vector<Heap> own_;  ///< of processes; the heaps of threads live elsewhere
    std::span<Heap> heaps_;
    int looks_;
    std::unique_ptr<Mirrors> mirrors_;  ///< null where ranks share memory
    bool has_left_ = false;
    TrialPage trial_page_;
    std::vector<OtherMemory> memories_;  ///< of each rank
    std::vector<RingWriter> writers_;    ///< to each rank
    std::vector<RingReader> readers_;    ///< from each rank
    double stopped_for_ = 0;             ///< since when the awaited process is stopped [s]
};

}  // namespace aureole::comm
