// SPDX-License-Identifier: Apache-2.0
#include "comm/node.hpp"

#include <linux/membarrier.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstring>
#include <ctime>
#include <functional>
#include <string>
#include <utility>

#include "comm/process.hpp"
#include "core/error.hpp"
#include "core/futex.hpp"

namespace aureole::comm {

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto yield_for = 200us;  ///< before a waiter sleeps
constexpr auto first_nap = 1ms;    ///< of a waiter, between looks at processes and failures
constexpr auto longest_nap = 20ms;
constexpr auto stopped_at_most = 3s;  ///< before a stopped process is taken for lost
constexpr auto between_looks = 20ms;  ///< at the awaited process
constexpr auto longest_end = 2s;      ///< of a rank that waits for the others' last packets

}  // namespace

Node::Node(int rank, std::vector<Heap> heaps, bool own_processors)
    : rank_(rank),
      own_(std::move(heaps)),
      heaps_(own_),
      looks_(own_processors ? many_looks : few_looks) {
    begin();
}

Node::Node(int rank, std::span<Heap> heaps, bool own_processors)
    : rank_(rank), heaps_(heaps), looks_(own_processors ? many_looks : few_looks) {
    begin();
}

Node::Node(std::unique_ptr<Transport> transport, std::size_t heap_bytes)
    : rank_(transport->rank()), looks_(1) {
    for (int r = 0; r < transport->size(); ++r) own_.push_back(Heap::of_threads(r, heap_bytes));
    heaps_ = own_;
    mirrors_ = std::make_unique<Mirrors>(std::move(transport), heaps_);
    begin();
    hand_over_state();
}

void Node::begin() {
    auto& me = control();
    syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0);
    if (const auto own = state_of(getpid())) me.started = own->started;
    me.process = getpid();
    me.machine = std::hash<std::string>()(machine_name());
    me.trial_page = trial_page_.address();
    // Where a process may look only into those that it started (Yama), the first rank and those
    // that it started may look into all; see OtherMemory.
    if (control(0).process != 0) prctl(PR_SET_PTRACER, control(0).process.load(), 0, 0, 0);
    const auto room = heap().reserve<Control>(1);  // the heap's beginning; rings follow
    if (room.offset != 0) throw core::RankError("a rank was started twice");
    if (!apart()) begin_rings();
    me.here.store(1, std::memory_order_release);
}

void Node::begin_rings() {
    heap().reserve<Ring>(size());
    for (int r = 0; r < size(); ++r) memories_.emplace_back(heap(), heap(r));
    for (int r = 0; r < size(); ++r) {
        OtherMemory& memory = memories_[static_cast<std::size_t>(r)];
        writers_.emplace_back(ring_of(rank_, r), memory);
        readers_.emplace_back(ring_of(r, rank_), memory);
    }
}

/// Tells the others, where they are apart, who this rank is and whether it has left.
void Node::hand_over_state() {
    constexpr std::size_t line = 64;  // the first of Control
    for (int r = 0; r < size(); ++r) {
        mirrors_->hand_over(&control(), line, r);
        mirrors_->flush(r);
    }
}

Node::~Node() {
    if (!has_left_) tell_end();
}

void Node::leave() {
    tell_end();
    if (!apart()) return;
    const auto end = Clock::now() + longest_end;
    const auto all_have_left = [&] {
        for (int r = 0; r < size(); ++r)
            if (control(r).left == Left::no) return false;
        return true;
    };
    while (!all_have_left() && control().failed == 0 && Clock::now() < end)
        if (!mirrors_->receive()) mirrors_->sleep(first_nap);
}

void Node::tell_end() {
    has_left_ = true;
    auto none = Left::no;
    control().left.compare_exchange_strong(none, Left::regularly);
    if (apart())
        hand_over_state();
    else
        for (int r = 0; r < size(); ++r) ring(r);
}

void Node::enter(Phase phase, std::int64_t step) {
    auto& me = control();
    me.phase.store(static_cast<std::uint32_t>(phase), std::memory_order_relaxed);
    me.step.store(step, std::memory_order_relaxed);
}

void Node::set_limits(const MessageLimits& limits) {
    for (auto& writer : writers_) writer.set_limits(limits);
    for (auto& reader : readers_) reader.set_limits(limits);
}

Ring& Node::ring_of(int from, int to) {
    constexpr std::size_t after =
        (sizeof(Control) + Heap::alignment - 1) / Heap::alignment * Heap::alignment;
    auto* const rings = reinterpret_cast<Ring*>(heap(to).base() + after);
    return rings[from];
}

void Node::ring(int whom) {
    if (apart()) return mirrors_->flush(whom);
    auto& other = control(whom);
    // Either the waiter sees what was published before, or its sleep is seen here: the waiter pays
    // for the order of this store and load, see sleep().
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (other.sleeps.load(std::memory_order_relaxed) == 0) return;
    other.bell.fetch_add(1, std::memory_order_seq_cst);
    core::futex_wake(other.bell, core::Sleepers::of_all);
}

void Node::sleep(bool (*ready)(const void*), const void* self, std::chrono::nanoseconds time) {
    if (apart()) return mirrors_->sleep(std::min<std::chrono::nanoseconds>(time, first_nap));
    auto& me = control();
    const auto bell = me.bell.load(std::memory_order_seq_cst);
    me.sleeps.store(1, std::memory_order_seq_cst);
    // A full barrier on every processor that runs a rank. Without it a ring may go unheard.
    const bool ordered = syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0) == 0;
    if (!ready(self)) {
        const auto at_most = ordered ? time : std::min<std::chrono::nanoseconds>(time, first_nap);
        core::futex_wait(me.bell, bell, at_most, core::Sleepers::of_all);
    }
    me.sleeps.store(0, std::memory_order_seq_cst);
}

void Node::wait_long(int whom, bool (*ready)(const void*), const void* self) {
    auto& me = control();
    me.awaits.store(1 + whom, std::memory_order_relaxed);
    const auto begin = Clock::now();
    auto next_look = begin + between_looks;
    std::chrono::nanoseconds nap = first_nap;
    stopped_for_ = 0;
    if (apart()) mirrors_->flush();
    while (!ready(self)) {
        if (apart() && mirrors_->receive()) continue;
        check();
        const auto now = Clock::now();
        if (now - begin < yield_for) {
            sched_yield();
            continue;
        }
        sleep(ready, self, nap);
        nap = std::min<std::chrono::nanoseconds>(nap * 5 / 4, longest_nap);
        if (Clock::now() < next_look || ready(self)) continue;
        const auto lost = why_lost(whom);
        if (!lost.empty() && !ready(self)) {  // it may have done it before it ended
            check();
            fail(lost);
        }
        next_look = Clock::now() + between_looks;
    }
    me.awaits.store(0, std::memory_order_relaxed);
}

std::string Node::waiting() const {
    std::string text = "while rank " + std::to_string(rank_) + " waited for it (" +
                       name_of(static_cast<Phase>(control().phase.load()));
    const auto step = control().step.load();
    if (step >= 0) text += ", step " + std::to_string(step);
    return text + ")";
}

std::string Node::why_lost(int whom) {
    auto& other = control(whom);
    const std::string name = "rank " + std::to_string(whom);
    if (other.left.load(std::memory_order_acquire) != Left::no) return name + " ended " + waiting();
    const auto process = other.process.load();  // 0 before it begins
    if (process == 0 || other.machine != control().machine || process == getpid()) return {};
    const auto state = state_of(process);
    const std::string who = name + " (process " + std::to_string(process) + ")";
    if (!state || state->state == 'Z' || state->state == 'X' || state->started != other.started)
        return other.left.load(std::memory_order_acquire) == Left::no ? who + " died " + waiting()
                                                                      : std::string();
    if (state->state != 'T' && state->state != 't') {
        stopped_for_ = 0;
        return {};
    }
    stopped_for_ += std::chrono::duration<double>(between_looks).count();
    const bool for_long = stopped_for_ >= std::chrono::duration<double>(stopped_at_most).count();
    return for_long ? who + " is stopped " + waiting() : std::string();
}

void Node::pass_apart(int to, std::span<const std::byte> out, int from, std::span<std::byte> in) {
    if (to >= 0) {
        mirrors_->send(to, out);
        mirrors_->flush(to);
    }
    if (from < 0) return;
    wait(from, [&] { return mirrors_->has_message(from); });
    const Bytes message = mirrors_->take_message(from);
    if (message.size() != in.size()) fail_by_size(from, message.size(), in.size());
    if (!in.empty()) std::memcpy(in.data(), message.data(), in.size());
}

void Node::pass(int to, std::span<const std::byte> out, int from, std::span<std::byte> in) {
    if (apart()) return pass_apart(to, out, from, in);
    RingWriter* const writer = to < 0 ? nullptr : &writers_[static_cast<std::size_t>(to)];
    RingReader* const reader = from < 0 ? nullptr : &readers_[static_cast<std::size_t>(from)];
    if (reader == nullptr && writer->send_line(out)) return ring(to);
    if (writer == nullptr) {
        wait(from, [&] { return reader->may_advance(); });
        const auto before = reader->told();
        if (reader->receive_line(in)) {
            if (reader->told() != before) ring(from);
            return;
        }
    }
    if (writer != nullptr) writer->begin(out);
    if (reader != nullptr) reader->begin(in);
    for (bool sent = writer == nullptr, received = reader == nullptr; !sent || !received;) {
        if (!sent) {
            const auto before = writer->told();
            sent = writer->advance();
            if (writer->failed()) fail_to_copy(to);
            if (writer->told() != before) ring(to);
        }
        if (!received) {
            const auto before = reader->told();
            received = reader->advance();
            if (reader->failed()) fail_to_copy(from);
            if (!reader->fits())
                fail_by_size(from, static_cast<std::size_t>(reader->size()), in.size());
            if (reader->told() != before) ring(from);
        }
        if (sent && received) return;
        wait(received ? to : from, [&] {
            return (!sent && writer->may_advance()) || (!received && reader->may_advance());
        });
    }
}

void Node::fail_by_size(int from, std::size_t sent, std::size_t expected) {
    fail("rank " + std::to_string(from) + " sent " + std::to_string(sent) + " bytes where rank " +
         std::to_string(rank_) + " expected " + std::to_string(expected));
}

void Node::fail_to_copy(int whom) {
    const std::string why = std::strerror(errno);
    const std::string lost = why_lost(whom);
    fail(!lost.empty()
             ? lost
             : "rank " + std::to_string(rank_) + " can no longer copy the memory of rank " +
                   std::to_string(whom) + " (" + why + ")");
}

void Node::tell_failure(const std::exception& error) {
    auto& me = control();
    if (me.failure_taken.exchange(1) == 0) me.failure.describe(error);
    for (int r = 0; r < size(); ++r) {
        if (apart()) {
            mirrors_->hand_over(&me.failure, sizeof me.failure, r);
            mirrors_->tell_failure(r);
        }
        std::int32_t none = 0;
        control(r).failed.compare_exchange_strong(none, 1 + rank_, std::memory_order_acq_rel);
        ring(r);
    }
}

void Node::fail(const std::string& text) {
    const core::RankError error(text);
    tell_failure(error);
    check();
    throw error;
}

void Node::check() {
    const auto failed = control().failed.load(std::memory_order_acquire);
    if (failed == 0) return;
    control().left.store(Left::failing, std::memory_order_release);
    control(failed - 1).failure.raise();
}

}  // namespace aureole::comm
