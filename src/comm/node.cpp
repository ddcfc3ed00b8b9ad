// SPDX-License-Identifier: Apache-2.0
#include "comm/node.hpp"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstring>
#include <ctime>
#include <utility>

#include "comm/process.hpp"
#include "core/error.hpp"

namespace aureole::comm {

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto yield_for = 200us;     ///< before a waiter sleeps
constexpr auto nap = 1ms;             ///< between looks at processes and failures
constexpr auto stopped_at_most = 3s;  ///< before a stopped process is taken for lost
constexpr auto between_looks = 20ms;  ///< at the awaited process

std::uint32_t* word_of(std::atomic<std::uint32_t>& at) {
    return reinterpret_cast<std::uint32_t*>(&at);
}

}  // namespace

Node::Node(int rank, std::vector<Heap> heaps, bool own_processors)
    : rank_(rank), own_(std::move(heaps)), heaps_(own_), own_processors_(own_processors) {
    begin();
}

Node::Node(int rank, std::span<Heap> heaps, bool own_processors)
    : rank_(rank), heaps_(heaps), own_processors_(own_processors) {
    begin();
}

void Node::begin() {
    auto& me = control();
    if (const auto own = state_of(getpid())) me.started = own->started;
    me.process = getpid();
    const auto room = heap().reserve<Control>(1);  // the heap's beginning
    if (room.offset != 0) throw core::RankError("a rank began twice");
    me.here.store(1, std::memory_order_release);
}

Node::~Node() {
    auto none = Left::no;
    control().left.compare_exchange_strong(none, Left::regularly);
    for (int r = 0; r < size(); ++r) ring(r);
}

void Node::enter(Phase phase, std::int64_t step) {
    auto& me = control();
    me.phase.store(static_cast<std::uint32_t>(phase), std::memory_order_relaxed);
    me.step.store(step, std::memory_order_relaxed);
}

void Node::ring(int whom) {
    auto& other = control(whom);
    // Either the waiter sees what was published before, or its sleep is seen here.
    core::store_before_load();
    if (other.sleeps.load(std::memory_order_relaxed) == 0) return;
    other.bell.fetch_add(1, std::memory_order_seq_cst);
    syscall(SYS_futex, word_of(other.bell), FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void Node::sleep(bool (*ready)(const void*), const void* self) {
    auto& me = control();
    const auto bell = me.bell.load(std::memory_order_seq_cst);
    me.sleeps.store(1, std::memory_order_seq_cst);
    core::store_before_load();
    if (!ready(self)) {
        const timespec time{0, std::chrono::nanoseconds(nap).count()};
        syscall(SYS_futex, word_of(me.bell), FUTEX_WAIT, bell, &time, nullptr, 0);
    }
    me.sleeps.store(0, std::memory_order_seq_cst);
}

void Node::wait_long(int whom, bool (*ready)(const void*), const void* self) {
    auto& me = control();
    me.awaits.store(1 + whom, std::memory_order_relaxed);
    const auto begin = Clock::now();
    auto next_look = begin + between_looks;
    stopped_for_ = 0;
    while (!ready(self)) {
        check();
        const auto now = Clock::now();
        if (now - begin < yield_for) {
            sched_yield();
            continue;
        }
        sleep(ready, self);
        if (Clock::now() < next_look || ready(self)) continue;
        look_after(whom);
        next_look = Clock::now() + between_looks;
    }
    me.awaits.store(0, std::memory_order_relaxed);
}

std::string Node::waited_for(int whom) {
    auto& me = control();
    std::string text = "while rank " + std::to_string(rank_) + " waited for it (" +
                       name_of(static_cast<Phase>(me.phase.load()));
    const auto step = me.step.load();
    if (step >= 0) text += ", step " + std::to_string(step);
    static_cast<void>(whom);
    return text + ")";
}

void Node::look_after(int whom) {
    auto& other = control(whom);
    const std::string name = "rank " + std::to_string(whom);
    if (other.left.load(std::memory_order_acquire) != Left::no) {
        check();  // with what it said
        fail(name + " ended " + waited_for(whom));
    }
    if (other.here.load(std::memory_order_acquire) == 0 || other.process == getpid()) return;
    const auto process = other.process.load();
    const auto state = state_of(process);
    const std::string who = name + " (process " + std::to_string(process) + ")";
    if (!state || state->state == 'Z' || state->state == 'X' || state->started != other.started) {
        if (other.left.load(std::memory_order_acquire) == Left::no)
            fail(who + " died " + waited_for(whom));
        return;
    }
    if (state->state != 'T' && state->state != 't') {
        stopped_for_ = 0;
        return;
    }
    stopped_for_ += std::chrono::duration<double>(between_looks).count();
    if (stopped_for_ >= std::chrono::duration<double>(stopped_at_most).count())
        fail(who + " is stopped " + waited_for(whom));
}

void Node::tell_failure(const std::string& text) {
    auto& me = control();
    if (me.text_taken.exchange(1) == 0) {
        const auto n = std::min(text.size(), Control::text_bytes - 1);
        std::memcpy(me.text, text.data(), n);
        me.text[n] = 0;
    }
    for (int r = 0; r < size(); ++r) {
        std::int32_t none = 0;
        control(r).failed.compare_exchange_strong(none, 1 + rank_, std::memory_order_acq_rel);
        ring(r);
    }
}

void Node::fail(const std::string& text) {
    tell_failure(text);
    check();
    throw core::RankError(text);
}

void Node::check() {
    const auto failed = control().failed.load(std::memory_order_acquire);
    if (failed == 0) return;
    control().left.store(Left::failing, std::memory_order_release);
    throw core::RankError(control(failed - 1).text);
}

}  // namespace aureole::comm
