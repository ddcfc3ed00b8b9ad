// SPDX-License-Identifier: Apache-2.0
#include "tasks/poller.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/error.hpp"
#include "core/wait.hpp"
#include "tasks/pool.hpp"

namespace aureole::tasks {

namespace {

constexpr auto between_visits = std::chrono::microseconds(2);
// Reading the clock takes 20 to 150 ns, which tiny tasks need not pay each.
constexpr int longest_stride = 8;

/// Adds the first of many lines to a text, and how many more there are.
void list(std::string& text, const std::vector<std::string>& lines) {
    constexpr std::size_t most = 12;
    for (std::size_t k = 0; k < lines.size() && k < most; ++k)
        text += (text.empty() ? "" : "; ") + lines[k];
    if (lines.size() > most) text += "; and " + std::to_string(lines.size() - most) + " more";
}

}  // namespace

void Poller::add(Outside* outside) {
    pending_.add(outside);
    pool_.keep_watch();
}

void Pending::settle(Worker&, State*& ready) {
    event = {};
    if (Outside::error) set_error(scope->fail(*this, Outside::error));
    Job::next = ready;
    ready = this;
}

Future Poller::when(device::Event event, int lane, Origin place) {
    Worker& worker = this_worker("an event was waited for");
    if (lane < 0) throw std::logic_error("a lane of the poller is negative");
    try {
        if (worker.seeded_ ? !event.state() : event.ready()) return {};
    } catch (...) {
        // The next visit finds the error as well.
    }
    auto* const pending = start<Pending>(worker, worker.scope, worker.job_name(), place);
    pending->lane = lane;
    pending->event = std::move(event);
    Future future(pending);
    add(pending);
    return future;
}

bool Poller::late(Worker& worker) {
    const auto now = Clock::now().time_since_epoch();
    const Clock::duration ago = now - Clock::duration(last_.load(std::memory_order_relaxed));
    const bool is_late = ago >= between_visits;
    worker.stride_ = is_late ? 1 : std::min(2 * worker.stride_, longest_stride);
    worker.until_look_ = worker.stride_;
    if (is_late) last_.store(now.count(), std::memory_order_relaxed);
    return is_late;
}

void Poller::sort_in() noexcept {
    pending_.take_new([this](Outside* outside) {
        const auto lane = static_cast<std::size_t>(outside->lane);
        if (lanes_.size() <= lane) lanes_.resize(lane + 1);
        lanes_[lane].pending.push_back(outside);
    });
}

void Poller::put_settled(Outside* outside) {
    outside->next = settled_;
    settled_ = outside;
    ++settled_count_;
}

/// Asks the oldest, and those after it up to the first that is not ready.
void Poller::ask(Lane& lane) {
    auto& all = lane.pending;
    const auto first = lane.first;
    std::int64_t asked = 0;
    for (; lane.first < all.size(); ++lane.first) {
        Outside* const oldest = all[lane.first];
        ++asked;
        try {
            if (!oldest->event.ready()) break;
        } catch (...) {
            oldest->error = std::current_exception();
        }
        put_settled(oldest);
    }
    asked_.store(asked_.load(std::memory_order_relaxed) + asked, std::memory_order_relaxed);
    lane.serial += static_cast<std::int64_t>(lane.first - first);
    if (2 * lane.first < all.size()) return;
    all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(lane.first));
    lane.first = 0;
}

bool Poller::visit(Worker& worker) {
    if (!pending_.begin_visit()) return false;
    sort_in();
    for (Lane& lane : lanes_)
        if (!worker.seeded_ || worker.random() >> 63) ask(lane);
    return finish(worker);
}

/// Ends the visit, and lets those go on that waited for what is settled.
bool Poller::finish(Worker& worker) {
    Outside* list = std::exchange(settled_, nullptr);
    const std::int64_t count = std::exchange(settled_count_, 0);
    if (count) pending_.settle(count);
    pending_.end_visit();
    if (!list) return false;
    pool_.keep_watch();  // what goes on may take long
    State* ready = nullptr;
    while (Outside* const outside = list) {
        list = outside->next;
        outside->settle(worker, ready);
    }
    finish_all(worker, ready);
    return true;
}

void Poller::give_up(Worker& worker) {
    // Nobody else settles anything during the visit; if all others sleep too, nobody does anything.
    if (!pending_.begin_visit()) return;
    if (!pool_.others_sleep()) return pending_.end_visit();
    worker.count();  // the patience with what goes on from here begins anew
    sort_in();
    for (Lane& lane : lanes_) ask(lane);
    if (settled_) return static_cast<void>(finish(worker));  // it came meanwhile
    std::vector<std::string> pending, waiting;
    std::vector<Outside*> all;
    for (std::size_t k = 0; k < lanes_.size(); ++k) {
        Lane& lane = lanes_[k];
        for (; lane.first < lane.pending.size(); ++lane.first) {
            all.push_back(lane.pending[lane.first]);
            pending.push_back("event " + std::to_string(lane.serial++) + " of lane " +
                              std::to_string(k) + " for " + describe(all.back()->asker()));
        }
    }
    const std::vector<State*> awaited = pool_.awaited();
    for (State* state : awaited)
        for (const Job* job = state->waiting(); job; job = job->next)
            waiting.push_back("task " + describe(*job) + " waits for " + describe(*state));
    std::string text;
    list(text, pending);
    list(text, waiting);
    const auto error = nothing_happened(text);
    Job* let_go = nullptr;
    for (State* state : awaited) {
        state->set_error(error);
        for (Job* job = state->close(); job;) {
            Job* const next = std::exchange(job->next, let_go);
            let_go = std::exchange(job, next);
        }
    }
    for (Outside* each : all) {
        each->given_up = true;
        each->error = error;
        put_settled(each);
    }
    finish(worker);
    worker.release(let_go);
}

std::exception_ptr Poller::nothing_happened(const std::string& what) const {
    return std::make_exception_ptr(core::DeviceError(
        "nothing has happened for " + std::to_string(pool_.options().patience.count()) +
            " ms that tasks wait for",
        what,
        "Look for a queue that hangs, or for tasks that wait for each other, or raise "
        "PoolOptions::patience."));
}

}  // namespace aureole::tasks
