// SPDX-License-Identifier: Apache-2.0
#include "tasks/poller.hpp"

#include <algorithm>
#include <stdexcept>
#include <thread>
#include <utility>

#include "core/error.hpp"
#include "core/wait.hpp"
#include "tasks/pool.hpp"

namespace aureole::tasks {

namespace {

constexpr auto between_visits = std::chrono::microseconds(2);
// Reading the clock takes 20 to 150 ns, which tiny tasks need not pay each.
constexpr int longest_stride = 8;
constexpr int looks_per_yield = 64;  // of a worker that is blocked

/// Flag that a callback sets. Errors come from the event, which is also asked now and then before
/// the callback has come: after an error the callback may not come.
struct Called final : device::detail::EventState {
    bool ready() const override {
        const bool called = come.load(std::memory_order_acquire);
        if (!called && ++looks % looks_per_event != 0) return false;
        try {
            return event.ready() && called;
        } catch (...) {
            self.reset();  // the event is later than the callback, which does not come any more
            throw;
        }
    }
    void wait() const override { event.wait(); }
    double seconds_since(const EventState&) const override { return 0; }

    static constexpr int looks_per_event = 16;
    std::atomic<bool> come{false};
    mutable int looks = 0;
    device::Event event;
    mutable std::shared_ptr<Called> self;  ///< until the callback has come
};

/// A condition that is no event of a device.
struct Watched final : device::detail::EventState {
    Watched(bool (*told)(void*), void* of) : arrived(told), what(of) {}
    bool ready() const override { return arrived(what); }
    void wait() const override {}
    double seconds_since(const EventState&) const override { return 0; }

    bool (*const arrived)(void*);
    void* const what;
};

}  // namespace

void Poller::add(Outside* outside) {
    pending_.add(outside);
    if (pool_.sleepers().load() > 0 && !pool_.on_watch()) [[unlikely]]
        pool_.wake_one();
}

void Pending::settle(Worker&, State*& ready) {
    event = {};
    if (Outside::error) set_error(scope->fail(*this, Outside::error));
    Link::next = ready;
    ready = this;
}

Future<void> Poller::when(device::Event event, int lane, Origin place) {
    Worker& worker = this_worker("an event was waited for");
    if (lane < 0) throw std::logic_error("a lane of the poller is negative");
    if (reached(worker, event)) return {};
    return pend(worker, std::move(event), lane, place);
}

bool Poller::reached(Worker& worker, const device::Event& event) {
    if (worker.seeded_) return !event.state();
    try {
        return event.ready();
    } catch (...) {
        return false;  // the next visit finds the error as well
    }
}

Future<void> Poller::pend(Worker& worker, device::Event event, int lane, Origin place) {
    const char* const name = worker.job ? worker.job->name : "root";
    auto* const pending = start<Pending>(worker, worker.scope, name, place);
    pending->lane = lane;
    pending->event = std::move(event);
    Future<void> future(static_cast<StateOf<void>*>(pending));
    add(pending);
    return future;
}

Future<void> Poller::when(device::Queue& queue, int lane, Notice notice, Origin place) {
    Worker& worker = this_worker("work of a queue was waited for");
    device::Event event = noticed(queue, notice);
    if (!event.state()) return {};
    try {
        if (notice == Notice::wait && wait(event)) return {};
    } catch (...) {
        // The future has it.
    }
    return pend(worker, std::move(event), lane, place);
}

Future<void> Poller::watch(bool (*arrived)(void*), void* what, Origin place) {
    Worker& worker = this_worker("something was watched");
    return pend(worker, device::Event(std::make_shared<Watched>(arrived, what)), -1, place);
}

device::Event Poller::noticed(device::Queue& queue, Notice notice) {
    if (notice == Notice::callback) {
        const auto called = std::make_shared<Called>();
        called->self = called;
        const auto come = [](void* data) {
            const auto held = std::move(static_cast<Called*>(data)->self);
            held->come.store(true, std::memory_order_release);
        };
        try {
            queue.call(come, called.get());
        } catch (...) {
            called->self.reset();
            throw;
        }
        called->event = queue.record();
        return device::Event(called);
    }
    return queue.record();
}

bool Poller::wait(const device::Event& event) const {
    // Asked for, as the blocking calls of devices do not end where the event never comes.
    const auto begin = Clock::now();
    for (int looks = 1; !event.ready(); ++looks) {
        core::relax();
        if (looks % looks_per_yield != 0) continue;
        std::this_thread::yield();
        if (Clock::now() - begin > pool_.options().patience) return false;
    }
    return true;
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

void Poller::sort_in() {
    pending_.take_new([this](Outside* outside) {
        if (outside->lane < 0) return watched_.push_back(outside);
        const auto lane = static_cast<std::size_t>(outside->lane);
        if (lanes_.size() <= lane) lanes_.resize(lane + 1);
        lanes_[lane].pending.push_back(outside);
    });
}

void Poller::put_settled(Outside* outside, std::exception_ptr error) {
    if (error) outside->error = std::move(error);
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
        ++asked;
        std::exception_ptr error;
        try {
            if (!all[lane.first]->event.ready()) break;
        } catch (...) {
            error = std::current_exception();
        }
        put_settled(all[lane.first], std::move(error));
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
    std::erase_if(watched_, [&](Outside* outside) {
        const bool arrived = outside->event.ready();
        if (arrived) put_settled(outside, nullptr);
        return arrived;
    });
    return finish(worker);
}

/// Ends the visit, and lets those go on that waited for what is settled.
bool Poller::finish(Worker& worker) {
    Outside* list = std::exchange(settled_, nullptr);
    const std::int64_t count = std::exchange(settled_count_, 0);
    if (count) pending_.settle(count);
    pending_.end_visit();
    if (!list) return false;
    State* ready = nullptr;
    while (Outside* const outside = list) {
        list = outside->next;
        outside->settle(worker, ready);
    }
    finish_all(worker, ready);
    return true;
}

void Poller::give_up(Worker& worker) {
    while (!pending_.begin_visit()) core::relax();
    sort_in();
    std::vector<std::string> lines;
    std::vector<Outside*> all = std::exchange(watched_, {});
    for (const Outside* each : all)
        lines.push_back("what is watched for " + describe(each->asker()));
    for (std::size_t k = 0; k < lanes_.size(); ++k) {
        Lane& lane = lanes_[k];
        for (; lane.first < lane.pending.size(); ++lane.first) {
            all.push_back(lane.pending[lane.first]);
            lines.push_back("event " + std::to_string(lane.serial++) + " of lane " +
                            std::to_string(k) + " for " + describe(all.back()->asker()));
        }
    }
    const auto error = nothing_happened(lines);
    for (Outside* each : all) {
        each->given_up = true;
        put_settled(each, error);
    }
    finish(worker);
}

std::exception_ptr Poller::nothing_happened(const std::vector<std::string>& what) const {
    return std::make_exception_ptr(core::DeviceError(
        "nothing has happened for " + std::to_string(pool_.options().patience.count()) +
            " ms that tasks wait for",
        listed(what), "Look for a queue that hangs, or raise PoolOptions::patience."));
}

}  // namespace aureole::tasks
