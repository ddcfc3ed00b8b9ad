// SPDX-License-Identifier: Apache-2.0
// What the primitives of the layer cost, beside oneTBB's where it is installed. Prints JSON: ns per
// item, medians of 9, of which ours and theirs take turns. Built on request: bench_tasks.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "tasks/bench/peer.hpp"
#include "tasks/bench/sweep.hpp"
#include "tasks/executors.hpp"
#include "tasks/pool.hpp"

namespace {

using namespace aureole;
using namespace aureole::tasks;
using namespace aureole::tasks::bench;
using Seconds = std::chrono::duration<double>;

constexpr int rounds = 9;

double median(std::vector<double> times) {
    std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
    return times[times.size() / 2];
}

/// An event that is reached when somebody says so.
struct Flag final : device::detail::EventState {
    bool ready() const override { return reached.load(std::memory_order_acquire); }
    void wait() const override {}
    double seconds_since(const EventState&) const override { return 0; }
    std::atomic<bool> reached{false};
};

void print(const char* name, double ours, double theirs) {
    std::printf("  \"%s\": {\"ours\": %.1f, \"tbb\": ", name, ours);
    if (theirs > 0)
        std::printf("%.1f, \"ratio\": %.2f},\n", theirs, ours / theirs);
    else
        std::printf("null},\n");
}

/// Runs ours and theirs in turns, after one of each to warm up.
void compare(const std::string& name, const std::function<double()>& ours,
             const std::function<double()>& theirs) {
    std::vector<double> a, b;
    for (int round = 0; round <= rounds; ++round) {
        const double mine = ours(), other = theirs ? theirs() : 0;
        if (round > 0) a.push_back(mine), b.push_back(other);
    }
    print(name.c_str(), median(a), median(b));
}

long touched = 0;  // plain: what a task does must cost next to nothing

void spawn_and_join(Pool& pool, Peer* peer, int threads) {
    constexpr int batch = 1000, batches = 1000;
    const auto ours = [&] {
        double ns = 0;
        pool.run([&](Scope& scope) {
            ns = ns_per(batch * batches, [&] {
                for (int k = 0; k < batches; ++k) {
                    for (int i = 0; i < batch; ++i) scope.spawn("item", [] {});
                    scope.join();
                }
            });
        });
        return ns;
    };
    compare("spawn and join, " + std::to_string(threads), ours,
            peer ? [&] { return peer->spawn_and_join(threads, batch, batches); }
                 : std::function<double()>());
}

void futures(Pool& pool, Peer* peer, int threads) {
    constexpr int batch = 1000, batches = 300;
    auto flag = std::make_shared<Flag>();
    const device::Event event(flag);
    // Of events that are reached before they are waited for, or after.
    const auto continued = [&](bool before) {
        double ns = 0;
        pool.run([&](Scope& scope) {
            ns = ns_per(batch * batches, [&] {
                for (int k = 0; k < batches; ++k) {
                    flag->reached = before;
                    for (int i = 0; i < batch; ++i)
                        static_cast<void>(pool.poller().when(event, i % 8).then([] { ++touched; }));
                    flag->reached = true;
                    scope.join();
                }
            });
        });
        return ns;
    };
    std::function<double()> chain;
    if (peer) chain = [&] { return peer->chain(threads, batch, batches); };
    const std::string with = ", " + std::to_string(threads);
    compare(
        "finished event, continued" + with, [&] { return continued(true); }, chain);
    compare(
        "event that is pending, continued" + with, [&] { return continued(false); }, chain);
}

void visits(Pool& pool) {
    constexpr int lanes = 128, pending = 100000;
    std::vector<double> times;
    std::int64_t most = 0;
    auto flag = std::make_shared<Flag>();
    pool.run([&](Scope&) {
        Worker& worker = *Worker::here();
        for (int k = 0; k < pending; ++k)
            static_cast<void>(pool.poller().when(device::Event(flag), k % lanes));
        pool.poller().visit(worker);  // sorts in
        for (int k = 0; k < 2000; ++k) {
            const auto before = pool.poller().asked();
            times.push_back(ns_per(1, [&] { pool.poller().visit(worker); }));
            most = std::max(most, pool.poller().asked() - before);
        }
        flag->reached = true;
    });
    std::printf("  \"visit of 100000 futures on 128 lanes\": {\"ns\": %.0f, \"asked\": %ld},\n",
                median(times), static_cast<long>(most));
}

struct Touch {
    void operator()(std::int64_t) const {}
};

/// Cost of items of one kernel without tasks: a launch on a device that takes no time, and an
/// event that is asked once.
void queue_alone() {
    device::Device device =
        device::Device::host({.threads = 1, .pin = false, .clocked = {.at_once = 1}});
    device::Queue queue(device);
    compare(
        "queue alone",
        [&] {
            constexpr int items = 200000;
            return ns_per(items, [&] {
                for (int i = 0; i < items; ++i) {
                    device::parallel_for(queue, "touch", 1, Touch());
                    static_cast<void>(queue.record().ready());
                }
            });
        },
        nullptr);
}

/// An item of one kernel on a device that takes no time, by what a batch has at most.
void items(Pool& pool, Peer* peer, int threads) {
    constexpr int batch = 1000, batches = 200;
    for (const int most : {1, 8, 64}) {
        device::Device device =
            device::Device::host({.threads = 1, .pin = false, .clocked = {.at_once = 1}});
        Executors executors(pool, device, {.queues = 8, .most = most});
        const auto ours = [&] {
            double ns = 0;
            pool.run([&](Scope& scope) {
                ns = ns_per(batch * batches, [&] {
                    for (int k = 0; k < batches; ++k) {
                        for (int i = 0; i < batch; ++i)
                            static_cast<void>(executors.submit("item", 0, [](std::byte*) {
                                return std::tuple(Kernel<Touch>{"touch", 1, {}});
                            }));
                        scope.join();
                    }
                });
            });
            return ns;
        };
        compare("item, at most " + std::to_string(most) + " a batch, " + std::to_string(threads),
                ours,
                peer ? [&] { return peer->spawn_and_join(threads, batch, batches); }
                     : std::function<double()>());
    }
}

/// An event that is reached at a time.
struct Alarm final : device::detail::EventState {
    explicit Alarm(Clock::time_point time) : due(time) {}
    bool ready() const override { return Clock::now() >= due; }
    void wait() const override {}
    double seconds_since(const EventState&) const override { return 0; }
    const Clock::time_point due;
};

/// Time from an event to its continuation while all workers have nothing else to do.
void latency(Pool& pool) {
    std::vector<double> times;
    pool.run([&](Scope& scope) {
        for (int k = 0; k < 1000; ++k) {
            const auto alarm =
                std::make_shared<Alarm>(Clock::now() + std::chrono::microseconds(300));
            static_cast<void>(pool.poller().when(device::Event(alarm), 0).then([&, alarm] {
                times.push_back(Seconds(Clock::now() - alarm->due).count() * 1e6);
            }));
            scope.join();
        }
    });
    std::printf("  \"event to continuation, us\": %.1f,\n", median(times));
}

/// Processor time of a pool whose only task sleeps.
void idle(Pool& pool) {
    double used = 0;
    pool.run([&](Scope&) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        const auto begin = std::clock();
        std::this_thread::sleep_for(std::chrono::seconds(10));
        used = double(std::clock() - begin) / CLOCKS_PER_SEC / 10;
    });
    std::printf("  \"idle, of one core\": %.5f,\n", used);
}

}  // namespace

int main() {
    const std::unique_ptr<Peer> peer = make_peer();
    std::printf("{\n");
    queue_alone();
    for (const int threads : {1, 2}) {
        Pool pool(device::Device::host({.threads = threads}));
        spawn_and_join(pool, peer.get(), threads);
        futures(pool, peer.get(), threads);
        items(pool, peer.get(), threads);
    }
    Pool one(device::Device::host({.threads = 1}));
    visits(one);
    latency(one);
    if (std::getenv("AUREOLE_BENCH_IDLE")) {
        Pool pool(device::Device::host({.threads = 4}));
        idle(pool);
    }
    print_sweep();
    std::printf("  \"tbb\": %s\n}\n", peer ? "true" : "false");
}
