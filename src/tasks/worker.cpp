// SPDX-License-Identifier: Apache-2.0
#include "tasks/worker.hpp"

#include <stdexcept>
#include <string>

#include "tasks/pool.hpp"

namespace aureole::tasks {

constinit thread_local Worker* Worker::here_ = nullptr;

void no_worker(const char* what) {
    throw std::logic_error(std::string(what) +
                           " outside of a run (nothing would own it). Do so in Pool::run.");
}

Worker::Worker(Pool& owner, int number)
    : pool(owner),
      rank(number),
      seeded_(owner.options().seed != 0),
      sleepers_(owner.sleepers()),
      random_((owner.options().seed + number + 1) * 0x9e3779b97f4a7c15u | 1),
      recycler_(device::Recycler::borrow(device::Recycler::Holds::jobs)) {}

std::uint64_t Worker::random() {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    return random_ ^= random_ << 17;
}

void Worker::put(Job* added) { pool.put(added); }
void Worker::wake_one() { pool.wake_one(); }

void Worker::borrow(Scope* of) {
    if (creditor_ != of) return_credit();
    of->take(*this, lot);
    creditor_ = of;
    credit_ = lot;
}

void Worker::return_credit() {
    Scope* const of = std::exchange(creditor_, nullptr);
    if (const std::int64_t units = std::exchange(credit_, 0)) of->give(units);
}

Job* Worker::steal() {
    const auto& workers = pool.all_workers();
    const std::size_t count = workers.size();
    if (count == 1) return nullptr;
    const std::size_t first = (random() >> 32) % count;
    for (std::size_t k = 0; k < count; ++k) {
        Worker& victim = *workers[(first + k) % count];
        if (Job* const found = &victim == this ? nullptr : victim.deque.steal()) return found;
    }
    return nullptr;
}

Job* Worker::find() {
    if (seeded_) return pool.take(random() >> 32);
    Job* const found = deque.take();
    if (!found) return steal();
    // After the deque's store, in the order of all: sees every sleeper that did not see the rest.
    if (sleepers_.load(std::memory_order_seq_cst) > 0 && !deque.empty()) wake_one();
    return found;
}

void Worker::work(const std::atomic<bool>& ended) {
    bool is_idle = false;
    Clock::time_point since;
    while (!ended.load(std::memory_order_acquire)) {
        if (pool.poller().due(*this) && pool.poller().visit(*this) && std::exchange(is_idle, false))
            idle += Clock::now() - since;
        if (Job* const found = find()) {
            if (std::exchange(is_idle, false)) {
                idle += Clock::now() - since;
                // There may be more, and somebody should keep watch.
                if (sleepers_.load() > 0 && (!deque.empty() || pool.poller().pending() > 0))
                    wake_one();
            }
            found->run();
            count();
            continue;
        }
        return_credit();
        if (ended.load(std::memory_order_acquire)) return;
        if (!std::exchange(is_idle, true)) {
            since = Clock::now();
            count();
        }
        pool.rest(*this, since, ended);
        until_look_ = 0;
    }
}

}  // namespace aureole::tasks
